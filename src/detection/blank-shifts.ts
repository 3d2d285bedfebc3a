/** Where things stood in the text before blanks in front of them became narrower (see wide-blanks.ts). Offsets are those of the text. */
export class BlankShifts {
  /** Of each such blank, in order: where it is now, the bytes it and those before it saved, and where that run of groups ends. */
  #places: number[] = [];
  #saved: number[] = [];
  #ends: number[] = [];

  clear(): void {
    this.#keepFrom(this.#places.length);
  }

  note(place: number, saved: number, runEnd: number): void {
    this.#places.push(place);
    this.#saved.push(saved);
    this.#ends.push(runEnd);
  }

  /** `place`: where it is now. */
  originalOf(place: number): number {
    const last = this.#before(place) - 1;
    if (last < 0 || place >= this.#ends[last]!) return place;
    return Math.min(place + this.#saved[last]!, this.#ends[last]!);
  }

  /** Nothing before this place is asked for any more. */
  forget(place: number): void {
    const before = this.#before(place);
    // What is near may belong to a run that goes on.
    let kept = before;
    while (kept > 0 && this.#ends[kept - 1]! > place) kept--;
    if (kept > 0) this.#keepFrom(kept);
  }

  /** How many of them stand before it. */
  #before(place: number): number {
    let low = 0;
    for (let high = this.#places.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.#places[middle]! < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #keepFrom(index: number): void {
    if (index === 0) return;
    this.#places.splice(0, index);
    this.#saved.splice(0, index);
    this.#ends.splice(0, index);
  }
}
