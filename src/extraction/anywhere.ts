import type { Format, Part } from './extraction.ts';
import { plainPart } from './formats/text.ts';
import { kindOf } from './kind.ts';

/** A text that can be read from anywhere: its bytes behind the mark are its text, and one part is all there is. */
export interface AnywhereText {
  readonly part: Part;
  /** Length of the byte order mark: the text begins behind it. */
  readonly mark: number;
}

/** These consist of parts, or their text is not what stands in the object. */
const FROM_THE_BEGINNING: ReadonlySet<Format> = new Set(['eml', 'mbox', 'html', 'xml', 'ics', 'vcf']);

/**
 * Told by the object's first HEAD_BYTES (`whole`: that is all of it). Null: it must be read from the beginning. That
 * is what is compressed, has wide characters, consists of parts or is rewritten. The names of fields are looked for close to a
 * value in every format, so that a long JSON document can be read from anywhere too; a table takes its header from the head.
 */
export function anywhereText(name: string, head: Uint8Array, whole: boolean): AnywhereText | null {
  const kind = kindOf(name, head, whole);
  if (kind.is !== 'text' || kind.encoding.width !== 1 || FROM_THE_BEGINNING.has(kind.format)) return null;
  return {
    part: plainPart(kind.format, kind.encoding, { name: null, start: 0 }, head),
    mark: kind.encoding.mark,
  };
}
