/**
 * Maps positions of the text after wide blanks were narrowed (see wide-blanks.ts) back to original offsets. Offsets are those of the
 * text.
 */
export class BlankShifts {
  /** For each narrowed blank, in order: its current position, the bytes saved up to and including it, and the end of its run of groups. */
  #positions: number[] = [];
  #saved: number[] = [];
  #ends: number[] = [];

  clear(): void {
    this.#keepFrom(this.#positions.length);
  }

  note(position: number, saved: number, runEnd: number): void {
    this.#positions.push(position);
    this.#saved.push(saved);
    this.#ends.push(runEnd);
  }

  /** `position`: a position of the text, after narrowing. */
  originalOf(position: number): number {
    const last = this.#before(position) - 1;
    if (last < 0 || position >= this.#ends[last]!) return position;
    return Math.min(position + this.#saved[last]!, this.#ends[last]!);
  }

  /** Drops the entries before this position; no later call may ask about them. */
  forget(position: number): void {
    const before = this.#before(position);
    // A run may continue past this position, so its entries are kept.
    let kept = before;
    while (kept > 0 && this.#ends[kept - 1]! > position) kept--;
    if (kept > 0) this.#keepFrom(kept);
  }

  /** The number of entries before the position. */
  #before(position: number): number {
    let low = 0;
    for (let high = this.#positions.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.#positions[middle]! < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #keepFrom(index: number): void {
    if (index === 0) return;
    this.#positions.splice(0, index);
    this.#saved.splice(0, index);
    this.#ends.splice(0, index);
  }
}
