import type { Format, TextPart } from './extraction.ts';
import { plainPart } from './formats/text.ts';
import { sniffType } from './sniff/sniff.ts';

/** A text that can be read from any offset: the bytes after its byte order mark are its only part. */
export interface SeekableText {
  readonly part: TextPart;
  /** Length of the byte order mark, after which the text begins. */
  readonly bomLength: number;
}

/** These consist of parts, or are rewritten. */
const SEQUENTIAL_FORMATS: ReadonlySet<Format> = new Set(['eml', 'mbox', 'html', 'xml', 'ics', 'vcf']);

/**
 * Decided by the object's first HEAD_BYTES (`whole`: that is all of it). Returns null if it must be read from the beginning, because it
 * is compressed, has wide characters, consists of parts or is rewritten. Field names are searched near a value in every format, so a long
 * JSON document is seekable too; a table takes its header from the head.
 */
export function seekableText(name: string, head: Uint8Array, whole: boolean): SeekableText | null {
  const type = sniffType(name, head, whole);
  if (type.is !== 'text' || type.encoding.width !== 1 || SEQUENTIAL_FORMATS.has(type.format)) return null;
  return {
    part: plainPart(type.format, type.encoding, { name: null, start: 0 }, head),
    bomLength: type.encoding.bomLength,
  };
}
