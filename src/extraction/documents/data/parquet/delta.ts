import { endOfPage, type PageBytes } from './bits.ts';

/** Integers as differences: in blocks that have a least difference, in parts that have a width. */
export class Deltas {
  readonly #bytes: PageBytes;
  readonly #narrow: boolean;
  readonly #head: Head;
  #left: number;
  #value: number | bigint;
  #first = true;
  #min: number | bigint = 0;
  #widths: Uint8Array = new Uint8Array(0);
  #part: number;
  #width = 0;
  #inPart = 0;

  /** `narrow`: of 32 bits, and overflows as such. */
  constructor(bytes: PageBytes, narrow: boolean) {
    this.#bytes = bytes;
    this.#narrow = narrow;
    this.#head = readHead(bytes);
    this.#left = this.#head.count;
    this.#value = bytes.zigzag();
    this.#part = this.#head.parts;
  }

  next(): number | bigint {
    if (this.#left-- <= 0) throw endOfPage();
    if (this.#first) {
      this.#first = false;
      return this.#value;
    }
    if (this.#inPart === 0) this.#nextPart();
    this.#inPart--;
    this.#add(this.#bytes.wideBits(this.#width));
    return this.#value;
  }

  #nextPart(): void {
    const { parts, partSize } = this.#head;
    this.#bytes.dropBits();
    if (this.#part === parts) {
      this.#min = this.#bytes.zigzag();
      this.#widths = widthsOf(this.#bytes, parts);
      this.#part = 0;
    }
    this.#width = this.#widths[this.#part++]!;
    this.#inPart = partSize;
  }

  #add(delta: number | bigint): void {
    if (typeof delta === 'number' && typeof this.#min === 'number' && typeof this.#value === 'number') {
      const step = this.#min + delta;
      const sum = this.#value + step;
      if (Number.isSafeInteger(sum) && Number.isSafeInteger(step)) {
        this.#value = this.#narrow ? sum | 0 : sum;
        return;
      }
    }
    const sum = BigInt(this.#value) + BigInt(this.#min) + BigInt(delta);
    const wrapped = BigInt.asIntN(this.#narrow ? 32 : 64, sum);
    this.#value = Number.isSafeInteger(Number(wrapped)) ? Number(wrapped) : wrapped;
  }
}

/** Skips such integers without decoding them; what they describe follows. */
export function passDeltas(bytes: PageBytes): void {
  const { parts, partSize, count } = readHead(bytes);
  bytes.zigzag();
  for (let left = count - 1; left > 0; left -= parts * partSize) {
    bytes.zigzag();
    const widths = widthsOf(bytes, parts);
    // The last part is filled up; parts that would be empty are not there.
    for (let i = 0; i < parts && left - i * partSize > 0; i++) bytes.pass((widths[i]! * partSize) / 8);
  }
}

interface Head {
  readonly parts: number;
  readonly partSize: number;
  readonly count: number;
}

function readHead(bytes: PageBytes): Head {
  const blockSize = bytes.varint();
  const parts = bytes.varint();
  const partSize = blockSize / parts;
  if (!Number.isInteger(partSize) || partSize % 8 !== 0 || partSize === 0) throw endOfPage();
  return { parts, partSize, count: bytes.varint() };
}

function widthsOf(bytes: PageBytes, parts: number): Uint8Array {
  const at = bytes.pass(parts);
  const widths = bytes.bytes.subarray(at, at + parts);
  if (widths.some((width) => width > 64)) throw endOfPage();
  return widths;
}
