/**
 * What is done about 96 places: openings are computed, and where there is one the automaton tells whether anybody is to be asked, which is
 * written down; likewise at values that something may name.
 */
import {
  type Code,
  call,
  i32,
  i64,
  i64x2,
  type Local,
  select,
  v128,
  when,
  whileTrue,
} from '../../base/wasm/assembler.ts';
import { type Bits, type Circuit, LANE } from './circuit.ts';
import { type Layout, RECORD_BYTES } from './layout.ts';
import type { Listener } from './listeners.ts';
import { NAMING } from './naming.ts';
import { type Openings, START } from './openings.ts';
import { IN_LISTS, NEAR } from './word-pass.ts';

export interface Drain {
  readonly out: Local;
  readonly place: Local;
  readonly bits: Local;
  readonly step: Local;
  readonly value: Local;
  readonly naming: Local;
  readonly outcome: Local;
}

/** The number in a record of a name and its separator; below 0 it is an outcome's, else the start of a run that is to be made. */
export const ASSIGNMENT = 0xffff;
/** The places of these functions in the module. */
export const FUNCTIONS = { judge: 0, separator: 1, words: 2, listens: 3 } as const;

const NOT_ASKED = -1; // the outcome that nobody is asked
const VALID = v128.const([255, 255, 255, 255, 255, 255, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0]);

export interface Steps {
  readonly openings: Openings;
  readonly listeners: readonly Listener[];
}

export function stepCode(
  { openings, listeners }: Steps,
  layout: Layout,
  circuit: Circuit,
  drain: Drain,
): Code[] {
  const cells = listeners.filter((one) => one.cells);
  const inText = listeners.filter((one) => !one.cells);
  const before = i32.load8(0, i32.sub(drain.place.get, i32.const(1)));
  const start = i32.load8(layout.insides, before);
  const heard = v128.anyTrue(circuit.anyHeard().code);
  const inColumns = i32.eq(drain.naming.get, i32.const(NAMING.columns));
  return [
    ...walk(circuit.assignment(), drain, 0, () => nameEnds(drain)),
    ...walk(circuit.open(openings.classes), drain, 1, () => judged(drain, start)),
    ...named(inText, START.named, heard, circuit, drain),
    // Words of every kind are looked at only where the head of a table names them.
    ...named(cells, START.cells, inColumns, circuit, drain),
  ];
}

function named(
  listeners: readonly Listener[],
  start: number,
  condition: Code,
  circuit: Circuit,
  drain: Drain,
): Code[] {
  if (listeners.length === 0) return [];
  const inside = circuit.branch();
  const code = walk(inside.heard(listeners), drain, 2, () => spokenTo(drain, start));
  return [when(condition, [...inside.code, ...code])];
}

/** For every bit of both lanes: sets `place` to where the value begins, `lead` bytes behind. */
function walk(bits: Bits, drain: Drain, lead: number, body: () => readonly Code[]): Code[] {
  const { value, bits: left, place, step } = drain;
  const lane = (n: number): Code[] => [
    left.set(i64x2.extract(n, value.get)),
    whileTrue(i64.ne(left.get, i64.const(0)), [
      place.set(i32.add(i32.add(step.get, i32.const(n * LANE + lead)), i32.wrap(i64.ctz(left.get)))),
      ...body(),
      left.set(i64.and(left.get, i64.sub(left.get, i64.const(1)))),
    ]),
  ];
  return [value.set(v128.and(bits.code, VALID)), when(v128.anyTrue(value.get), [...lane(0), ...lane(1)])];
}

/** Written in any case, and kept if somebody is to be asked: nothing can be foretold here, and a wrong guess is dear. */
function judged({ out, place, outcome }: Drain, start: Code): Code[] {
  const asked = i32.eqz(i32.eq(outcome.get, i32.const(NOT_ASKED)));
  return [
    outcome.set(call(FUNCTIONS.judge, place.get, start)),
    i32.store(0, out.get, place.get),
    i32.store(4, out.get, outcome.get),
    out.set(i32.add(out.get, i32.mul(asked, i32.const(RECORD_BYTES)))),
  ];
}

/** The same of values that something must name. */
function spokenTo(drain: Drain, start: number): Code[] {
  const { out, place, outcome, naming } = drain;
  const far = select(i32.const(IN_LISTS), i32.const(NEAR), naming.get);
  const heard = call(FUNCTIONS.listens, place.get, outcome.get, far);
  return [
    outcome.set(call(FUNCTIONS.judge, place.get, i32.const(start))),
    when(i32.eqz(i32.eq(outcome.get, i32.const(NOT_ASKED))), [
      i32.store(0, out.get, place.get),
      i32.store(4, out.get, outcome.get),
      out.set(i32.add(out.get, i32.mul(heard, i32.const(RECORD_BYTES)))),
    ]),
  ];
}

function nameEnds({ out, place }: Drain): Code[] {
  return [
    place.set(call(FUNCTIONS.separator, place.get)),
    when(place.get, [
      i32.store(0, out.get, place.get),
      i32.store(4, out.get, i32.const(ASSIGNMENT)),
      out.set(i32.add(out.get, i32.const(RECORD_BYTES))),
    ]),
  ];
}
