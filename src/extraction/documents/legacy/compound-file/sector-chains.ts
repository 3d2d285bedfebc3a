/** A chain of sectors; contiguous ones form one run. */
export interface Chain {
  /** The first sector of each run. */
  readonly starts: readonly number[];
  /** How many sectors there are up to the end of each run. */
  readonly ends: readonly number[];
  /** The end marker was found, or the requested length was reached. */
  readonly whole: boolean;
}

/** Special values in the tables. */
export const FREE = 0xffffffff;
export const END_OF_CHAIN = 0xfffffffe;

/**
 * A table of sectors (FAT or mini FAT): for each one the next of its chain. A sector belongs to one chain, once; so a
 * chain ends even if it was knotted to a loop, and all chains together are no longer than the table.
 */
export class SectorChains {
  readonly #next: Uint32Array;
  readonly #taken: Uint8Array;

  constructor(next: Uint32Array) {
    this.#next = next;
    this.#taken = new Uint8Array(next.length);
  }

  /** The first `most` sectors of a chain, fewer if it ends or breaks before. */
  follow(first: number, max: number): Chain {
    const starts: number[] = [];
    const ends: number[] = [];
    let sector = first;
    let expected = -1;
    let length = 0;
    while (length < max && sector < this.#next.length && this.#taken[sector] === 0) {
      this.#taken[sector] = 1;
      length++;
      if (sector !== expected) {
        starts.push(sector);
        ends.push(length);
      }
      ends[ends.length - 1] = length;
      expected = sector + 1;
      sector = this.#next[sector]!;
    }
    return { starts, ends, whole: length === max || sector === END_OF_CHAIN };
  }
}
