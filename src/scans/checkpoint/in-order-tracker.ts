/**
 * Objects finish in any order, but the cursor must never pass an unfinished one, or a crash would skip it.
 * Items are added in order and finished in any order; only the contiguous finished ones at the front are
 * returned.
 */
export class InOrderTracker<Item, Result> {
  #items: { item: Item; result: Result | null }[] = [];
  unfinished = 0;
  #first = 0; // positions before this one have been taken

  add(item: Item): number {
    this.unfinished++;
    this.#items.push({ item, result: null });
    return this.#first + this.#items.length - 1;
  }

  /** Returns the item at this position. */
  finish(position: number, result: Result): Item {
    const entry = this.#items[position - this.#first];
    if (!entry) throw new RangeError(`position ${position} was taken already`);
    entry.result = result;
    this.unfinished--;
    return entry.item;
  }

  /** Removes and returns the contiguous finished items at the front. */
  takeFinished(): { item: Item; result: Result }[] {
    let end = 0;
    while (end < this.#items.length && this.#items[end]!.result !== null) end++;
    this.#first += end;
    return this.#items.splice(0, end) as { item: Item; result: Result }[];
  }
}
