/**
 * Maps offsets of rewritten text to source offsets. An entry says that the text from one offset on equals the source from another offset
 * on, byte for byte up to the next entry. All entries of the latest text are kept: detection queries text that it has just received, and
 * gets the exact answer. For older text the answer is an estimate.
 */
const KEPT_TEXT = 512 * 1024;
const FIRST_ROOM = 8;

export class OffsetMap {
  #text = new Float64Array(FIRST_ROOM);
  #source = new Float64Array(FIRST_ROOM);
  #count = 1; // the first entry is the start of the text
  #requestCount = 0; // the last answer: offsets are queried in ascending order

  /** In order. `text`: the offset in the text, `source`: that in the source, from which on both go together. */
  add(text: number, source: number): void {
    // Replaces the previous entry if no text lies between them.
    if (this.#text[this.#count - 1] === text) this.#count--;
    if (this.#count === this.#text.length) this.#makeRoom(text);
    this.#text[this.#count] = text;
    this.#source[this.#count++] = source;
  }

  at(offset: number): number {
    const cut = this.#cutBefore(offset);
    const source = this.#source[cut]! + offset - this.#text[cut]!;
    return cut + 1 === this.#count ? source : Math.min(source, this.#source[cut + 1]!);
  }

  #cutBefore(offset: number): number {
    const text = this.#text;
    let low = Math.min(this.#requestCount, this.#count - 1);
    let high = this.#count - 1;
    if (text[low]! > offset) {
      high = low;
      low = 0;
    } else if (low === high || text[low + 1]! > offset) return low;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (text[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    this.#requestCount = low;
    return low;
  }

  /** Thins out old entries: keeps the first and every eighth. */
  #makeRoom(text: number): void {
    let kept = 1;
    const recent = this.#cutBefore(Math.max(0, text - KEPT_TEXT));
    for (let n = 1; n < this.#count; n++) {
      if (n < recent && n % 8 !== 0) continue;
      this.#text[kept] = this.#text[n]!;
      this.#source[kept++] = this.#source[n]!;
    }
    this.#count = kept;
    this.#requestCount = 0;
    if (2 * kept < this.#text.length) return;
    this.#text = enlarged(this.#text);
    this.#source = enlarged(this.#source);
  }
}

function enlarged(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
