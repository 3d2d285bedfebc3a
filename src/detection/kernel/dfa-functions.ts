/** Kernel functions that test the bytes of one position, split from the main loop to keep it short. */
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

/**
 * Bytes read between two tests for the end of a run. Most runs end early, but the exact length is unpredictable, so testing every byte
 * would cause branch mispredictions.
 */
const STRIDE = 4;

/**
 * runDfa(position, start): runs the DFA. Returns ~detectorSet (negative) when the run ended, or `start` if the table lacks a transition
 * (see lazy-dfa.ts).
 */
export function runDfa({ table, byteClasses, rowBytes }: Layout): WasmFunction {
  const locals = new Locals(2);
  const [position, start] = [locals.param(0), locals.param(1)];
  const [row, status] = [locals.i32(), locals.i32()];
  const kind = (n: number) => i32.load16(byteClasses, i32.shl(i32.load8(n, position.get), i32.const(1)));
  const stride: Code[] = [
    ...Array.from({ length: STRIDE }, (_, n) => row.set(i32.load(table, i32.add(row.get, kind(n))))),
    status.set(i32.load(table + rowBytes - 4, row.get)),
  ];
  const body: Code[] = [
    row.set(i32.mul(i32.add(start.get, i32.const(FIRST_START)), i32.const(rowBytes))),
    ...stride,
    whileTrue(i32.eqz(status.get), [position.set(i32.add(position.get, i32.const(STRIDE))), ...stride]),
    select(status.get, start.get, i32.ltS(status.get, i32.const(0))),
  ];
  return { name: 'runDfa', locals, body };
}

/**
 * nearLabel(position, detectorSet, reach): 1 if a context word at most `reach` bytes before the position, or the column, is a label of a
 * detector in the set, or if the set's bits are not in the kernel's memory. Positions ascend, so the list of label hits is traversed
 * once; its first entry is a sentinel beyond any reach.
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
  const [position, detectorSet, reach] = [locals.param(0), locals.param(1), locals.param(2)];
  const [at, end, number] = [locals.i32(), locals.i32(), locals.i32()];
  const wanted = halves.map(() => locals.v128());
  const hitPosition = i32.load(labelHits, at.get);
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
    whileTrue(i32.and(i32.ltS(at.get, end.get), i32.ltS(hitPosition, position.get)), [
      at.set(i32.add(at.get, i32.const(LABEL_HIT_BYTES))),
    ]),
    i32.store(cursor, i32.const(0), at.get),
    number.set(i32.sub(i32.const(-1), detectorSet.get)),
    ifElse(i32.ltU(i32.const(MAX_DETECTOR_SETS - 1), number.get), [ret(i32.const(1))]),
    ...halves.map((half, n) =>
      wanted[n]!.set(v128.load(detectorBits + half, i32.mul(number.get, i32.const(BITSET_BYTES)))),
    ),
    ifElse(meets(columnBits, i32.const(0)), [ret(i32.const(1))]),
    at.set(back),
    whileTrue(i32.leS(i32.sub(position.get, hitPosition), reach.get), [
      ifElse(meets(labelSets, i32.load(labelHits + 4, at.get)), [ret(i32.const(1))]),
      at.set(back),
    ]),
    i32.const(0),
  ];
  return { name: 'nearLabel', locals, body };
}

/** Byte offsets of the vectors of a bitset. */
const halves = Array.from({ length: BITSET_BYTES / 16 }, (_, n) => 16 * n);

/**
 * separator(position): `position` is the last letter of a name. Returns the position of the separator after it if any detector has such a
 * suffix, else 0.
 */
export function separator(layout: Layout, separators: string): WasmFunction {
  const locals = new Locals(1);
  const position = locals.param(0);
  const three = i32.load(0, i32.sub(position.get, i32.const(2)));
  const cell = i32.or(
    i32.shl(i32.and(three, i32.const(31)), i32.const(10)),
    i32.or(
      i32.and(i32.shrU(three, i32.const(3)), i32.const(0x3e0)),
      i32.and(i32.shrU(three, i32.const(16)), i32.const(31)),
    ),
  );
  const wanted = i32.and(
    i32.shrU(i32.load8(layout.suffixes, i32.shrU(cell, i32.const(3))), i32.and(cell, i32.const(7))),
    i32.const(1),
  );
  const isSeparator = [...separators]
    .map((c) => i32.eq(i32.load8(0, position.get), i32.const(c.charCodeAt(0))))
    .reduce((all, next) => i32.or(all, next));
  const body: Code[] = [
    ifElse(i32.eqz(wanted), [ret(i32.const(0))]),
    whileTrue(i32.eqz(isSeparator), [position.set(i32.add(position.get, i32.const(1)))]),
    position.get,
  ];
  return { name: 'separator', locals, body };
}
