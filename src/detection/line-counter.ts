import type { Prefilter } from './kernel/prefilter.ts';

/** Which line a place is on. Places are asked for in order, so every byte is counted once. Offsets are those of the text. */
export class LineCounter {
  readonly #prefilter: Prefilter;
  #counted = 0;
  number = 1;
  /** Where the line begins. */
  start = 0;

  constructor(prefilter: Prefilter) {
    this.#prefilter = prefilter;
  }

  begin(offset: number): void {
    this.#counted = offset;
    this.number = 1;
    this.start = offset;
  }

  /** Counts on to `place`; `origin`: the text's offset of the window's first byte. */
  moveTo(window: Buffer, origin: number, place: number): void {
    if (place <= this.#counted) return;
    this.number += this.#prefilter.lines(window, this.#counted - origin, place - origin);
    if (this.#prefilter.lastLineEnd >= this.#counted - origin)
      this.start = this.#prefilter.lastLineEnd + origin + 1;
    this.#counted = place;
  }
}
