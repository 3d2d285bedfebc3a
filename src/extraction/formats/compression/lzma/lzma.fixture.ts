/** Writes LZMA: not well, but with every kind of symbol. */
export interface LzmaProperties {
  readonly lc: number;
  readonly lp: number;
  readonly pb: number;
}

export const USUAL: LzmaProperties = { lc: 3, lp: 0, pb: 2 };

export const propertiesByte = ({ lc, lp, pb }: LzmaProperties): number => lc + 9 * (lp + 5 * pb);

/** The bare stream, as in 7z and zip. */
export function encodeLzma(bytes: Uint8Array, properties = USUAL, marker = true): Buffer {
  const encoder = new LzmaEncoder(properties);
  encoder.encode(bytes);
  if (marker) encoder.mark();
  return encoder.end();
}

/** A literal, or distance and length. */
export type LzmaSymbol = number | readonly [distance: number, length: number];

/** Stored chunks with `before`, then a compressed one with exactly these symbols. Returns also the expected output. */
export function encodeSymbols(
  before: Uint8Array,
  symbols: readonly LzmaSymbol[],
): [packed: Buffer, out: Buffer] {
  const stored = Array.from({ length: Math.ceil(before.length / 65_536) }, (_, i) => {
    const part = before.subarray(i * 65_536, (i + 1) * 65_536);
    const size = part.length - 1;
    return Buffer.concat([Buffer.from([i === 0 ? 1 : 2, size >> 8, size]), part]);
  });
  const encoder = new LzmaEncoder(USUAL, before.length);
  const out = [...before];
  for (const symbol of symbols) encoder.symbol(symbol, out);
  const compressed = encoder.end();
  const [size, length] = [out.length - before.length - 1, compressed.length - 1];
  const head = [0xc0 | (size >> 16), size >> 8, size, length >> 8, length, propertiesByte(USUAL)];
  return [Buffer.concat([...stored, Buffer.from(head), compressed, Buffer.alloc(1)]), Buffer.from(out)];
}

/** Chunks of at most `most` bytes, some of them stored. */
export function encodeLzma2(bytes: Uint8Array, properties = USUAL, max = 60_000): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += max) {
    const part = bytes.subarray(at, at + max);
    const compressed = encodeLzma(part, properties, false);
    const stored = part.length <= 65_536 && (compressed.length > 65_536 || chunks.length % 3 === 2);
    const [size, length] = [part.length - 1, compressed.length - 1];
    const head = [0xe0 | (size >> 16), size >> 8, size, length >> 8, length, propertiesByte(properties)];
    chunks.push(stored ? Buffer.from([1, size >> 8, size, ...part]) : Buffer.from([...head, ...compressed]));
  }
  return Buffer.concat([...chunks, Buffer.alloc(1)]);
}

/** The file format before xz. */
export function encodeAlone(
  bytes: Uint8Array,
  size: 'known' | 'unknown',
  marker = size === 'unknown',
): Buffer {
  const head = Buffer.alloc(13, 0xff);
  head.writeUInt8(propertiesByte(USUAL), 0);
  head.writeUInt32LE(1 << 20, 1);
  if (size === 'known') head.writeBigUInt64LE(BigInt(bytes.length), 5);
  return Buffer.concat([head, encodeLzma(bytes, USUAL, marker)]);
}

class RangeEncoder {
  readonly #out: number[] = [];
  readonly #probs = new Map<string, number>();
  #low = 0;
  #range = 0xffffffff;
  #held = 1; // the first byte is always a zero
  #first = 0;

  bit(name: string, bit: number): void {
    const p = this.#probs.get(name) ?? 1024;
    const bound = (this.#range >>> 11) * p;
    if (bit === 0) this.#range = bound;
    else {
      this.#low += bound;
      this.#range -= bound;
    }
    this.#probs.set(name, bit === 0 ? p + ((2048 - p) >> 5) : p - (p >> 5));
    this.#normalize();
  }

  tree(name: string, bits: number, value: number): void {
    let symbol = 1;
    for (let i = bits - 1; i >= 0; i--) {
      const bit = (value >>> i) & 1;
      this.bit(`${name}.${symbol}`, bit);
      symbol = 2 * symbol + bit;
    }
  }

  reverseTree(name: string, bits: number, value: number): void {
    let symbol = 1;
    for (let i = 0; i < bits; i++) {
      const bit = (value >>> i) & 1;
      this.bit(`${name}.${symbol}`, bit);
      symbol = 2 * symbol + bit;
    }
  }

  direct(bits: number, value: number): void {
    for (let i = bits - 1; i >= 0; i--) {
      this.#range >>>= 1;
      if ((value >>> i) & 1) this.#low += this.#range;
      this.#normalize();
    }
  }

  end(): Buffer {
    for (let i = 0; i < 5; i++) this.#shift();
    return Buffer.from(this.#out);
  }

  #normalize(): void {
    if (this.#range >= 2 ** 24) return;
    this.#range = (this.#range << 8) >>> 0;
    this.#shift();
  }

  /** A carry may still go through the bytes that are held. */
  #shift(): void {
    if (this.#low < 0xff000000 || this.#low >= 2 ** 32) {
      const carry = this.#low >= 2 ** 32 ? 1 : 0;
      for (; this.#held > 0; this.#held--) {
        this.#out.push((this.#first + carry) & 0xff);
        this.#first = 0xff;
      }
      this.#first = (this.#low >>> 24) & 0xff;
    }
    this.#held++;
    this.#low = (this.#low % 2 ** 24) * 256;
  }
}

class LzmaEncoder {
  readonly #range = new RangeEncoder();
  readonly #properties: LzmaProperties;
  #state = 0;
  #distances = [1, 1, 1, 1];
  #at: number;

