import type { Encoding } from '../sniff/encoding.ts';
import { OffsetIndex } from './offset-index.ts';
import { BLOCK, MAX_LENGTH, type SimdTranscoder, simdTranscoder } from './simd-transcoder.ts';

const REPLACEMENT = 0xfffd;
/** Below this many bytes the SIMD call costs more than it saves. */
const WORTHWHILE = 64;

/**
 * UTF-16 and UTF-32 into UTF-8, in blocks whose borders depend on the text alone, never on how the bytes arrived.
 * What is no character (a lone surrogate, half a unit at the end) becomes U+FFFD.
 */
export class Utf8Transcoder {
  readonly offsets: OffsetIndex;
  readonly #width: number;
  readonly #little: boolean;
  readonly #emit: (block: Uint8Array) => void;
  readonly #vectors: SimdTranscoder | null;
  #skip: number; // remaining bytes of the byte order mark
  #unit = 0;
  #have = 0; // bytes of the unit that are here
  #high = 0; // a high surrogate that waits for its other half
  #block: Uint8Array = new Uint8Array(BLOCK);
  #used = 0;
  #source: number;

  /** `vectors` null: scalar code only, for comparison and for machines without vector instructions. */
  constructor(
    encoding: Encoding,
    emit: (block: Uint8Array) => void,
    vectors: SimdTranscoder | null = simdTranscoder(),
  ) {
    this.#width = encoding.width;
    this.#little = encoding.little;
    this.#skip = encoding.bomLength;
    this.#source = encoding.bomLength;
    this.#emit = emit;
    this.#vectors = encoding.width === 2 ? vectors : null;
    this.offsets = new OffsetIndex(encoding.width, encoding.bomLength);
  }

  push(bytes: Uint8Array): void {
    const from = Math.min(this.#skip, bytes.length);
    this.#skip -= from;
    for (let at = from; at < bytes.length; ) {
      if (this.#vectors !== null && this.#have === 0 && this.#high === 0)
        at += this.#takeRun(this.#vectors, bytes, at);
      // The rest of a run: a character that begins a new block, or an incomplete one.
      if (at < bytes.length) this.#takeByte(bytes[at++]!);
    }
  }

  end(): void {
    if (this.#high !== 0) this.#put(REPLACEMENT);
    if (this.#have > 0) this.#put(REPLACEMENT);
    this.#flush();
  }

  #takeRun(vectors: SimdTranscoder, bytes: Uint8Array, at: number): number {
    if (bytes.length - at < WORTHWHILE) return 0;
    this.#used = vectors.transcode(bytes, at, this.#little, this.#block, this.#used);
    this.#source += vectors.taken;
    return vectors.taken;
  }

  #takeByte(byte: number): void {
    if (this.#little) this.#unit |= byte << (8 * this.#have);
    else this.#unit = (this.#unit << 8) | byte;
    if (++this.#have === this.#width) this.#takeUnit();
  }

  #takeUnit(): void {
    const unit = this.#unit >>> 0;
    this.#unit = 0;
    this.#have = 0;
    if (this.#high !== 0) {
      const high = this.#high;
      this.#high = 0;
      if (unit >= 0xdc00 && unit < 0xe000)
        return this.#put(0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
      this.#put(REPLACEMENT);
    }
    if (unit < 0xd800 || (unit >= 0xe000 && unit <= 0x10ffff)) this.#put(unit);
    else if (this.#width === 2 && unit < 0xdc00) this.#high = unit;
    else this.#put(REPLACEMENT);
  }

  #put(code: number): void {
    if (this.#used > BLOCK - MAX_LENGTH) this.#flush();
    const block = this.#block;
    if (code < 0x80) block[this.#used++] = code;
    else {
      const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      block[this.#used++] = ((0xff00 >> (more + 1)) & 0xff) | (code >> (6 * more));
      for (let i = more - 1; i >= 0; i--) block[this.#used++] = 0x80 | ((code >> (6 * i)) & 0x3f);
    }
    this.#source += code < 0x10000 ? this.#width : 4;
  }

  #flush(): void {
    if (this.#used === 0) return;
    const text = this.#block.subarray(0, this.#used);
    // Added to the offset index before it is emitted, because the consumer may query it immediately.
    const spare = this.offsets.add(text, this.#source);
    this.#emit(text);
    this.#block = spare ?? new Uint8Array(BLOCK);
    this.#used = 0;
  }
}
