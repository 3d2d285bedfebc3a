/**
 * Where a text came from that was copied with places left out or replaced. A cut says that the text from one offset on
 * stands in the source from another offset on, byte for byte up to the next cut. Those of the latest text are all kept: detection asks
 * about text it has just been given, and gets the exact answer. About older text it gets an estimate.
 */
const KEPT_TEXT = 512 * 1024;
const FIRST_ROOM = 8;

export class OffsetMap {
  #text = new Float64Array(FIRST_ROOM);
  #source = new Float64Array(FIRST_ROOM);
  #count = 1; // the first says where the text begins
  #asked = 0; // the last answer: offsets are asked in order

  /** In order. `text`: the offset in the text, `source`: that in the source, from which on both go together. */
  add(text: number, source: number): void {
    // A cut where the last one was takes its place: nothing stands between them.
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
    let low = Math.min(this.#asked, this.#count - 1);
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
    this.#asked = low;
    return low;
  }

  /** Of the old cuts only the first remains and every eighth behind it, each time anew. */
  #makeRoom(text: number): void {
    let kept = 1;
    const recent = this.#cutBefore(Math.max(0, text - KEPT_TEXT));
    for (let n = 1; n < this.#count; n++) {
      if (n < recent && n % 8 !== 0) continue;
      this.#text[kept] = this.#text[n]!;
      this.#source[kept++] = this.#source[n]!;
    }
    this.#count = kept;
    this.#asked = 0;
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
