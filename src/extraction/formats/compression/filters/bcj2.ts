/** Format: Bcj2.c of the LZMA SDK; there is no other specification. No library offers the filter apart from an archiver. */
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';

const CHUNK_BYTES = 64 * 1024;
const CALL = 0xe8;
const JUMP = 0xe9;
/** Probabilities: of other jumps, of JUMP, and of CALL for each byte before it. */
const OTHER_AT = 0;
const JUMP_AT = 1;
const CALL_AT = 2;
const EVEN = 1024;

/**
 * BCJ2: x86 programs in four streams: the code without the targets of calls and jumps, the targets of calls, those of jumps, and for each
 * possible instruction a range-coded bit that tells whether its target was moved.
 */
export async function* unbcj2(queues: readonly ByteQueue[], size: number): AsyncGenerator<Uint8Array> {
  const [main, calls, jumps, bits] = queues.map((queue) => new Feed(queue));
  const decoder = new Bcj2Decoder(main!, calls!, jumps!, bits!, size);
  await bits!.refill();
  decoder.start();
  while (decoder.left > 0) {
    for (const feed of [main, calls, jumps, bits]) if (feed!.left < 4 && !feed!.ended) await feed!.refill();
    const chunk = decoder.decode();
    if (chunk.length === 0) throw new CorruptInput('truncated bcj2 data');
    yield chunk;
  }
}

/** The buffered bytes of a stream. */
class Feed {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  ended = false;
  readonly #queue: ByteQueue;

  constructor(queue: ByteQueue) {
    this.#queue = queue;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  async refill(): Promise<void> {
    this.#queue.unread(this.left);
    this.bytes = await this.#queue.take(CHUNK_BYTES);
    this.at = 0;
    this.ended = this.bytes.length < CHUNK_BYTES;
  }

  next(): number {
    if (this.at === this.bytes.length) throw new CorruptInput('truncated bcj2 data');
    return this.bytes[this.at++]!;
  }

  /** A target, the highest byte first. */
  target(): number {
    return (this.next() << 24) | (this.next() << 16) | (this.next() << 8) | this.next();
  }
}

class Bcj2Decoder {
  /** Bytes still missing. */
  left: number;
  readonly #main: Feed;
  readonly #calls: Feed;
  readonly #jumps: Feed;
  readonly #bits: Feed;
  readonly #out = new Uint8Array(CHUNK_BYTES + 4);
  readonly #probs = new Uint16Array(CALL_AT + 256).fill(EVEN);
  #range = 0xffffffff;
  #code = 0;
  #before = 0; // the byte before
  #position = 0; // position of the next byte in the program
  #to = 0;

  constructor(main: Feed, calls: Feed, jumps: Feed, bits: Feed, size: number) {
    this.#main = main;
    this.#calls = calls;
    this.#jumps = jumps;
    this.#bits = bits;
    this.left = size;
  }

  start(): void {
    if (this.#bits.next() !== 0) throw new CorruptInput('bcj2 data');
    this.#code = this.#bits.target() >>> 0;
  }

  /** Decodes as much as the buffered input allows. */
  decode(): Uint8Array {
    this.#to = 0;
    while (this.#to < CHUNK_BYTES && this.left > 0) {
      this.#copy();
      if (this.#to === CHUNK_BYTES || this.left === 0 || this.#main.left === 0 || !this.#isReady()) break;
      this.#branch();
    }
    return this.#out.subarray(0, this.#to);
  }

  /** Copies up to the next possible call or jump, or as far as there are input and space. */
  #copy(): void {
    const { bytes, at: from } = this.#main;
    const out = this.#out;
    const count = Math.min(bytes.length - from, CHUNK_BYTES - this.#to, this.left);
    let before = this.#before;
    let to = this.#to;
    for (let at = from; at < from + count; at++) {
      const byte = bytes[at]!;
      if ((byte & 0xfe) === CALL || ((byte & 0xf0) === 0x80 && before === 0x0f)) break;
      out[to++] = byte;
      before = byte;
    }
    const copied = to - this.#to;
    this.#main.at += copied;
    this.#before = before;
    this.#advance(copied);
  }

  #advance(count: number): void {
    this.#to += count;
    this.left -= count;
    this.#position += count;
  }

  #isReady(): boolean {
    const isReady = (feed: Feed) => feed.left >= 4 || feed.ended;
    return isReady(this.#calls) && isReady(this.#jumps) && isReady(this.#bits);
  }

  #branch(): void {
    const opcode = this.#main.next();
    this.#out[this.#to] = opcode;
    this.#advance(1);
    const probability = opcode === CALL ? CALL_AT + this.#before : opcode === JUMP ? JUMP_AT : OTHER_AT;
    this.#before = opcode;
    if (this.left === 0 || this.#bit(probability) === 0) return;
    const absolute = (opcode === CALL ? this.#calls : this.#jumps).target();
    const target = (absolute - (this.#position + 4)) | 0;
    for (let i = 0; i < 4; i++) this.#out[this.#to + i] = target >>> (8 * i);
    this.#before = target >>> 24;
    this.#advance(Math.min(4, this.left));
  }

  #bit(at: number): number {
    if (this.#range < 2 ** 24) {
      this.#range = (this.#range << 8) >>> 0;
      this.#code = ((this.#code << 8) | this.#bits.next()) >>> 0;
    }
    const p = this.#probs[at]!;
    const bound = (this.#range >>> 11) * p;
    if (this.#code < bound) {
      this.#range = bound;
      this.#probs[at] = p + ((2048 - p) >> 5);
      return 0;
    }
    this.#range -= bound;
    this.#code -= bound;
    this.#probs[at] = p - (p >> 5);
    return 1;
  }
}
