import {
  addTo,
  type Code,
  i8x16,
  i32,
  ifElse,
  type Local,
  v128,
  whileTrue,
} from '../../../../../base/wasm/assembler.ts';

/** Copies move sixteen bytes at a time, so they may read and write up to this many bytes past their end. */
export const MARGIN = 16;

/** From `from` to `to`, both of which may move on, until `end`. Most copies are short: the first step is taken without a question. */
export function copyUntil(from: Local, to: Local, end: Code): Code {
  const further = whileTrue(i32.ltU(to.get, end), [
    v128.store(0, to.get, v128.load(0, from.get)),
    addTo(from, i32.const(16)),
    addTo(to, i32.const(16)),
  ]);
  return [
    ...v128.store(0, to.get, v128.load(0, from.get)),
    ...ifElse(i32.ltU(i32.add(to.get, i32.const(16)), end), [
      addTo(from, i32.const(16)),
      addTo(to, i32.const(16)),
      further,
    ]),
  ];
}

/** A bit for each byte of a vector that is less than `least`, a vector of one byte. */
export function bytesBelow(vector: Code, min: Code): Code {
  const half = i8x16.splat(0x80); // comparisons know only signed bytes
  return i8x16.bitmask(i8x16.gtS(i8x16.add(min, half), i8x16.add(vector, half)));
}
