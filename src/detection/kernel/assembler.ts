/**
 * Just enough of a WebAssembly assembler to write one function down: an instruction is a list of bytes, and its
 * operands are instructions that stand before it. https://webassembly.github.io/spec/core/binary/
 */
export type Code = readonly number[];

const I32 = 0x7f;
const I64 = 0x7e;
const V128 = 0x7b;
const NO_RESULT = 0x40;
const SIMD = 0xfd;

/** Signed LEB128, as all immediates of constants are written. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const last = rest >> 6 === 0 || rest >> 6 === -1;
    bytes.push((rest & 0x7f) | (last ? 0 : 0x80));
    if (last) return bytes;
  }
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

const op =
  (...code: number[]) =>
  (...operands: Code[]): Code => [...operands.flat(), ...code];
/** A memory instruction: no alignment is promised, the offset is a constant. */
const memory =
  (...code: number[]) =>
  (offset: number, ...operands: Code[]): Code => [...operands.flat(), ...code, 0, ...unsigned(offset)];

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  load: memory(0x28),
  load8: memory(0x2d),
  load16: memory(0x2f),
  store: memory(0x36),
  eqz: op(0x45),
  ltS: op(0x48),
  geS: op(0x4e),
  add: op(0x6a),
  sub: op(0x6b),
  and: op(0x71),
  or: op(0x72),
  shl: op(0x74),
  shrU: op(0x76),
  wrap: op(0xa7),
};

export const i64 = {
  const: (value: number): Code => [0x42, ...signed(value)],
  eqz: op(0x50),
  ne: op(0x52),
  clz: op(0x79),
  ctz: op(0x7a),
  popcnt: op(0x7b),
  sub: op(0x7d),
  and: op(0x83),
  or: op(0x84),
  xor: op(0x85),
  shl: op(0x86),
  shrU: op(0x88),
  extend: op(0xad),
};

export const i8x16 = {
  load: memory(SIMD, 0x00),
  splat: (byte: number): Code => [...i32.const(byte), SIMD, 0x0f],
  eq: op(SIMD, 0x23),
  ltU: op(SIMD, 0x26),
  or: op(SIMD, 0x50),
  bitmask: op(SIMD, 0x64),
  sub: op(SIMD, 0x71),
};

/** The first if the condition holds, else the second. */
export const select = op(0x1b);

export function when(condition: Code, then: readonly Code[], otherwise: readonly Code[] = []): Code {
  const rest = otherwise.length === 0 ? [] : [0x05, ...otherwise.flat()];
  return [...condition, 0x04, NO_RESULT, ...then.flat(), ...rest, 0x0b];
}

export function whileTrue(condition: Code, body: readonly Code[]): Code {
  return [0x03, NO_RESULT, ...when(condition, [...body, [0x0c, 1]]), 0x0b];
}

/** A local variable: read it by calling `get`, write it with `set`. */
export interface Local {
  readonly get: Code;
  set(value: Code): Code;
}

/** Parameters (all i32) come first, then the variables in the order in which they are asked for. */
export class Locals {
  readonly types: number[] = [];
  readonly params: number;

  constructor(params: number) {
    this.params = params;
    for (let n = 0; n < params; n++) this.types.push(I32);
  }

  param(index: number): Local {
    return { get: [0x20, index], set: (value) => [...value, 0x21, index] };
  }

  i32 = (): Local => this.#add(I32);
  i64 = (): Local => this.#add(I64);
  v128 = (): Local => this.#add(V128);

  #add(type: number): Local {
    return this.param(this.types.push(type) - 1);
  }
}

/** A module that imports its memory and exports one function `run` that gives an i32. */
export function moduleOf(locals: Locals, body: readonly Code[]): Uint8Array<ArrayBuffer> {
  const variables = locals.types.slice(locals.params).map((type) => [1, type]);
  const code = [...unsigned(variables.length), ...variables.flat(), ...body.flat(), 0x0b];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, locals.params, ...locals.types.slice(0, locals.params), 1, I32]]),
    ...section(2, [[...name('env'), ...name('memory'), 0x02, 0x00, 1]]),
    ...section(3, [[0]]),
    ...section(7, [[...name('run'), 0x00, 0]]),
    ...section(10, [[...unsigned(code.length), ...code]]),
  ]);
}

function section(id: number, entries: readonly Code[]): number[] {
  const content = [entries.length, ...entries.flat()];
  return [id, ...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}
