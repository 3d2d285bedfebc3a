import type { AnchorFinder } from './kernel/anchor-finder.ts';

/** Which line a place is on. Places are asked for in order, so every byte is counted once. Offsets are those of the text. */
export class LineCounter {
  readonly #finder: AnchorFinder;
  #counted = 0;
  number = 1;
  /** Where the line begins. */
  start = 0;

  constructor(finder: AnchorFinder) {
    this.#finder = finder;
  }

  begin(offset: number): void {
    this.#counted = offset;
    this.number = 1;
    this.start = offset;
  }

  /** Counts on to `place`; `origin`: the text's offset of the window's first byte. */
  moveTo(window: Buffer, origin: number, place: number): void {
    if (place <= this.#counted) return;
    this.number += this.#finder.lines(window, this.#counted - origin, place - origin);
    if (this.#finder.lastLineEnd >= this.#counted - origin)
      this.start = this.#finder.lastLineEnd + origin + 1;
    this.#counted = place;
  }
}
