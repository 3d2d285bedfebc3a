/** What all entries of an archive are together. Nothing is kept of each, as there may be a million of them. */
export class ZipEntrySet {
  #entries = 0;
  #packed = 0;

  /** As far as four bytes can tell: there are programs that write no more of a large number. */
  add(packed: number): void {
    this.#entries++;
    this.#packed = (this.#packed + packed) % 2 ** 32;
  }

  get entries(): number {
    return this.#entries;
  }

  /** The same, and at most so many more that are nothing. */
  covers(other: ZipEntrySet, free: number): boolean {
    const more = this.#entries - other.#entries;
    return more >= 0 && more <= free && this.#packed === other.#packed;
  }
}
