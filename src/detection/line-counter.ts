import type { Prefilter } from './kernel/prefilter.ts';

/** Converts positions to line numbers. Positions must ascend, so that every byte is counted once. Offsets are those of the text. */
export class LineCounter {
  readonly #prefilter: Prefilter;
  #counted = 0;
  number = 1;
  /** The start of the current line. */
  start = 0;

  constructor(prefilter: Prefilter) {
    this.#prefilter = prefilter;
  }

  begin(offset: number): void {
    this.#counted = offset;
    this.number = 1;
    this.start = offset;
  }

  /** Advances to `position`; `origin`: the text offset of the window's first byte. */
  moveTo(window: Buffer, origin: number, position: number): void {
    if (position <= this.#counted) return;
    this.number += this.#prefilter.lines(window, this.#counted - origin, position - origin);
    if (this.#prefilter.lastLineEnd >= this.#counted - origin)
      this.start = this.#prefilter.lastLineEnd + origin + 1;
    this.#counted = position;
  }
}
