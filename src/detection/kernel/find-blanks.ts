import {
  type Code,
  i8x16,
  i32,
  ifElse,
  Locals,
  ret,
  v128,
  type WasmFunction,
  whileTrue,
} from '../../base/wasm/assembler.ts';

const VECTOR = 16;
/** The first two bytes in UTF-8 of U+00A0, and of U+2000 to U+203F. */
export const WIDE_BLANKS: readonly (readonly [number, number])[] = [
  [0xc2, 0xa0],
  [0xe2, 0x80],
];

/** blanks(from, to): the position of the next possible wide blank, by its first two bytes; `to` or more if there is none. */
export function findBlanks(): WasmFunction {
  const locals = new Locals(2);
  const [from, to] = [locals.param(0), locals.param(1)];
  const [first, second] = [locals.v128(), locals.v128()];
  const bits = locals.i32();
  const [one, other] = WIDE_BLANKS.map(([lead, next]) =>
    v128.and(i8x16.eq(first.get, i8x16.splat(lead)), i8x16.eq(second.get, i8x16.splat(next))),
  );
  const body: Code[] = [
    whileTrue(i32.ltS(from.get, to.get), [
      first.set(v128.load(0, from.get)),
      second.set(v128.load(1, from.get)),
      bits.set(i8x16.bitmask(v128.or(one!, other!))),
      ifElse(bits.get, [ret(i32.add(from.get, i32.ctz(bits.get)))]),
      from.set(i32.add(from.get, i32.const(VECTOR))),
    ]),
    to.get,
  ];
  return { name: 'blanks', locals, body };
}
