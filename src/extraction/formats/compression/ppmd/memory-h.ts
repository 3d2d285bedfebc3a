import { PpmdUnits, SIZES, UNIT, UNITS_OF } from './units.ts';

/**
 * Variant H. A free block begins with the address of the next one of its size. When blocks are merged, it begins with a zero (which no
 * used block does), its length, and the addresses of the next and the previous block in a ring.
 */
export class PpmdMemory extends PpmdUnits {
  override put(block: number, size: number): void {
    this.longs[block >> 2] = this.free[size]!;
    this.free[size] = block;
  }

  override take(size: number): number {
    const block = this.free[size]!;
    this.free[size] = this.longs[block >> 2]!;
    return block;
  }

  override join(): void {
    const { longs, words } = this;
    const ring = this.end;
    const isFree = (block: number) => words[block >> 1] === 0;
    this.untilJoin = 255;
    this.#makeRing(ring);
    words[ring >> 1] = 1;
    if (this.low !== this.high) words[this.low >> 1] = 1;
    for (let block = longs[(ring >> 2) + 1]!; block !== ring; block = longs[(block >> 2) + 1]!) {
      let units = words[(block >> 1) + 1]!;
      for (;;) {
        const next = block + UNIT * units;
        units += words[(next >> 1) + 1]!;
        if (!isFree(next) || units >= 0x10000) break;
        const [behind, before] = [longs[(next >> 2) + 1]!, longs[(next >> 2) + 2]!];
        longs[(before >> 2) + 1] = behind;
        longs[(behind >> 2) + 2] = before;
        words[(block >> 1) + 1] = units;
      }
    }
    for (let block = longs[(ring >> 2) + 1]!; block !== ring; ) {
      const behind = longs[(block >> 2) + 1]!;
      this.putAll(block, words[(block >> 1) + 1]!);
      block = behind;
    }
  }

  #makeRing(ring: number): void {
    const { longs, words } = this;
    let first = ring;
    for (let size = 0; size < SIZES; size++) {
      for (let block = this.free[size]!; block !== 0; ) {
        longs[(block >> 2) + 1] = first;
        longs[(first >> 2) + 2] = block;
        first = block;
        block = longs[first >> 2]!;
        words[first >> 1] = 0;
        words[(first >> 1) + 1] = UNITS_OF[size]!;
      }
      this.free[size] = 0;
    }
    longs[(ring >> 2) + 1] = first;
    longs[(first >> 2) + 2] = ring;
  }
}
