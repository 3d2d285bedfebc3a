/**
 * Writes rows of a single-column table in WebAssembly. It stops before any row that needs special treatment (a value with line ends, too
 * long, or damaged), which the caller then writes or reports.
 */
import {
  addTo,
  type Code,
  i8x16,
  i32,
  ifElse,
  type Local,
  Locals,
  ret,
  select,
  v128,
  type WasmFunction,
  whileTrue,
} from '../../../../../base/wasm/assembler.ts';
import { bytesBelow, copyUntil } from './copying.ts';

const LF = 0x0a;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/** Addresses where a function stores the position reached. */
export interface Stops {
  readonly at: number;
  readonly out: number;
}

/**
 * `writePlain(at, end, row, rows, out, room, defined, least)`: values with their lengths before them, from `at` to `end`. A row is the
 * address of its definition. No byte of a value is below `least`; of unknown ones, where that is above the controls, all must be ASCII.
 */
export function writePlain(stops: Stops): WasmFunction {
  const locals = new Locals(8);
  const [at, end, row, rows, out, room, defined, min] = [0, 1, 2, 3, 4, 5, 6, 7].map((n) =>
    locals.param(n),
  ) as [...[Local, Local, Local, Local], ...[Local, Local, Local, Local]];
  const [length, from, to, odd] = Array.from({ length: 4 }, locals.i32) as [Local, Local, Local, Local];
  const lowest = locals.v128();
  const vector = locals.v128();
  const stop = stopped(stops, at, out, row);
  const value = [
    ifElse(i32.ltU(i32.sub(end.get, at.get), i32.const(4)), [stop]),
    length.set(i32.load(0, at.get)),
    ifElse(i32.ltU(i32.sub(i32.sub(end.get, at.get), i32.const(4)), length.get), [stop]),
    ifElse(i32.ltU(i32.sub(room.get, out.get), i32.add(length.get, i32.const(1))), [stop]),
    from.set(i32.add(at.get, i32.const(4))),
    to.set(out.get),
    odd.set(i32.const(0)),
    whileTrue(i32.ltU(i32.sub(to.get, out.get), length.get), [
      vector.set(v128.load(0, from.get)),
      v128.store(0, to.get, vector.get),
      odd.set(i32.or(odd.get, ofValue(oddBytes(vector.get, lowest.get, min.get), length, to, out))),
      addTo(from, i32.const(16)),
      addTo(to, i32.const(16)),
    ]),
    ifElse(odd.get, [stop]),
    ifElse(i32.eq(i32.load8(0, out.get), i32.const(QUOTE)), [
      ifElse(length.get, [i32.store8(0, out.get, i32.const(APOSTROPHE))]),
    ]),
    addTo(out, length.get),
    at.set(i32.add(i32.add(at.get, i32.const(4)), length.get)),
  ];
  const body = [
    lowest.set(i8x16.splatOf(min.get)),
    whileTrue(i32.ltU(row.get, rows.get), [
      ifElse(i32.eqz(i32.ltU(out.get, room.get)), [stop]),
      ifElse(isDefined(row, defined), value),
      i32.store8(0, out.get, i32.const(LF)),
      addTo(out, i32.const(1)),
      addTo(row, i32.const(1)),
    ]),
    stop,
    i32.const(0),
  ];
  return { name: 'writePlain', locals, body };
}

/**
 * `writeIndexed(at, end, row, rows, out, room, defined, starts, count)`: writes dictionary values by their indexes from `at` to `end`.
 * `starts` contains the start of each text, which includes a line end.
 */
export function writeIndexed(stops: Stops): WasmFunction {
  const locals = new Locals(9);
  const [at, end, row, rows, out, room, defined, starts, count] = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) =>
    locals.param(n),
  ) as [...[Local, Local, Local, Local], ...[Local, Local, Local, Local, Local]];
  const [index, from, to, next] = Array.from({ length: 4 }, locals.i32) as [Local, Local, Local, Local];
  const stop = stopped(stops, at, out, row);
  const value = [
    ifElse(i32.eqz(i32.ltU(at.get, end.get)), [stop]),
    index.set(i32.load(0, at.get)),
    ifElse(i32.eqz(i32.ltU(index.get, count.get)), [stop]),
    index.set(i32.add(starts.get, i32.shl(index.get, i32.const(2)))),
    from.set(i32.load(0, index.get)),
    next.set(i32.add(out.get, i32.sub(i32.load(4, index.get), from.get))),
    ifElse(i32.ltU(room.get, next.get), [stop]),
    to.set(out.get),
    copyUntil(from, to, next.get),
    out.set(next.get),
    addTo(at, i32.const(4)),
  ];
  const nothing = [i32.store8(0, out.get, i32.const(LF)), addTo(out, i32.const(1))];
  const body = [
    whileTrue(i32.ltU(row.get, rows.get), [
      ifElse(i32.eqz(i32.ltU(out.get, room.get)), [stop]),
      ifElse(isDefined(row, defined), value, nothing),
      addTo(row, i32.const(1)),
    ]),
    stop,
    i32.const(0),
  ];
  return { name: 'writeIndexed', locals, body };
}

/** `defined`: the level that a value has which is there; 256 and more: all are. */
function isDefined(row: Local, defined: Local): Code {
  return i32.or(i32.ltU(i32.const(255), defined.get), i32.eq(i32.load8(0, row.get), defined.get));
}

function oddBytes(vector: Code, lowest: Code, min: Code): Code {
  const notAscii = select(i8x16.bitmask(vector), i32.const(0), i32.ltU(i32.const(0x1f), min));
  return i32.or(bytesBelow(vector, lowest), notAscii);
}

/** Of a vector's bits those that are of the value: others may follow in the last one. */
function ofValue(bits: Code, length: Local, to: Local, out: Local): Code {
  const rest = i32.sub(length.get, i32.sub(to.get, out.get));
  const last = i32.sub(i32.shl(i32.const(1), rest), i32.const(1));
  return i32.and(bits, select(i32.const(-1), last, i32.ltU(i32.const(15), rest)));
}

function stopped(stops: Stops, at: Local, out: Local, row: Local): Code {
  return [
    ...i32.store(stops.at, i32.const(0), at.get),
    ...i32.store(stops.out, i32.const(0), out.get),
    ...ret(row.get),
  ];
}

/** `findRows(from, to, starts)`: stores where each row begins, and where the last one ends; returns the address after that. */
export function findRows(): WasmFunction {
  const locals = new Locals(3);
  const [from, to, starts] = [0, 1, 2].map((n) => locals.param(n)) as [Local, Local, Local];
  const bits = locals.i32();
  const noted = (place: Code) => [i32.store(0, starts.get, place), addTo(starts, i32.const(4))];
  const body = [
    ...noted(from.get),
    whileTrue(i32.ltU(from.get, to.get), [
      bits.set(i8x16.bitmask(i8x16.eq(v128.load(0, from.get), i8x16.splat(LF)))),
      ifElse(i32.ltU(i32.sub(to.get, from.get), i32.const(16)), [
        bits.set(i32.and(bits.get, i32.sub(i32.shl(i32.const(1), i32.sub(to.get, from.get)), i32.const(1)))),
      ]),
      whileTrue(bits.get, [
        ...noted(i32.add(i32.add(from.get, i32.ctz(bits.get)), i32.const(1))),
        bits.set(i32.and(bits.get, i32.sub(bits.get, i32.const(1)))),
      ]),
      addTo(from, i32.const(16)),
    ]),
    starts.get,
  ];
  return { name: 'findRows', locals, body };
}
