import { describe, expect, it } from 'vitest';
import { type Code, i32, i64, Locals, moduleOf, when, whileTrue } from './assembler.ts';

declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number }) => object;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { readonly exports: { run(...values: number[]): number } };
};

function run(locals: Locals, body: readonly Code[], ...values: number[]): number {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(moduleOf([{ name: 'run', locals, body }]));
  return new WebAssembly.Instance(module, { env: { memory } }).exports.run(...values);
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
    const body = [sum.set(i32.add(sum.get, rest.get)), rest.set(i32.sub(rest.get, i32.const(1)))];
    expect(run(locals, [whileTrue(rest.get, body), sum.get], 100)).toBe(5050);
  });

  it('takes one way or the other', () => {
    const locals = new Locals(1);
    const given = locals.param(0);
    const choice = [
      when(i32.ltS(given.get, i32.const(5)), [given.set(i32.const(1))], [given.set(i32.const(2))]),
      given.get,
    ];
    expect([4, 5].map((value) => run(locals, choice, value))).toEqual([1, 2]);
  });

  it('stores at a constant offset that needs more than one byte', () => {
    const address = i32.const(8);
    expect(run(new Locals(0), [i32.store(40_000, address, i32.const(7)), i32.load(40_000, address)])).toBe(7);
  });
});
