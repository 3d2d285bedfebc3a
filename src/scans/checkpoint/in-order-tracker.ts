/**
 * Objects are finished in any order, the cursor may only stand behind a finished stretch without holes. A prefix
 * takes things in order, lets them be closed in any order, and gives back the finished ones from the front.
 */
export class InOrderTracker<Item, Result> {
  #items: { item: Item; result: Result | null }[] = [];
  unfinished = 0;
  #first = 0; // places before this one have been taken

  add(item: Item): number {
    this.unfinished++;
    this.#items.push({ item, result: null });
    return this.#first + this.#items.length - 1;
  }

  /** Gives back what stands there. */
  finish(place: number, result: Result): Item {
    const entry = this.#items[place - this.#first];
    if (!entry) throw new RangeError(`place ${place} was taken already`);
    entry.result = result;
    this.unfinished--;
    return entry.item;
  }

  /** The finished ones before the first that is not, in order; they are gone from here. */
  takeFinished(): { item: Item; result: Result }[] {
    let end = 0;
    while (end < this.#items.length && this.#items[end]!.result !== null) end++;
    this.#first += end;
    return this.#items.splice(0, end) as { item: Item; result: Result }[];
  }
}
