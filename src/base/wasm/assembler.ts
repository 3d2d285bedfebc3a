/**
 * A minimal WebAssembly assembler for SIMD code: an instruction is a list of bytes, preceded by the instructions of its operands.
 *
 * Format: WebAssembly Core Specification 2.0, section 5 (https://webassembly.github.io/spec/core/binary/). No library: wabt is
 * megabytes of WebAssembly itself, and text would have to be parsed at every start.
 */

export type Code = readonly number[];

const I32 = 0x7f;
const I64 = 0x7e;
const V128 = 0x7b;
const NO_RESULT = 0x40;
const SIMD = 0xfd;

/** Signed LEB128, the encoding of all immediates of constants. */
function sleb128(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const last = rest >> 6n === 0n || rest >> 6n === -1n;
    bytes.push(Number(rest & 0x7fn) | (last ? 0 : 0x80));
    if (last) return bytes;
  }
}

function uleb128(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uleb128(value >>> 7)];
}

/** Several times faster than spreading or `flat()`, which matters for long functions. */
const concatCode = (parts: readonly Code[], ...more: Code[]): Code => EMPTY.concat(...parts, ...more);
const EMPTY: number[] = [];

const op =
  (...code: number[]) =>
  (...operands: Code[]): Code =>
    concatCode(operands, code);
const simd = (code: number) => op(SIMD, ...uleb128(code));
/** A memory instruction without alignment hint; the offset is a constant. */
const memory =
  (...code: number[]) =>
  (offset: number, ...operands: Code[]): Code =>
    concatCode(operands, code, [0, ...uleb128(offset)]);
/** A SIMD instruction with a lane index as its immediate. */
const lane =
  (code: number) =>
  (n: number, ...operands: Code[]): Code =>
    concatCode(operands, [SIMD, ...uleb128(code), n]);

export const i32 = {
  const: (value: number): Code => [0x41, ...sleb128(BigInt(value | 0))],
  load: memory(0x28),
  load8: memory(0x2d),
  load16: memory(0x2f),
  store: memory(0x36),
  store8: memory(0x3a),
  store16: memory(0x3b),
  eqz: op(0x45),
  eq: op(0x46),
  ltS: op(0x48),
  ltU: op(0x49),
  leS: op(0x4c),
  leU: op(0x4d),
  gtS: op(0x4a),
  gtU: op(0x4b),
  geU: op(0x4f),
  popcnt: op(0x69),
  clz: op(0x67),
  ctz: op(0x68),
  add: op(0x6a),
  sub: op(0x6b),
  mul: op(0x6c),
  and: op(0x71),
  or: op(0x72),
  xor: op(0x73),
  shl: op(0x74),
  shrS: op(0x75),
  shrU: op(0x76),
  wrap: op(0xa7),
};

export const i64 = {
  const: (value: number | bigint): Code => [0x42, ...sleb128(BigInt.asIntN(64, BigInt(value)))],
  load: memory(0x29),
  store: memory(0x37),
  eqz: op(0x50),
  ne: op(0x52),
  clz: op(0x79),
  ctz: op(0x7a),
  sub: op(0x7d),
  mul: op(0x7e),
  and: op(0x83),
  or: op(0x84),
  xor: op(0x85),
  shl: op(0x86),
  shrU: op(0x88),
  extend: op(0xad),
};

export const i8x16 = {
  splat: (byte: number): Code => [...i32.const(byte), SIMD, 0x0f],
  splatOf: simd(0x0f),
  eq: simd(0x23),
  gtS: simd(0x27),
  bitmask: simd(0x64),
  /** Narrows the eight 16-bit numbers of both vectors to 8 bits, with saturation. */
  narrowU: simd(0x66),
  add: simd(0x6e),
  swizzle: simd(0x0e),
  /** The same for indexes below 16, and cheaper. Not supported by every engine. */
  relaxedSwizzle: simd(0x100),
  /** The last `count` bytes of the first vector followed by the start of the second. */
  alignr: (count: number, first: Code, second: Code): Code => [
    ...first,
    ...second,
    ...[SIMD, 0x0d],
    ...Array.from({ length: 16 }, (_, n) => 16 - count + n),
  ],
};

export const i16x8 = { shrU: simd(0x8d), minU: simd(0x97) };

export const i32x4 = {
  splat: simd(0x11),
  eq: simd(0x37),
  gtS: simd(0x3b),
  bitmask: simd(0xa4),
  shl: simd(0xab),
  shrU: simd(0xad),
};

