import type { Format, TextPart } from './extraction.ts';
import { plainPart } from './formats/text.ts';
import { sniffType } from './sniff.ts';

/** A text that can be read from anywhere: its bytes behind the mark are its text, and one part is all there is. */
export interface SeekableText {
  readonly part: TextPart;
  /** Length of the byte order mark: the text begins behind it. */
  readonly bomLength: number;
}

/** These consist of parts, or their text is not what stands in the object. */
const SEQUENTIAL_FORMATS: ReadonlySet<Format> = new Set(['eml', 'mbox', 'html', 'xml', 'ics', 'vcf']);

/**
 * Told by the object's first HEAD_BYTES (`whole`: that is all of it). Null: it must be read from the beginning. That
 * is what is compressed, has wide characters, consists of parts or is rewritten. The names of fields are looked for close to a
 * value in every format, so that a long JSON document can be read from anywhere too; a table takes its header from the head.
 */
export function seekableText(name: string, head: Uint8Array, whole: boolean): SeekableText | null {
  const kind = sniffType(name, head, whole);
  if (kind.is !== 'text' || kind.encoding.width !== 1 || SEQUENTIAL_FORMATS.has(kind.format)) return null;
  return {
    part: plainPart(kind.format, kind.encoding, { name: null, start: 0 }, head),
    bomLength: kind.encoding.bomLength,
  };
}
