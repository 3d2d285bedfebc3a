/**
 * Maps offsets of transcoded text to source offsets. The latest blocks are kept, so that an offset in them is found exactly by walking
 * their characters; of older blocks only the borders remain, with decreasing density, and offsets between them are interpolated.
 * Detection queries only text that it has just received, so it always gets the exact answer.
 */
const KEPT_BLOCKS = 16;
const MAX_BORDERS = 4096;

interface Block {
  readonly text: Uint8Array;
  readonly start: number;
  readonly source: number;
  /** A byte a character: nothing needs to be walked. */
  readonly ascii: boolean;
}

export class OffsetIndex {
  readonly #width: number;
  readonly #blocks: Block[] = [];
  /** Pairs of text offset and source offset. */
  #borders: number[] = [];
  #length = 0;
  #source: number;
  // The last answer: offsets are queried in ascending order, so the walk continues from there.
  #walk: Block | null = null;
  #walked = 0;
  #walkedSource = 0;

  constructor(width: number, source: number) {
    this.#width = width;
    this.#source = source;
  }

  /** `end`: the source offset after the block. Returns the memory of a block that is no longer kept, if any. */
  add(text: Uint8Array, end: number): Uint8Array | null {
    const ascii = end - this.#source === text.length * this.#width;
    this.#blocks.push({ text, start: this.#length, source: this.#source, ascii });
    this.#borders.push(this.#length, this.#source);
    if (this.#borders.length > 2 * MAX_BORDERS) this.#thinOut();
    this.#length += text.length;
    this.#source = end;
    if (this.#blocks.length <= KEPT_BLOCKS) return null;
    const dropped = this.#blocks.shift()!;
    if (this.#walk === dropped) this.#walk = null;
    return new Uint8Array(dropped.text.buffer);
  }

  at(offset: number): number {
    if (offset >= this.#length) return this.#source;
    const block = this.#blocks.findLast((kept) => kept.start <= offset);
    return block === undefined ? this.#estimate(offset) : this.#exact(block, offset - block.start);
  }

  #exact(block: Block, target: number): number {
    if (block.ascii) return block.source + target * this.#width;
    if (this.#walk !== block || this.#walked > target) {
      this.#walk = block;
      this.#walked = 0;
      this.#walkedSource = block.source;
    }
    for (let next = this.#walked; ; ) {
      const lead = block.text[next]!;
      next += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      if (next > target) return this.#walkedSource;
      this.#walked = next;
      this.#walkedSource += lead >= 0xf0 ? 4 : this.#width;
    }
  }

  #estimate(offset: number): number {
    const pairs = this.#borders;
    let i = pairs.length - 2;
    while (i > 0 && pairs[i]! > offset) i -= 2;
    const share = (offset - pairs[i]!) / (pairs[i + 2]! - pairs[i]!);
    return Math.floor(pairs[i + 1]! + share * (pairs[i + 3]! - pairs[i + 1]!));
  }

  #thinOut(): void {
    this.#borders = this.#borders.filter((_, i) => i % 4 < 2);
  }
}
