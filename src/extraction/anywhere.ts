import type { Part } from './extraction.ts';
import { plainPart } from './formats/text.ts';
import { kindOf } from './kind.ts';

/** A text that can be read from anywhere: its bytes behind the mark are its text, and one part is all there is. */
export interface AnywhereText {
  readonly part: Part;
  /** Length of the byte order mark: the text begins behind it. */
  readonly mark: number;
}

/**
 * Told by the object's first HEAD_BYTES (`whole`: that is all of it). Null: it must be read from the beginning. That
 * is what is compressed, has wide characters or consists of parts. The names of fields are looked for close to a
 * value in every format, so that a long JSON document can be read from anywhere too; a table takes its header from the head.
 */
export function anywhereText(name: string, head: Uint8Array, whole: boolean): AnywhereText | null {
  const kind = kindOf(name, head, whole);
  if (kind.is !== 'text' || kind.format === 'eml' || kind.encoding.width !== 1) return null;
  return {
    part: plainPart(kind.format, kind.encoding, { name: null, start: 0 }, head),
    mark: kind.encoding.mark,
  };
}
