import { CorruptInput } from '../../../extraction-error.ts';
import type { HiddenContent } from './records.ts';

/** [MS-EMFPLUS] 2.1.1.1 */
const HEADER = 0x4001;
const OBJECT = 0x4008;
const DRAW_STRING = 0x401c;
const DRAW_DRIVER_STRING = 0x4036;
const DUAL = 1;
const IMAGE = 5;
const IS_UNICODE = 1;
const MAX_HELD = 1024 * 1024;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * EMF+ records, which are stored in comments of EMF. Dual files repeat the content of the EMF records: there a text is only yielded at
 * the end, and only if it contains a new word.
 */
export class EmfPlus {
  readonly #sight: HiddenContent;
  #dual = false;
  #held: string[] = [];
  #length = 0;
  readonly #words = new Set<string>();

  constructor(sight: HiddenContent) {
    this.#sight = sight;
  }

  /** A line drawn by EMF records. */
  lineDrawn(line: string): void {
    if (!this.#dual) return;
    for (const [word] of line.matchAll(WORD)) if (this.#words.size < MAX_HELD) this.#words.add(word);
  }

  *take(records: Buffer): Generator<string> {
    for (let at = 0; at + 12 <= records.length; ) {
      const type = records.readUInt16LE(at);
      const flags = records.readUInt16LE(at + 2);
      const size = records.readUInt32LE(at + 4);
      const end = at + 12 + records.readUInt32LE(at + 8);
      if (size < 12 || end > records.length) throw new CorruptInput('EMF+ image');
      if (type === HEADER) this.#dual = (flags & DUAL) !== 0;
      if (type === OBJECT && ((flags >> 8) & 0x7f) === IMAGE) this.#sight.unseen = true;
      const text = this.#text(type, records.subarray(at + 12, end)).trim();
      if (text !== '') yield* this.#emit(text);
      at += size;
    }
  }

  *end(): Generator<string> {
    const held = this.#held;
    this.#held = [];
    this.#length = 0;
    for (const text of held) if ((text.match(WORD) ?? []).some((word) => !this.#words.has(word))) yield text;
  }

  *#emit(text: string): Generator<string> {
    if (!this.#dual || this.#length + text.length > MAX_HELD) return yield text;
    this.#held.push(text);
    this.#length += text.length;
  }

  #text(type: number, data: Buffer): string {
    if (type === DRAW_STRING) return wideText(data, 8, 28);
    if (type !== DRAW_DRIVER_STRING) return '';
    if (data.length >= 16 && (data.readUInt32LE(4) & IS_UNICODE) !== 0) return wideText(data, 12, 16);
    this.#sight.unseen = true;
    return '';
  }
}

function wideText(data: Buffer, countAt: number, from: number): string {
  const to = data.length < from ? Number.POSITIVE_INFINITY : from + 2 * data.readUInt32LE(countAt);
  if (to > data.length) throw new CorruptInput('EMF+ image');
  return data.toString('utf16le', from, to);
}
