import {
  addTo,
  type Code,
  i32,
  i64,
  ifElse,
  type Local,
  Locals,
  ret,
  select,
  type WasmFunction,
  whileTrue,
} from '../../../../../base/wasm/assembler.ts';
import { copyUntil } from './copying.ts';

const REFUSED = 0;
const refuse = ret(i32.const(REFUSED));

interface Variables {
  readonly at: Local;
  readonly size: Local;
  readonly out: Local;
  readonly max: Local;
  readonly start: Local;
  readonly tag: Local;
  readonly count: Local;
  readonly back: Local;
  readonly from: Local;
  readonly to: Local;
}

/** `unpackSnappy(at, size, out, most)`: what follows a block's length, from `at` up to `size`; where the output ends, 0: it is none. */
export function unpackSnappy(): WasmFunction {
  const locals = new Locals(4);
  const [at, size, out, max] = [0, 1, 2, 3].map((n) => locals.param(n)) as [Local, Local, Local, Local];
  const [start, tag, count, back, from, to] = Array.from({ length: 6 }, locals.i32) as [
    ...[Local, Local, Local, Local, Local, Local],
  ];
  const all = { at, size, out, max, start, tag, count, back, from, to };
  const body = [
    start.set(out.get),
    whileTrue(i32.ltU(at.get, size.get), [
      tag.set(i32.load8(0, at.get)),
      addTo(at, i32.const(1)),
      count.set(i32.add(i32.shrU(tag.get, i32.const(2)), i32.const(1))),
      ifElse(i32.eqz(i32.and(tag.get, i32.const(3))), literal(all), repeat(all)),
      addTo(out, count.get),
    ]),
    select(out.get, i32.const(REFUSED), i32.eq(at.get, size.get)),
  ];
  return { name: 'unpackSnappy', locals, body };
}

function literal({ at, size, out, max, count, from, to, back }: Variables): Code[] {
  const wide = back; // of a literal's length: it has no other use here
  return [
    ifElse(i32.ltU(i32.const(60), count.get), [
      wide.set(i32.sub(count.get, i32.const(60))),
      ifElse(i32.ltU(i32.sub(size.get, at.get), wide.get), [refuse]),
      count.set(
        i32.and(
          i32.load(0, at.get),
          i32.shrU(i32.const(-1), i32.sub(i32.const(32), i32.shl(wide.get, i32.const(3)))),
        ),
      ),
      addTo(at, wide.get),
      // One less than it is: the largest would be none otherwise.
      ifElse(i32.eqz(i32.ltU(count.get, i32.sub(size.get, at.get))), [refuse]),
      addTo(count, i32.const(1)),
    ]),
    ifElse(i32.ltU(i32.sub(size.get, at.get), count.get), [refuse]),
    ifElse(i32.ltU(i32.sub(max.get, out.get), count.get), [refuse]),
    from.set(at.get),
    to.set(out.get),
    copyUntil(from, to, i32.add(out.get, count.get)),
    addTo(at, count.get),
  ];
}

function repeat(all: Variables): Code[] {
  const { out, max, start, count, back, from, to } = all;
  const end = i32.add(out.get, count.get);
  return [
    ...distance(all),
    // A distance of nothing becomes the largest.
    ifElse(i32.leU(i32.sub(out.get, start.get), i32.sub(back.get, i32.const(1))), [refuse]),
    ifElse(i32.ltU(i32.sub(max.get, out.get), count.get), [refuse]),
    from.set(i32.sub(out.get, back.get)),
    to.set(out.get),
    // A copy whose distance is shorter than its length repeats itself, so each step is at most as long as the distance.
    ifElse(
      i32.ltU(i32.const(15), back.get),
      [copyUntil(from, to, end)],
      [
        ifElse(
          i32.ltU(i32.const(7), back.get),
          [inSteps(from, to, end, 8, i64.store(0, to.get, i64.load(0, from.get)))],
          [
            ifElse(
              i32.ltU(i32.const(3), back.get),
              [inSteps(from, to, end, 4, i32.store(0, to.get, i32.load(0, from.get)))],
              [inSteps(from, to, end, 1, i32.store8(0, to.get, i32.load8(0, from.get)))],
            ),
          ],
        ),
      ],
    ),
  ];
}

function inSteps(from: Local, to: Local, end: Code, step: number, copy: Code): Code {
  return whileTrue(i32.ltU(to.get, end), [copy, addTo(from, i32.const(step)), addTo(to, i32.const(step))]);
}

/** The distance, in one, two or four bytes. Reading past the input is detected at the end. */
function distance({ at, tag, count, back }: Variables): Code[] {
  const near = [
    back.set(i32.or(i32.shl(i32.shrU(tag.get, i32.const(5)), i32.const(8)), i32.load8(0, at.get))),
    count.set(i32.add(i32.and(i32.shrU(tag.get, i32.const(2)), i32.const(7)), i32.const(4))),
    addTo(at, i32.const(1)),
  ];
  const far = [back.set(i32.load16(0, at.get)), addTo(at, i32.const(2))];
  const farthest = [back.set(i32.load(0, at.get)), addTo(at, i32.const(4))];
  return [
    ifElse(i32.eq(i32.and(tag.get, i32.const(3)), i32.const(1)), near, [
      ifElse(i32.eq(i32.and(tag.get, i32.const(3)), i32.const(2)), far, farthest),
    ]),
  ];
}
