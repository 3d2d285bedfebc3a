/** Writes Deflate64: not well, but with every kind of block, code and match. */
export type Deflate64Symbol = number | readonly [distance: number, length: number];

export type Deflate64Block =
  | { readonly stored: Uint8Array }
  | { readonly fixed: readonly Deflate64Symbol[] }
  /** `skew`: this many symbols have short codes, all others long ones. */
  | { readonly dynamic: readonly Deflate64Symbol[]; readonly skew?: number };

export function encodeDeflate64(blocks: readonly Deflate64Block[]): Buffer {
  const bits = new BitWriter();
  for (const [i, block] of blocks.entries()) {
    bits.write(i === blocks.length - 1 ? 1 : 0, 1);
    if ('stored' in block) writeStored(bits, block.stored);
    else if ('fixed' in block) writeFixed(bits, block.fixed);
    else writeDynamic(bits, block.dynamic, block.skew ?? 0);
  }
  return bits.end();
}

/** Literals, and matches with the last position of the same three bytes. */
export function symbolsOf(data: Uint8Array): Deflate64Symbol[] {
  const symbols: Deflate64Symbol[] = [];
  const seen = new Map<number, number>();
  for (let at = 0; at < data.length; ) {
    const key = data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16);
    const before = at + 2 < data.length ? seen.get(key) : undefined;
    seen.set(key, at);
    let length = 0;
    if (before !== undefined && at - before <= 65_536)
      while (length < 65_538 && at + length < data.length && data[before + length] === data[at + length])
        length++;
    symbols.push(length >= 3 ? [at - before!, length] : data[at]!);
    at += Math.max(1, length);
  }
  return symbols;
}

/** Their output. */
export function expand(symbols: readonly Deflate64Symbol[]): Buffer {
  const out: number[] = [];
  for (const symbol of symbols) {
    if (typeof symbol === 'number') out.push(symbol);
    else for (let i = 0; i < symbol[1]; i++) out.push(out[out.length - symbol[0]]!);
  }
  return Buffer.from(out);
}

export class BitWriter {
  readonly #bytes: number[] = [];
  #bits = 0;

  /** The lowest first. */
  write(value: number, count: number): void {
    for (let i = 0; i < count; i++, this.#bits++) {
      if (this.#bits % 8 === 0) this.#bytes.push(0);
      this.#bytes[this.#bytes.length - 1]! |= ((value >>> i) & 1) << (this.#bits % 8);
    }
  }

  /** The highest first. */
  code([value, count]: Code): void {
    for (let i = count - 1; i >= 0; i--) this.write((value >>> i) & 1, 1);
  }

  align(): void {
    this.#bits = 8 * this.#bytes.length;
  }

  end(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

type Code = readonly [value: number, count: number];

function writeStored(bits: BitWriter, data: Uint8Array): void {
  bits.write(0, 2);
  bits.align();
  bits.write(data.length, 16);
  bits.write(~data.length, 16);
  for (const byte of data) bits.write(byte, 8);
}

function writeFixed(bits: BitWriter, symbols: readonly Deflate64Symbol[]): void {
  bits.write(1, 2);
  const lengths = Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
  const distances = Array.from({ length: 32 }, () => 5);
  writeSymbols(bits, symbols, codesOf(lengths), codesOf(distances));
}

function writeDynamic(bits: BitWriter, symbols: readonly Deflate64Symbol[], skew: number): void {
  bits.write(2, 2);
  const pairs = symbols.filter((symbol) => typeof symbol !== 'number');
  const used = symbols.map((symbol) => (typeof symbol === 'number' ? symbol : lengthSymbol(symbol[1])[0]));
  const lengths = lengthsFor([...used, 256], 286, skew);
  const distances = lengthsFor(
    pairs.map(([distance]) => distanceSymbol(distance)[0]),
    32,
    skew,
  );
  bits.write(286 - 257, 5);
  bits.write(32 - 1, 5);
  writeLengths(bits, [...lengths, ...distances]);
  writeSymbols(bits, symbols, codesOf(lengths), codesOf(distances));
}

/** Thirteen codes of four bits and six of five: no bit is left over. */
function writeLengths(bits: BitWriter, lengths: readonly number[]): void {
  const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  const own = Array.from({ length: 19 }, (_, i) => (i < 13 ? 4 : 5));
  bits.write(19 - 4, 4);
  for (const symbol of order) bits.write(own[symbol]!, 3);
  const codes = codesOf(own);
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at]!;
    if (length !== 0) bits.code(codes[length]!);
    if (length !== 0) at++;
    const run = runOf(lengths, at, length);
    const [symbol, min, more, max] = RUNS[length !== 0 ? 0 : run > 10 ? 2 : 1]!;
    const times = Math.min(run, max!);
    if (times >= min!) {
      bits.code(codes[symbol!]!);
      bits.write(times - min!, more!);
      at += times;
    } else if (length === 0) {
      bits.code(codes[0]!);
      at++;
    }
  }
}

/** The length before again, zeros, many zeros. */
const RUNS = [
  [16, 3, 2, 6],
  [17, 3, 3, 10],
  [18, 11, 7, 138],
];

function runOf(lengths: readonly number[], at: number, length: number): number {
  let run = 0;
  while (lengths[at + run] === length) run++;
  return run;
}

function writeSymbols(
  bits: BitWriter,
  symbols: readonly Deflate64Symbol[],
  codes: readonly Code[],
  distances: readonly Code[],
): void {
  for (const symbol of symbols) {
    if (typeof symbol === 'number') {
      bits.code(codes[symbol]!);
      continue;
    }
    const [length, lengthRest, lengthBits] = lengthSymbol(symbol[1]);
    bits.code(codes[length]!);
    bits.write(lengthRest, lengthBits);
    const [distance, distanceRest, distanceBits] = distanceSymbol(symbol[0]);
    bits.code(distances[distance]!);
    bits.write(distanceRest, distanceBits);
  }
  bits.code(codes[256]!);
}

type Split = readonly [symbol: number, rest: number, bits: number];

function lengthSymbol(length: number): Split {
  if (length > 257) return [285, length - 3, 16];
  const value = length - 3;
  if (value < 8) return [257 + value, 0, 0];
  const bits = 29 - Math.clz32(value);
  return [257 + 4 * bits + (value >> bits), value & ((1 << bits) - 1), bits];
}

function distanceSymbol(distance: number): Split {
  const value = distance - 1;
  if (value < 4) return [value, 0, 0];
  const bits = 30 - Math.clz32(value);
  return [2 * bits + (value >> bits), value & ((1 << bits) - 1), bits];
}

/** Codes that leave no bits over, for those symbols that are used (two at least). */
function lengthsFor(used: readonly number[], count: number, skew: number): number[] {
  const symbols = [...new Set([...used, 0, 1])].sort((a, b) => b - a);
  const lengths = Array.from({ length: count }, () => 0);
  const short = Math.min(skew, symbols.length - 2);
  for (let i = 0; i < short; i++) lengths[symbols[i]!] = i + 1;
  const rest = symbols.slice(short);
  const bits = Math.floor(Math.log2(rest.length));
  const longer = 2 * (rest.length - (1 << bits));
  for (const [i, symbol] of rest.entries()) lengths[symbol] = short + bits + (i < longer ? 1 : 0);
  return lengths;
}

function codesOf(lengths: readonly number[]): Code[] {
  const codes: Code[] = lengths.map(() => [0, 0]);
  let next = 0;
  for (let length = 1; length <= 15; length++, next <<= 1)
    for (const [symbol, own] of lengths.entries()) if (own === length) codes[symbol] = [next++, length];
  return codes;
}