export const i64x2 = { shrU: simd(0xcd), extract: lane(0x1d) };

export const v128 = {
  load: memory(SIMD, 0x00),
  store: memory(SIMD, 0x0b),
  const: (bytes: ArrayLike<number>): Code => [SIMD, 0x0c, ...Array.from(bytes)],
  load64Zero: memory(SIMD, 0x5d),
  /** Loads into the upper half of a vector. */
  load64High: (offset: number, address: Code, vector: Code): Code => [
    ...address,
    ...vector,
    ...[SIMD, 0x57, 0],
    ...uleb128(offset),
    1,
  ],
  not: simd(0x4d),
  and: simd(0x4e),
  andNot: simd(0x4f),
  or: simd(0x50),
  anyTrue: simd(0x53),
};

/** The first if the condition holds, otherwise the second. */
export const select = op(0x1b);

export function ifElse(condition: Code, then: readonly Code[], otherwise: readonly Code[] = []): Code {
  const rest = otherwise.length === 0 ? [] : [[0x05], ...otherwise];
  return concatCode([condition, [0x04, NO_RESULT], ...then, ...rest, [0x0b]]);
}

export function whileTrue(condition: Code, body: readonly Code[]): Code {
  return loop(ifElse(condition, [...body, br(1)]));
}

/**
 * Branch targets are the end of a block or the start of a loop, given by the number of enclosing blocks in
 * between.
 */
export const block = (...body: Code[]): Code => concatCode([[0x02, NO_RESULT]], ...body, [0x0b]);
export const loop = (...body: Code[]): Code => concatCode([[0x03, NO_RESULT]], ...body, [0x0b]);
export const br = (outward: number): Code => [0x0c, outward];
export const brIf = (outward: number, condition: Code): Code => [...condition, 0x0d, outward];

export function ret(value: Code): Code {
  return [...value, 0x0f];
}

/**
 * A local variable: `get` reads it, `set` writes it, and `tee` writes it and leaves the new value on the
 * stack.
 */
export interface Local {
  readonly get: Code;
  set(value: Code): Code;
  tee(value: Code): Code;
}

/** For 32-bit variables. */
export function addTo(variable: Local, by: Code): Code {
  return variable.set(i32.add(variable.get, by));
}

/** Parameters (all i32) come first, then the variables in order of allocation. */
export class Locals {
  readonly types: number[] = [];
  readonly params: number;

  constructor(params: number) {
    this.params = params;
    for (let n = 0; n < params; n++) this.types.push(I32);
  }

  param(index: number): Local {
    const encodedIndex = uleb128(index);
    return {
      get: [0x20, ...encodedIndex],
      set: (value) => value.concat(0x21, encodedIndex),
      tee: (value) => value.concat(0x22, encodedIndex),
    };
  }

  i32 = (): Local => this.#add(I32);
  i64 = (): Local => this.#add(I64);
  v128 = (): Local => this.#add(V128);

  #add(type: number): Local {
    return this.param(this.types.push(type) - 1);
  }
}

/** A function whose parameters and result are i32. */
export interface WasmFunction {
  readonly name: string;
  readonly locals: Locals;
  readonly body: readonly Code[];
}

/** Functions are referenced by their index in the module. */
export function call(index: number, ...operands: Code[]): Code {
  return concatCode(operands, [0x10, ...uleb128(index)]);
}

/** Encodes a module that imports its memory and exports all its functions. */
export function encodeModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...encodeSection(
      1,
      functions.map(({ locals }) => [0x60, locals.params, ...locals.types.slice(0, locals.params), 1, I32]),
    ),
    ...encodeSection(2, [[...encodeName('env'), ...encodeName('memory'), 0x02, 0x00, 1]]),
    ...encodeSection(
      3,
      functions.map((_, n) => uleb128(n)),
    ),
    ...encodeSection(
      7,
      functions.map((f, n) => [...encodeName(f.name), 0x00, ...uleb128(n)]),
    ),
    ...encodeSection(10, functions.map(encodeBody)),
  ]);
}

function encodeBody({ locals, body }: WasmFunction): Code {
  const variables = locals.types.slice(locals.params).map((type) => [1, type]);
  const code = concatCode([uleb128(variables.length), ...variables, ...body, [0x0b]]);
  return concatCode([uleb128(code.length), code]);
}

function encodeSection(id: number, entries: readonly Code[]): Code {
  const content = concatCode([uleb128(entries.length), ...entries]);
  return concatCode([[id], uleb128(content.length), content]);
}

function encodeName(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}
