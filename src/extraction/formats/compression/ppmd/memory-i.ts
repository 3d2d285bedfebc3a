import { PpmdUnits, SIZE_FOR, SIZES, UNIT, UNITS_OF } from './units.ts';

const FREE = 0xffffffff;
/** Blocks farther than this from the first one are not moved. */
const NEAR = 16 * 1024;

/** Variant I. A free block has a mark in its first four bytes, then the address of the next one of its size, and its length. */
export class PpmdMemoryI extends PpmdUnits {
  readonly #count = new Uint32Array(SIZES); // of free blocks

  override reset(): void {
    super.reset();
    this.#count.fill(0);
  }

  /** Bytes that are neither free nor reserved for text. */
  get used(): number {
    let units = 0;
    for (let size = 0; size < SIZES; size++) units += this.#count[size]! * UNITS_OF[size]!;
    return this.end - this.start - (this.high - this.low) - (this.unitsStart - this.text) - UNIT * units;
  }

  override put(block: number, size: number): void {
    const at = block >> 2;
    this.longs[at] = FREE;
    this.longs[at + 1] = this.free[size]!;
    this.longs[at + 2] = UNITS_OF[size]!;
    this.free[size] = block;
    this.#count[size]!++;
  }

  override take(size: number): number {
    const block = this.free[size]!;
    this.free[size] = this.longs[(block >> 2) + 1]!;
    this.#count[size]!--;
    return block;
  }

  /** The first block becomes room for text. */
  releaseUnit(block: number): void {
    if (block === this.unitsStart) this.unitsStart += UNIT;
    else this.put(block, 0);
  }

  /** Away from the text, if there is a block further up. */
  moveUp(block: number, units: number): number {
    const size = SIZE_FOR[units]!;
    if (block > this.unitsStart + NEAR || block > this.free[size]!) return block;
    const other = this.take(size);
    this.bytes.copyWithin(other, block, block + UNIT * units);
    if (block === this.unitsStart) this.unitsStart += UNIT * UNITS_OF[size]!;
    else this.put(block, size);
    return other;
  }

  /** Free blocks that directly follow the text become space for it. */
  expandText(): void {
    const { longs } = this;
    const counts = new Uint32Array(SIZES);
    if (this.low !== this.high) longs[this.low >> 2] = 0;
    let block = this.unitsStart;
    for (; longs[block >> 2] === FREE; block += UNIT * longs[(block >> 2) + 2]!) {
      longs[block >> 2] = 0;
      counts[SIZE_FOR[longs[(block >> 2) + 2]!]!]!++;
    }
    this.unitsStart = block;
    for (let size = 0; size < SIZES; size++) if (counts[size]! > 0) this.#unlink(size, counts[size]!);
  }

  /** Unlinks the blocks of that size that have lost their mark. */
  #unlink(size: number, count: number): void {
    const { longs } = this;
    let left = count;
    for (
      let block = this.free[size]!, before = 0;
      left > 0 && block !== 0;
      block = longs[(block >> 2) + 1]!
    ) {
      if (longs[block >> 2] !== 0) {
        before = block;
        continue;
      }
      const next = longs[(block >> 2) + 1]!;
      if (before === 0) this.free[size] = next;
      else longs[(before >> 2) + 1] = next;
      this.#count[size]!--;
      left--;
    }
  }

  override join(): void {
    const { longs } = this;
    this.untilJoin = 1 << 13;
    this.#count.fill(0);
    if (this.low !== this.high) longs[this.low >> 2] = 0;
    const blocks: number[] = [];
    for (let size = 0; size < SIZES; size++) {
      for (let block = this.free[size]!; block !== 0; block = longs[(block >> 2) + 1]!) {
        const at = block >> 2;
        if (longs[at + 2] === 0) continue;
        blocks.push(block);
        for (let next = at + 3 * longs[at + 2]!; longs[next] === FREE; next = at + 3 * longs[at + 2]!) {
          longs[at + 2]! += longs[next + 2]!;
          longs[next + 2] = 0;
        }
      }
      this.free[size] = 0;
    }
    for (const block of blocks) {
      const units = longs[(block >> 2) + 2]!;
      if (units > 0) this.putAll(block, units);
    }
  }
}