  constructor(properties: LzmaProperties, at = 0) {
    this.#properties = properties;
    this.#at = at;
  }

  /** Appends its output. */
  symbol(symbol: LzmaSymbol, bytes: number[]): void {
    if (typeof symbol === 'number') {
      bytes.push(symbol);
      return this.#literal(bytes);
    }
    const [distance, length] = symbol;
    for (let i = 0; i < length; i++) bytes.push(bytes.at(-distance) ?? 0);
    const which = this.#distances.indexOf(distance);
    this.#match(length === 1 ? 0 : which < 0 ? 4 : which, distance, length);
  }

  encode(bytes: Uint8Array): void {
    const seen = new Map<string, number>();
    while (this.#at < bytes.length) {
      const at = this.#at;
      const key = bytes.subarray(at, at + 3).join();
      const candidates = [...this.#distances, at - (seen.get(key) ?? at)];
      seen.set(key, at);
      const lengths = candidates.map((distance) => sameLength(bytes, at, distance));
      const best = lengths.indexOf(Math.max(...lengths));
      if (lengths[best]! >= 2) this.#match(best, candidates[best]!, lengths[best]!);
      else if (lengths[0] === 1) this.#match(0, this.#distances[0]!, 1);
      else this.#literal(bytes);
    }
  }

  mark(): void {
    this.#match(4, 2 ** 32, 2);
  }

  end(): Buffer {
    return this.#range.end();
  }

  #literal(bytes: ArrayLike<number>): void {
    const { lc, lp } = this.#properties;
    const at = this.#at++;
    this.#range.bit(`match.${this.#state}.${this.#position(at)}`, 0);
    const context = ((at & ((1 << lp) - 1)) << lc) + ((at > 0 ? bytes[at - 1]! : 0) >> (8 - lc));
    const expected = this.#state >= 7 ? bytes[at - this.#distances[0]!]! : null;
    let symbol = 1;
    let same = expected !== null;
    for (let i = 7; i >= 0; i--) {
      const bit = (bytes[at]! >> i) & 1;
      const hoped = ((expected ?? 0) >> i) & 1;
      this.#range.bit(`literal.${context}.${same ? hoped : ''}.${symbol}`, bit);
      same &&= bit === hoped;
      symbol = 2 * symbol + bit;
    }
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  /** `which`: 0 to 3 one of the last distances, 4 a new one. */
  #match(which: number, distance: number, length: number): void {
    const state = this.#state;
    const position = this.#position(this.#at);
    this.#range.bit(`match.${state}.${position}`, 1);
    this.#range.bit(`repeated.${state}`, which === 4 ? 0 : 1);
    if (which < 4) {
      this.#range.bit(`second.${state}`, Math.min(which, 1));
      if (which === 0) this.#range.bit(`long.${state}.${position}`, length === 1 ? 0 : 1);
      else this.#range.bit(`third.${state}`, Math.min(which - 1, 1));
      if (which > 1) this.#range.bit(`fourth.${state}`, which - 2);
    }
    if (length > 1) this.#length(which === 4 ? 'new' : 'old', position, length - 2);
    if (which === 4) this.#distance(Math.min(length - 2, 3), distance - 1);
    this.#distances = [distance, ...this.#distances.filter((_, i) => i !== Math.min(which, 3))];
    const after = state < 7 ? 0 : 1;
    this.#state = [
      [9, 11],
      [8, 11],
      [7, 10],
    ][which === 4 ? 2 : length === 1 ? 0 : 1]![after]!;
    this.#at += length;
  }

  #length(kind: string, position: number, length: number): void {
    this.#range.bit(`${kind}.low`, length < 8 ? 0 : 1);
    if (length < 8) return this.#range.tree(`${kind}.low.${position}`, 3, length);
    this.#range.bit(`${kind}.middle`, length < 16 ? 0 : 1);
    if (length < 16) return this.#range.tree(`${kind}.middle.${position}`, 3, length - 8);
    this.#range.tree(`${kind}.high`, 8, length - 16);
  }

  #distance(length: number, distance: number): void {
    const top = 31 - Math.clz32(distance);
    const slot = distance < 4 ? distance : 2 * top + ((distance >>> (top - 1)) & 1);
    this.#range.tree(`slot.${length}`, 6, slot);
    if (slot < 4) return;
    const bits = (slot >> 1) - 1;
    if (slot < 14) return this.#range.reverseTree(`near.${slot}`, bits, distance & ((1 << bits) - 1));
    this.#range.direct(bits - 4, (distance & ((1 << bits) - 1)) >>> 4);
    this.#range.reverseTree('align', 4, distance & 15);
  }

  #position(at: number): number {
    return at & ((1 << this.#properties.pb) - 1);
  }
}

function sameLength(bytes: Uint8Array, at: number, distance: number): number {
  if (distance < 1 || distance > at) return 0;
  let length = 0;
  while (length < 273 && at + length < bytes.length && bytes[at + length] === bytes[at + length - distance])
    length++;
  return length;
}
