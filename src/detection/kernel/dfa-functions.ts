/** Questions about the bytes of one place: small functions, so that the search itself stays short. */
import {
  type Code,
  i32,
  ifElse,
  Locals,
  ret,
  select,
  v128,
  type WasmFunction,
  whileTrue,
} from '../../base/wasm/assembler.ts';
import { BITSET_BYTES } from './labels.ts';
import { LABEL_HIT_BYTES, type Layout, MAX_DETECTOR_SETS } from './layout.ts';
import { FIRST_START } from './lazy-dfa.ts';

/** So many bytes before one looks whether a run has ended: most end soon, but when cannot be foretold. */
const STRIDE = 4;

/**
 * judge(place, start): runs the automaton. Below 0: the run ended, with the outcome ~result; else the start, since the table lacks a step
 * (see lazy-dfa.ts).
 */
export function runDfa({ table, byteClasses, rowBytes }: Layout): WasmFunction {
  const locals = new Locals(2);
  const [place, start] = [locals.param(0), locals.param(1)];
  const [row, verdict] = [locals.i32(), locals.i32()];
  const kind = (n: number) => i32.load16(byteClasses, i32.shl(i32.load8(n, place.get), i32.const(1)));
  const stride: Code[] = [
    ...Array.from({ length: STRIDE }, (_, n) => row.set(i32.load(table, i32.add(row.get, kind(n))))),
    verdict.set(i32.load(table + rowBytes - 4, row.get)),
  ];
  const body: Code[] = [
    row.set(i32.mul(i32.add(start.get, i32.const(FIRST_START)), i32.const(rowBytes))),
    ...stride,
    whileTrue(i32.eqz(verdict.get), [place.set(i32.add(place.get, i32.const(STRIDE))), ...stride]),
    select(verdict.get, start.get, i32.ltS(verdict.get, i32.const(0))),
  ];
  return { name: 'judge', locals, body };
}

/**
 * listens(place, outcome, far): 1 if a context word at most `far` bytes before the place speaks to somebody of the outcome, if a column
 * does, or if the outcome is not known yet. Places come in order, so the list of context words is followed once; its first
 * entry is far from everywhere.
 */
export function nearLabel({
  labelHits,
  labelHitsEnd,
  cursor,
  columnBits,
  labelSets,
  detectorBits,
}: Layout): WasmFunction {
  const locals = new Locals(3);
  const [place, outcome, far] = [locals.param(0), locals.param(1), locals.param(2)];
  const [at, end, number] = [locals.i32(), locals.i32(), locals.i32()];
  const wanted = halves.map(() => locals.v128());
  const placeOf = i32.load(labelHits, at.get);
  const back = i32.sub(at.get, i32.const(LABEL_HIT_BYTES));
  const meets = (offset: number, address: Code) =>
    v128.anyTrue(
      halves
        .map((half, n) => v128.and(wanted[n]!.get, v128.load(offset + half, address)))
        .reduce((all, next) => v128.or(all, next)),
    );
  const body: Code[] = [
    at.set(i32.load(cursor, i32.const(0))),
    end.set(i32.load(labelHitsEnd, i32.const(0))),
    whileTrue(i32.and(i32.ltS(at.get, end.get), i32.ltS(placeOf, place.get)), [
      at.set(i32.add(at.get, i32.const(LABEL_HIT_BYTES))),
    ]),
    i32.store(cursor, i32.const(0), at.get),
    number.set(i32.sub(i32.const(-1), outcome.get)),
    ifElse(i32.ltU(i32.const(MAX_DETECTOR_SETS - 1), number.get), [ret(i32.const(1))]),
    ...halves.map((half, n) =>
      wanted[n]!.set(v128.load(detectorBits + half, i32.mul(number.get, i32.const(BITSET_BYTES)))),
    ),
    ifElse(meets(columnBits, i32.const(0)), [ret(i32.const(1))]),
    at.set(back),
    whileTrue(i32.leS(i32.sub(place.get, placeOf), far.get), [
      ifElse(meets(labelSets, i32.load(labelHits + 4, at.get)), [ret(i32.const(1))]),
      at.set(back),
    ]),
    i32.const(0),
  ];
  return { name: 'listens', locals, body };
}

/** A set of voices is so many vectors. */
const halves = Array.from({ length: BITSET_BYTES / 16 }, (_, n) => 16 * n);

/** separator(place): `place` is the last letter of a name; where the separator behind it is, if anybody asks about such names, or 0. */
export function separator(layout: Layout, separators: string): WasmFunction {
  const locals = new Locals(1);
  const place = locals.param(0);
  const three = i32.load(0, i32.sub(place.get, i32.const(2)));
  const cell = i32.or(
    i32.shl(i32.and(three, i32.const(31)), i32.const(10)),
    i32.or(
      i32.and(i32.shrU(three, i32.const(3)), i32.const(0x3e0)),
      i32.and(i32.shrU(three, i32.const(16)), i32.const(31)),
    ),
  );
  const wanted = i32.and(
    i32.shrU(i32.load8(layout.tails, i32.shrU(cell, i32.const(3))), i32.and(cell, i32.const(7))),
    i32.const(1),
  );
  const isSeparator = [...separators]
    .map((c) => i32.eq(i32.load8(0, place.get), i32.const(c.charCodeAt(0))))
    .reduce((all, next) => i32.or(all, next));
  const body: Code[] = [
    ifElse(i32.eqz(wanted), [ret(i32.const(0))]),
    whileTrue(i32.eqz(isSeparator), [place.set(i32.add(place.get, i32.const(1)))]),
    place.get,
  ];
  return { name: 'separator', locals, body };
}
