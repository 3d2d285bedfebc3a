import {
  type Code,
  i8x16,
  i32,
  ifElse,
  Locals,
  v128,
  type WasmFunction,
  whileTrue,
} from '../../base/wasm/assembler.ts';
import type { Layout } from './layout.ts';

const VECTOR = 16;
const NEWLINE = 10;

/** lines(from, to): the number of line ends; stores the position of the last one in `layout.lineEnd`. */
export function countLines(layout: Layout): WasmFunction {
  const locals = new Locals(2);
  const [from, to] = [locals.param(0), locals.param(1)];
  const [bits, count, rest] = [locals.i32(), locals.i32(), locals.i32()];
  const body: Code[] = [
    whileTrue(i32.ltS(from.get, to.get), [
      bits.set(i8x16.bitmask(i8x16.eq(v128.load(0, from.get), i8x16.splat(NEWLINE)))),
      rest.set(i32.sub(to.get, from.get)),
      ifElse(i32.ltS(rest.get, i32.const(VECTOR)), [
        bits.set(i32.and(bits.get, i32.sub(i32.shl(i32.const(1), rest.get), i32.const(1)))),
      ]),
      ifElse(bits.get, [
        count.set(i32.add(count.get, i32.popcnt(bits.get))),
        i32.store(layout.lineEnd, i32.const(0), i32.add(from.get, i32.sub(i32.const(31), i32.clz(bits.get)))),
      ]),
      from.set(i32.add(from.get, i32.const(VECTOR))),
    ]),
    count.get,
  ];
  return { name: 'lines', locals, body };
}
