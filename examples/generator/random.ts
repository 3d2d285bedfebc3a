/** A seeded source of chance (mulberry32). Each section of the share has a stream of its own, so editing one leaves the others' bytes alone. */
export class Random {
  #state: number;

  constructor(seed: number, stream: string) {
    this.#state = seed >>> 0;
    for (const byte of Buffer.from(stream)) this.#state = Math.imul(this.#state ^ byte, 0x01000193) >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.int(0, list.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => this.pick([...alphabet])).join('');
  }

  digits(length: number): string {
    return this.text('0123456789', length);
  }

  /** A whole number below 10^width, with leading zeros. */
  padded(max: number, width: number): string {
    return String(this.int(0, max)).padStart(width, '0');
  }

  /** A day as YYYY-MM-DD; never the 29th or later, so every month has it. */
  day(fromYear: number, toYear: number): string {
    const two = (n: number) => String(n).padStart(2, '0');
    return `${this.int(fromYear, toYear)}-${two(this.int(1, 12))}-${two(this.int(1, 28))}`;
  }

  clock(): string {
    return [this.padded(23, 2), this.padded(59, 2), this.padded(59, 2)].join(':');
  }

  hex(length: number): string {
    return this.text('0123456789abcdef', length);
  }

  uuid(): string {
    return [this.hex(8), this.hex(4), `4${this.hex(3)}`, `a${this.hex(3)}`, this.hex(12)].join('-');
  }

  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }
}
