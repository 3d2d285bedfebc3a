import type { Piece } from '../../piece.ts';
import { decoderOf } from '../code-page.ts';
import { TextWriter } from '../text-writer.ts';

const BYTES = 32 * 1024;
const SHORT = 40;

/** The text of an RTF document: bytes of a code page and characters as they come, on their way to pieces. */
export class RtfText {
  readonly #writer = new TextWriter(null);
  readonly #bytes = new Uint8Array(BYTES);
  #used = 0;
  #codePage = 1252;
  #ready: Piece[] = [];

  /** The pieces that are ready. */
  take(): readonly Piece[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  moveTo(place: string | null): void {
    this.#decode();
    this.#ready.push(...this.#writer.moveTo(place));
  }

  codePage(codePage: number): void {
    if (codePage === this.#codePage) return;
    this.#decode();
    this.#codePage = codePage;
  }

  bytes(bytes: Uint8Array, from: number, to: number): void {
    // Most stretches are short: a loop is faster than a copy.
    if (to - from < SHORT && this.#used + SHORT < BYTES) {
      for (let i = from; i < to; i++) this.#bytes[this.#used++] = bytes[i]!;
      return;
    }
    for (let at = from; at < to; ) {
      if (this.#used === BYTES) this.#decode();
      const end = Math.min(to, at + BYTES - this.#used);
      this.#bytes.set(bytes.subarray(at, end), this.#used);
      this.#used += end - at;
      at = end;
    }
  }

  byte(byte: number): void {
    if (this.#used === BYTES) this.#decode();
    this.#bytes[this.#used++] = byte;
  }

  characters(text: string): void {
    this.#decode();
    this.#writer.add(text);
  }

  /** The end of a line: here no character is cut, however many bytes it has. */
  line(): void {
    this.byte(0x0a);
    if (this.#used > BYTES / 2) this.#decode();
  }

  entry(piece: Piece): void {
    this.end();
    this.#ready.push(piece);
  }

  end(): void {
    this.#decode();
    this.#ready.push(...this.#writer.end());
  }

  #decode(): void {
    if (this.#used === 0) return;
    this.#writer.add(decoderOf(this.#codePage).decode(this.#bytes.subarray(0, this.#used)));
    this.#used = 0;
    if (this.#writer.full) this.#ready.push(this.#writer.take());
  }
}
