/**
 * A minimal XML 1.0 parser, sufficient for Azure's responses: elements with their text; attributes are not parsed, and a document type
 * is not interpreted. No library: the structure of the responses is fixed, and the fifty lines below read it in one pass.
 */
import { decodeEntities } from '../store/entities.ts';

export interface Element {
  /** From the outermost element to this one. */
  readonly path: readonly string[];
  readonly attributes: string;
  /** Empty if it contains elements. */
  readonly text: string;
}

/** Reports every element of a document at its end tag. Returns whether the document was complete. */
export function parseXml(xml: string, onEnd: (element: Element) => void): boolean {
  const path: string[] = [];
  const attributes: string[] = [];
  let textFrom = -1;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at + 1)) {
    const end = xml.indexOf('>', at);
    if (end < 0) return false;
    const first = xml[at + 1];
    if (first === '?' || first === '!') continue;
    if (first === '/') {
      if (xml.slice(at + 2, end).trimEnd() !== path.at(-1)) return false;
      const text = textFrom < 0 ? '' : decodeEntities(xml.slice(textFrom, at));
      if (text === undefined) return false;
      onEnd({ path, attributes: attributes.pop()!, text });
      path.pop();
      textFrom = -1;
      if (path.length === 0) return true;
      continue;
    }
    const isEmpty = xml[end - 1] === '/';
    const tag = xml.slice(at + 1, isEmpty ? end - 1 : end);
    const space = tag.search(/\s/);
    path.push(space < 0 ? tag : tag.slice(0, space));
    attributes.push(space < 0 ? '' : tag.slice(space + 1));
    textFrom = end + 1;
    if (!isEmpty) continue;
    onEnd({ path, attributes: attributes.pop()!, text: '' });
    path.pop();
    textFrom = -1;
  }
  return false;
}

/** The text of the first element of that name; null if there is none. */
export function elementIn(xml: string, name: string): string | null {
  let found: string | null = null;
  parseXml(xml, ({ path, text }) => {
    if (path.at(-1) === name) found ??= text;
  });
  return found;
}
