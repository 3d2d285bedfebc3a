import { describe, expect, it } from 'vitest';
import {
  addTo,
  block,
  brIf,
  type Code,
  encodeModule,
  i8x16,
  i16x8,
  i32,
  i32x4,
  i64,
  ifElse,
  Locals,
  loop,
  v128,
  whileTrue,
} from './assembler.ts';
import { compile, instantiate } from './instance.ts';

function run(locals: Locals, body: readonly Code[], ...values: number[]): number {
  const module = compile(encodeModule([{ name: 'run', locals, body }]))!;
  return instantiate<{ run(...values: number[]): number }>(module, 1).functions.run(...values);
}

const bytesOf = (numbers: Uint16Array | Uint32Array) => v128.const(new Uint8Array(numbers.buffer));
const shorts = (...values: number[]): Code => bytesOf(Uint16Array.from(values));
const longs = (...values: number[]): Code => bytesOf(Uint32Array.from(values));

/** The memory after a vector was stored at its start. */
function stored(vector: Code): ArrayBuffer {
  const body = [v128.store(0, i32.const(0), vector), i32.const(0)];
  const module = compile(encodeModule([{ name: 'run', locals: new Locals(0), body }]))!;
  const { functions, memory } = instantiate<{ run(): number }>(module, 1);
  functions.run();
  return memory.slice(0, 16);
}

describe('the assembler', () => {
  it.each([0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, -8193, 0x3e0, 2 ** 31 - 1, -(2 ** 31)])(
    'writes the number %i down as it is',
    (value) => {
      expect(run(new Locals(0), [i32.const(value)])).toBe(value);
      expect(run(new Locals(0), [i32.wrap(i64.const(value))])).toBe(value);
    },
  );

  it('loops while a condition holds', () => {
    const locals = new Locals(1);
    const rest = locals.param(0);
    const sum = locals.i32();
    const body = [addTo(sum, rest.get), rest.set(i32.sub(rest.get, i32.const(1)))];
    expect(run(locals, [whileTrue(rest.get, body), sum.get], 100)).toBe(5050);
  });

  it('takes one way or the other', () => {
    const locals = new Locals(1);
    const given = locals.param(0);
    const choice = [
      ifElse(i32.ltS(given.get, i32.const(5)), [given.set(i32.const(1))], [given.set(i32.const(2))]),
      given.get,
    ];
    expect([4, 5].map((value) => run(locals, choice, value))).toEqual([1, 2]);
  });

  it('leaves a loop, or repeats it', () => {
    const locals = new Locals(1);
    const rest = locals.param(0);
    const count = locals.i32();
    const body = [
      block(
        loop(
          brIf(1, i32.gtU(count.tee(i32.add(count.get, i32.const(1))), i32.const(9))),
          brIf(0, rest.tee(i32.shrU(rest.get, i32.const(1)))),
        ),
      ),
      count.get,
    ];
    expect([0, 5, -1].map((value) => run(locals, body, value))).toEqual([1, 3, 10]);
  });

  it('shifts with the sign and compares without it', () => {
    const given = new Locals(1);
    const minus = [-64].map((value) => run(given, [i32.shrS(given.param(0).get, i32.const(3))], value));
    expect(minus).toEqual([-8]);
    const isGreat = [i32.geU(given.param(0).get, i32.const(7))];
    expect([-1, 6, 7].map((value) => run(given, isGreat, value))).toEqual([1, 0, 1]);
    expect(run(given, [i32.xor(given.param(0).get, i32.const(6))], 5)).toBe(3);
  });

  it('stores at a constant offset that needs more than one byte', () => {
    const address = i32.const(8);
    expect(run(new Locals(0), [i32.store(40_000, address, i32.const(7)), i32.load(40_000, address)])).toBe(7);
  });

  it('stores the lowest byte of a number', () => {
    const body = [i32.store8(0, i32.const(1), i32.const(0x1234)), i32.load(0, i32.const(0))];
    expect(run(new Locals(0), body)).toBe(0x3400);
  });
});

describe('vectors', () => {
  it('are narrowed to bytes, the first one first, and what does not fit is cut to what does', () => {
    const first = shorts(0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000);
    const second = shorts(9, 8, 7, 6, 5, 4, 3, 2);
    const narrowed = [0, 1, 0x7f, 0x80, 0xff, 0xff, 0xff, 0, 9, 8, 7, 6, 5, 4, 3, 2];
    expect([...new Uint8Array(stored(i8x16.narrowU(first, second)))]).toEqual(narrowed);
  });

  it('of eight numbers give the lesser of two, without signs', () => {
    const lesser = i16x8.minU(shorts(1, 2, 0x8000, 0xffff, 5, 6, 7, 8), shorts(...Array(8).fill(6)));
    expect([...new Uint16Array(stored(lesser))]).toEqual([1, 2, 6, 6, 5, 6, 6, 6]);
  });

  it('of four numbers are compared and shifted', () => {
    const numbers = longs(1, 0xd800, 3, 0x80000000);
    expect([...new Uint32Array(stored(i32x4.eq(numbers, longs(1, 0xd800, 4, 0))))]).toEqual([
      0xffffffff, 0xffffffff, 0, 0,
    ]);
    expect([...new Uint32Array(stored(i32x4.shl(numbers, i32.const(1))))]).toEqual([2, 0x1b000, 6, 0]);
    expect([...new Uint32Array(stored(i32x4.shrU(numbers, i32.const(1))))]).toEqual([
      0, 0x6c00, 1, 0x40000000,
    ]);
  });
});
