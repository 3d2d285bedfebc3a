import {
  addTo,
  brIf,
  type Code,
  i32,
  i64,
  ifElse,
  type Local,
  Locals,
  loop,
  type WasmFunction,
} from '../../../../base/wasm/assembler.ts';
import { WINDOW } from './lzma-layout.ts';

const n = i32.const;
const WORD = 8;

export interface Copying {
  /** The distance minus one. */
  readonly distance: Local;
  readonly length: Local;
  /** Where to. */
  readonly out: Local;
  readonly end: Local;
  readonly from: Local;
  /** How large the ring is that the window may have become. */
  readonly ring: Local;
}

/** `copy(distance, length, out, ring)`: the rest of a match. */
export function copyRest(): WasmFunction {
  const locals = new Locals(4);
  const copying: Copying = {
    distance: locals.param(0),
    length: locals.param(1),
    out: locals.param(2),
    ring: locals.param(3),
    end: locals.i32(),
    from: locals.i32(),
  };
  const body = [...goBack(copying), ...copyOn(copying), n(0)];
  return { name: 'copy', locals, body };
}

/** `from`, for a distance that is within reach. */
export function goBack({ out, from, ring, distance }: Copying): Code[] {
  return [
    from.set(i32.sub(i32.sub(out.get, distance.get), n(1))),
    ifElse(i32.ltS(from.get, n(WINDOW)), [addTo(from, ring.get)]),
  ];
}

/** `length` bytes (not none) from `from` to `out`, both of which are moved on. */
export function copyOn({ distance, length, out, end, from, ring }: Copying): Code[] {
  const ringEnd = i32.add(ring.get, n(WINDOW));
  const word = i64.store(0, out.get, i64.load(0, from.get));
  const byte = i32.store8(0, out.get, i32.load8(0, from.get));
  const next = (size: number) => brIf(0, i32.ltU(out.tee(i32.add(out.get, n(size))), end.get));
  // Not if the copy overlaps its own output, or crosses the end of the ring.
  const inWords = i32.and(
    i32.geU(distance.get, n(WORD - 1)),
    i32.geU(ringEnd, i32.add(from.get, length.get)),
  );
  return [
    end.set(i32.add(out.get, length.get)),
    ifElse(
      inWords,
      // The last word may go beyond the match: nothing that is within reach is there.
      [loop(word, addTo(from, n(WORD)), next(WORD)), out.set(end.get)],
      [loop(byte, addTo(from, n(1)), ifElse(i32.eq(from.get, ringEnd), [from.set(n(WINDOW))]), next(1))],
    ),
  ];
}
