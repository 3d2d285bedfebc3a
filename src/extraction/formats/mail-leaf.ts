import { kindOf } from '../kind.ts';
import { HEAD_BYTES, type Intake, type Place } from '../reading.ts';
import { type Transfer, transferOf } from './mail-transfer.ts';
import { takeText } from './text.ts';

/** One body or attachment: its bytes are unwrapped, judged by their content like any object, and read if they are text. */
export class Leaf {
  readonly #name: string;
  readonly #place: Place;
  readonly #transfer: Transfer;
  // One byte more than a head, so that the first flush brings enough to decide.
  readonly #buffer = new Uint8Array(HEAD_BYTES + 1);
  #used = 0;
  #intake: Intake | null = null;
  #refused: string | null = null;

  constructor(name: string, encoding: string, place: Place) {
    this.#name = name;
    this.#place = place;
    this.#transfer = transferOf(encoding, (bytes) => this.#collect(bytes));
  }

  write(bytes: Uint8Array): void {
    if (this.#refused === null) this.#transfer.write(bytes);
  }

  /** What it was, if it was no text. */
  end(): string | null {
    this.#transfer.end();
    this.#flush(true);
    this.#intake?.end();
    return this.#refused;
  }

  /** Lines are short: gathered, they make fewer and longer pieces of text. */
  #collect(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      if (this.#intake !== null && this.#used === 0 && bytes.length - from > HEAD_BYTES) {
        return this.#intake.push(bytes.subarray(from));
      }
      const end = Math.min(bytes.length, from + this.#buffer.length - this.#used);
      this.#buffer.set(bytes.subarray(from, end), this.#used);
      this.#used += end - from;
      from = end;
      if (this.#used === this.#buffer.length) this.#flush(false);
    }
  }

  #flush(last: boolean): void {
    const bytes = this.#buffer.subarray(0, this.#used);
    this.#used = 0;
    if (this.#intake === null && this.#refused === null) this.#open(bytes.subarray(0, HEAD_BYTES), last);
    if (bytes.length > 0) this.#intake?.push(bytes);
  }

  #open(head: Uint8Array, whole: boolean): void {
    const kind = kindOf(this.#name, head, whole);
    if (kind.is === 'text') this.#intake = takeText(kind.format, kind.encoding, this.#place);
    else this.#refused = kind.is === 'packed' ? `${kind.packing} data` : kind.label;
  }
}
