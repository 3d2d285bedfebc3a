import { endOfPage, type PageBytes } from './bits.ts';
import type { Kernel } from './kernel/kernel.ts';

/**
 * Small numbers in runs: one number that is repeated, or groups of eight in as many bits as the largest needs. A run may be as
 * long as it claims, because it is not expanded in memory.
 */
export class Runs {
  readonly #bytes: PageBytes;
  readonly #width: number;
  #value = 0;
  #repeats = 0;
  #packed = 0;
  #failure: unknown = null;

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
  passOther(value: number, max: number): number {
    if (this.#repeats === 0 && this.#packed === 0) this.#nextRun();
    const count = this.#value === value ? 0 : Math.min(this.#repeats, max);
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

  /** Fills as many of the next values as available and returns their number. Errors after them are reported by `next`. */
  fillIndexes(kernel: Kernel, count: number): number {
    let i = 0;
    while (i < count && this.#failure === null) {
      if (this.#repeats === 0 && this.#packed === 0) this.#tryRun();
      const some = Math.min(count - i, this.#repeats || this.#packed);
      const done = this.#repeats > 0 ? this.#repeat(kernel, i, some) : this.#unpack(kernel, i, some);
      i += done;
      if (done < some) break;
    }
    return i;
  }

  #repeat({ indexes }: Kernel, from: number, count: number): number {
    indexes.fill(this.#value, from, from + count);
    this.#repeats -= count;
    return count;
  }

  /** Wider numbers are read one by one; they don't occur in practice. */
  #unpack(kernel: Kernel, from: number, count: number): number {
    if (this.#width > 24) return 0;
    const done = this.#bytes.unpack(this.#width, kernel, from, count);
    this.#packed -= done;
    return done;
  }

  #tryRun(): void {
    try {
      this.#nextRun();
    } catch (error) {
      this.#failure = error;
    }
  }

  #nextRun(): void {
    if (this.#failure !== null) throw this.#failure;
    const head = this.#bytes.varint();
    this.#bytes.dropBits();
    const count = Math.floor(head / 2);
    if (head % 2 === 1) {
      this.#packed = 8 * count;
      return;
    }
    this.#value = 0;
    for (let scale = 1; scale < 2 ** this.#width; scale *= 256) this.#value += this.#bytes.byte() * scale;
    this.#repeats = count;
  }
}
