/**
 * find(from, to, fieldScope): records every position of [from, to) where a detector must run, unordered and with false positives; returns
 * their count. Works tile by tile so that the masks stay in the cache. Stops before the candidate buffer overflows and stores the
 * position reached in `layout.stopped`.
 */
import {
  type Code,
  call,
  i32,
  type Local,
  Locals,
  select,
  type WasmFunction,
  whileTrue,
} from '../../base/wasm/assembler.ts';
import { type CandidateLocals, emitCandidates, FUNCTIONS } from './emit-candidates.ts';
import type { LabelGatedPattern } from './label-gated-patterns.ts';
import { CANDIDATE_BYTES, CANDIDATES_BYTES, type Layout } from './layout.ts';
import { BEFORE_TILE, maskPass } from './mask-pass.ts';
import { LANE, ShiftAndBuilder } from './shift-and.ts';
import type { StartFilters } from './start-filter.ts';
import { teddyTables } from './teddy.ts';

export interface KernelPlan {
  readonly startFilters: StartFilters;
  readonly labelGated: readonly LabelGatedPattern[];
  readonly layout: Layout;
  readonly relaxed: boolean;
}

const TILE = 6144;
const STEP = 2 * LANE;

export function findCandidates(plan: KernelPlan): WasmFunction {
  const locals = new Locals(3);
  const [from, to, fieldScope] = [locals.param(0), locals.param(1), locals.param(2)];
  const [tile, length, mask] = [locals.i32(), locals.i32(), locals.i32()];
  const candidate: CandidateLocals = {
    ...{ out: locals.i32(), position: locals.i32(), bits: locals.i64(), step: locals.i32() },
    ...{ value: locals.v128(), detectorSet: locals.i32(), fieldScope },
  };
  const builder = new ShiftAndBuilder(locals, plan.layout.masks, mask);
  const steps = emitCandidates(plan, plan.layout, builder, candidate);
  const { out, step } = candidate;
  // Upper bound for one step: an assignment, a start filter, a labelled value and a labelled cell at every position.
  const room = plan.layout.candidates + CANDIDATES_BYTES - 5 * STEP * CANDIDATE_BYTES;
  const rest = i32.sub(to.get, tile.get);
  const walkTile = whileTrue(
    i32.and(i32.ltS(i32.shl(mask.get, i32.const(3)), length.get), i32.leS(out.get, i32.const(room))),
    [
      ...builder.code,
      ...steps,
      mask.set(i32.add(mask.get, i32.const(STEP / 8))),
      step.set(i32.add(step.get, i32.const(STEP))),
    ],
  );
  const body = [
    out.set(i32.const(plan.layout.candidates)),
    step.set(i32.sub(from.get, i32.const(2))),
    whileTrue(i32.and(i32.ltS(step.get, to.get), i32.leS(out.get, i32.const(room))), [
      tile.set(step.get),
      length.set(select(rest, i32.const(TILE), i32.ltS(rest, i32.const(TILE)))),
      ...computeMasks(plan, locals, tile, length, candidate),
      mask.set(i32.const(0)),
      walkTile,
    ]),
    i32.store(plan.layout.stopped, i32.const(0), step.get),
    i32.shrU(i32.sub(out.get, i32.const(plan.layout.candidates)), i32.const(3)),
  ];
  return { name: 'find', locals, body };
}

/** Computes the masks beyond the tile's end too, because its last positions look ahead. */
function computeMasks(
  plan: KernelPlan,
  locals: Locals,
  tile: Local,
  length: Local,
  { fieldScope, detectorSet }: CandidateLocals,
): Code[] {
  const prefixes = teddyTables(plan.startFilters.anywherePrefixes);
  const { masks } = plan.layout;
  const lookahead = STEP + 16;
  return [
    length.set(i32.add(length.get, i32.const(lookahead))),
    ...maskPass({ masks, relaxed: plan.relaxed, prefixes }, locals, tile, length),
    length.set(i32.sub(length.get, i32.const(lookahead))),
    i32.store(plan.layout.tile, i32.const(0), i32.sub(tile.get, i32.const(BEFORE_TILE))),
    // Every function of the assembler returns a value; this one is ignored.
    detectorSet.set(call(FUNCTIONS.words, tile.get, length.get, fieldScope.get)),
  ];
}
