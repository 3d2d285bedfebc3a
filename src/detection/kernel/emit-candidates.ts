/**
 * Emits candidates for one step of 96 positions: evaluates the start filters, runs the DFA where one matches, and records the position
 * unless the resulting detector set is empty. Likewise for label-gated patterns and assignments.
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
import type { LabelGatedPattern } from './label-gated-patterns.ts';
import { CANDIDATE_BYTES, type Layout } from './layout.ts';
import { FIELD_SCOPE } from './prefilter.ts';
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

/**
 * The id of a candidate at the separator of an assignment. Other ids: negative is ~detectorSet, otherwise the start condition of a run
 * that the DFA table could not complete.
 */
export const ASSIGNMENT = 0xffff;
/** The indices of these functions in the module. */
export const FUNCTIONS = { runDfa: 0, separator: 1, words: 2, nearLabel: 3 } as const;

const NO_DETECTORS = -1; // ~EMPTY_SET
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
  const isNearLabel = v128.anyTrue(builder.anyNearLabel().code);
  const inColumns = i32.eq(locals.fieldScope.get, i32.const(FIELD_SCOPE.columns));
  return [
    ...forEachBit(builder.assignment(), locals, 0, () => emitAssignment(locals)),
    ...forEachBit(builder.startFilters(startFilters.classes), locals, 1, () => emitCandidate(locals, start)),
    ...emitLabelGated(inText, START.labelled, isNearLabel, builder, locals),
    // Words of any kind are candidates only where a table's column is a label.
    ...emitLabelGated(cells, START.column, inColumns, builder, locals),
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

/** For every bit of both lanes: sets `position` to where the value begins, `lead` bytes after the bit. */
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

/**
 * Always writes the candidate and advances only if the set is not empty: the result is unpredictable, and a mispredicted branch costs
 * more than the store.
 */
function emitCandidate({ out, position, detectorSet }: CandidateLocals, start: Code): Code[] {
  const isNotEmpty = i32.eqz(i32.eq(detectorSet.get, i32.const(NO_DETECTORS)));
  return [
    detectorSet.set(call(FUNCTIONS.runDfa, position.get, start)),
    i32.store(0, out.get, position.get),
    i32.store(4, out.get, detectorSet.get),
    out.set(i32.add(out.get, i32.mul(isNotEmpty, i32.const(CANDIDATE_BYTES)))),
  ];
}

/** Like `emitCandidate`, for detectors that require a label. */
function emitIfNearLabel(locals: CandidateLocals, start: number): Code[] {
  const { out, position, detectorSet, fieldScope } = locals;
  const reach = select(i32.const(LABEL_REACH_IN_LISTS), i32.const(LABEL_REACH), fieldScope.get);
  const isNearLabel = call(FUNCTIONS.nearLabel, position.get, detectorSet.get, reach);
  return [
    detectorSet.set(call(FUNCTIONS.runDfa, position.get, i32.const(start))),
    ifElse(i32.eqz(i32.eq(detectorSet.get, i32.const(NO_DETECTORS))), [
      i32.store(0, out.get, position.get),
      i32.store(4, out.get, detectorSet.get),
      out.set(i32.add(out.get, i32.mul(isNearLabel, i32.const(CANDIDATE_BYTES)))),
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
