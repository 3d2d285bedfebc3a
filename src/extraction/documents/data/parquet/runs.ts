import { endOfPage, type PageBytes } from './bits.ts';

/**
 * Small numbers in runs: one number that is repeated, or groups of eight in as many bits as the largest needs. A run may be as
 * long as it claims; nothing is held of it.
 */
export class Runs {
  readonly #bytes: PageBytes;
  readonly #width: number;
  #value = 0;
  #repeats = 0;
  #packed = 0;

  constructor(bytes: PageBytes, width: number) {
    if (width > 32) throw endOfPage();
    this.#bytes = bytes;
    this.#width = width;
  }

  next(): number {
    while (this.#repeats === 0 && this.#packed === 0) this.#nextRun();
    if (this.#repeats > 0) {
      this.#repeats--;
      return this.#value;
    }
    this.#packed--;
    return this.#width <= 24 ? this.#bytes.bits(this.#width) : Number(this.#bytes.wideBits(this.#width));
  }

  /** Past a run of one number that is not `value`, at most `most` of it; how many that were. */
  passOther(value: number, most: number): number {
    if (this.#repeats === 0 && this.#packed === 0) this.#nextRun();
    const count = this.#value === value ? 0 : Math.min(this.#repeats, most);
    this.#repeats -= count;
    return count;
  }

  fill(out: Uint8Array, count: number): void {
    for (let i = 0; i < count; ) {
      while (this.#repeats === 0 && this.#packed === 0) this.#nextRun();
      const some = Math.min(count - i, this.#repeats);
      if (some > 0) {
        out.fill(this.#value, i, i + some);
        this.#repeats -= some;
        i += some;
      } else {
        out[i++] = this.next();
      }
    }
  }

  #nextRun(): void {
    const head = this.#bytes.varint();
    this.#bytes.dropBits();
    const count = Math.floor(head / 2);
    if (head % 2 === 1) {
      this.#packed = 8 * count;
      return;
    }
    this.#repeats = count;
    this.#value = 0;
    for (let scale = 1; scale < 2 ** this.#width; scale *= 256) this.#value += this.#bytes.byte() * scale;
  }
}
