/** What happens when, in virtual time: the earliest first, and of those at the same time the one that was entered first. */
interface Entry {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

export class EventQueue {
  readonly #heap: Entry[] = [];
  #order = 0;
  now = 0;

  after(seconds: number, act: () => void): void {
    const heap = this.#heap;
    heap.push({ at: this.now + seconds, order: this.#order++, act });
    let child = heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!isBefore(heap[child]!, heap[parent]!)) break;
      [heap[child], heap[parent]] = [heap[parent]!, heap[child]!];
      child = parent;
    }
  }

  /** Takes the next act; false when there is none left. */
  step(): boolean {
    const next = this.#pop();
    if (next === undefined) return false;
    this.now = next.at;
    next.act();
    return true;
  }

  #pop(): Entry | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let parent = 0; ; ) {
      let child = 2 * parent + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (child >= heap.length || !isBefore(heap[child]!, heap[parent]!)) return first;
      [heap[child], heap[parent]] = [heap[parent]!, heap[child]!];
      parent = child;
    }
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
