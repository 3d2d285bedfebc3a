/** A fingerprint of all entries of an archive. No data per entry is kept, because there may be a million of them. */
export class ZipEntrySet {
  #entries = 0;
  #compressedSize = 0;

  /** Modulo 2^32: some programs write only the lower bits of large sizes. */
  add(compressedSize: number): void {
    this.#entries++;
    this.#compressedSize = (this.#compressedSize + compressedSize) % 2 ** 32;
  }

  get entries(): number {
    return this.#entries;
  }

  /** Whether both sets are equal, up to `free` additional empty entries. */
  covers(other: ZipEntrySet, free: number): boolean {
    const more = this.#entries - other.#entries;
    return more >= 0 && more <= free && this.#compressedSize === other.#compressedSize;
  }
}
