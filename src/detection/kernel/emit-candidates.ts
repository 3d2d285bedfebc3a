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
  ifElse,
  type Local,
  select,
  v128,
  whileTrue,
} from '../../base/wasm/assembler.ts';
import { FIELD_SCOPE } from './field-scope.ts';
import type { LabelGatedPattern } from './label-gated-patterns.ts';
import { CANDIDATE_BYTES, type Layout } from './layout.ts';
import { type Bits, LANE, type ShiftAndBuilder } from './shift-and.ts';
import { START, type StartFilters } from './start-filter.ts';
import { LABEL_REACH, LABEL_REACH_IN_LISTS } from './word-pass.ts';

export interface CandidateLocals {
  readonly out: Local;
  readonly position: Local;
  readonly bits: Local;
  readonly step: Local;
  readonly value: Local;
  readonly fieldScope: Local;
  readonly detectorSet: Local;
}

/** The number in a record of a name and its separator; below 0 it is an outcome's, else the start of a run that is to be made. */
export const ASSIGNMENT = 0xffff;
/** The places of these functions in the module. */
export const FUNCTIONS = { runDfa: 0, separator: 1, words: 2, nearLabel: 3 } as const;

const NO_DETECTORS = -1; // the outcome that nobody is asked
const VALID = v128.const([255, 255, 255, 255, 255, 255, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0]);

export interface CandidateSources {
  readonly startFilters: StartFilters;
  readonly labelGated: readonly LabelGatedPattern[];
}

export function emitCandidates(
  { startFilters, labelGated }: CandidateSources,
  layout: Layout,
  builder: ShiftAndBuilder,
  locals: CandidateLocals,
): Code[] {
  const cells = labelGated.filter((one) => one.columnsOnly);
  const inText = labelGated.filter((one) => !one.columnsOnly);
  const before = i32.load8(0, i32.sub(locals.position.get, i32.const(1)));
  const start = i32.load8(layout.insides, before);
  const heard = v128.anyTrue(builder.anyNearLabel().code);
  const inColumns = i32.eq(locals.fieldScope.get, i32.const(FIELD_SCOPE.columns));
  return [
    ...forEachBit(builder.assignment(), locals, 0, () => emitAssignment(locals)),
    ...forEachBit(builder.startFilters(startFilters.classes), locals, 1, () => emitCandidate(locals, start)),
    ...emitLabelGated(inText, START.named, heard, builder, locals),
    // Words of every kind are looked at only where the head of a table names them.
    ...emitLabelGated(cells, START.cells, inColumns, builder, locals),
  ];
}

function emitLabelGated(
  labelGated: readonly LabelGatedPattern[],
  start: number,
  condition: Code,
  builder: ShiftAndBuilder,
  locals: CandidateLocals,
): Code[] {
  if (labelGated.length === 0) return [];
  const inside = builder.branch();
  const code = forEachBit(inside.labelGated(labelGated), locals, 2, () => emitIfNearLabel(locals, start));
  return [ifElse(condition, [...inside.code, ...code])];
}

/** For every bit of both lanes: sets `place` to where the value begins, `lead` bytes behind. */
function forEachBit(bits: Bits, locals: CandidateLocals, lead: number, body: () => readonly Code[]): Code[] {
  const { value, bits: left, position, step } = locals;
  const lane = (n: number): Code[] => [
    left.set(i64x2.extract(n, value.get)),
    whileTrue(i64.ne(left.get, i64.const(0)), [
      position.set(i32.add(i32.add(step.get, i32.const(n * LANE + lead)), i32.wrap(i64.ctz(left.get)))),
      ...body(),
      left.set(i64.and(left.get, i64.sub(left.get, i64.const(1)))),
    ]),
  ];
  return [value.set(v128.and(bits.code, VALID)), ifElse(v128.anyTrue(value.get), [...lane(0), ...lane(1)])];
}

/** Written in any case, and kept if somebody is to be asked: nothing can be foretold here, and a wrong guess is dear. */
function emitCandidate({ out, position, detectorSet }: CandidateLocals, start: Code): Code[] {
  const asked = i32.eqz(i32.eq(detectorSet.get, i32.const(NO_DETECTORS)));
  return [
    detectorSet.set(call(FUNCTIONS.runDfa, position.get, start)),
    i32.store(0, out.get, position.get),
    i32.store(4, out.get, detectorSet.get),
    out.set(i32.add(out.get, i32.mul(asked, i32.const(CANDIDATE_BYTES)))),
  ];
}

/** The same of values that something must name. */
function emitIfNearLabel(locals: CandidateLocals, start: number): Code[] {
  const { out, position, detectorSet, fieldScope } = locals;
  const far = select(i32.const(LABEL_REACH_IN_LISTS), i32.const(LABEL_REACH), fieldScope.get);
  const heard = call(FUNCTIONS.nearLabel, position.get, detectorSet.get, far);
  return [
    detectorSet.set(call(FUNCTIONS.runDfa, position.get, i32.const(start))),
    ifElse(i32.eqz(i32.eq(detectorSet.get, i32.const(NO_DETECTORS))), [
      i32.store(0, out.get, position.get),
      i32.store(4, out.get, detectorSet.get),
      out.set(i32.add(out.get, i32.mul(heard, i32.const(CANDIDATE_BYTES)))),
    ]),
  ];
}

function emitAssignment({ out, position }: CandidateLocals): Code[] {
  return [
    position.set(call(FUNCTIONS.separator, position.get)),
    ifElse(position.get, [
      i32.store(0, out.get, position.get),
      i32.store(4, out.get, i32.const(ASSIGNMENT)),
      out.set(i32.add(out.get, i32.const(CANDIDATE_BYTES))),
    ]),
  ];
}
