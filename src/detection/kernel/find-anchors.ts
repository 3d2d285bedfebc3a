/**
 * find(from, to, naming): writes a record for every place of [from, to) where a filter holds, in no order, and a few beside; how
 * many. It goes tile by tile, so that the masks stay near; it stops before the records are full and tells where.
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
} from './assembler.ts';
import { beginningTables } from './beginnings.ts';
import { Circuit, LANE } from './circuit.ts';
import { type Drain, FUNCTIONS, isBordered, stepCode } from './drain.ts';
import type { Filter } from './filters.ts';
import { type Layout, RECORD_BYTES, RECORDS_BYTES } from './layout.ts';
import { BEFORE_TILE, maskPass } from './mask-pass.ts';

export interface KernelPlan {
  readonly filters: readonly Filter[];
  /** The ends of names of which detectors want to know. */
  readonly tails: readonly string[];
  readonly layout: Layout;
  readonly relaxed: boolean;
}

const TILE = 6144;
const STEP = 2 * LANE;

export function findAnchors(plan: KernelPlan): WasmFunction {
  const locals = new Locals(3);
  const [from, to, naming] = [locals.param(0), locals.param(1), locals.param(2)];
  const [tile, length, mask] = [locals.i32(), locals.i32(), locals.i32()];
  const drain: Drain = {
    ...{ out: locals.i32(), place: locals.i32(), bits: locals.i64(), step: locals.i32() },
    ...{ value: locals.v128(), naming },
  };
  const circuit = new Circuit(locals, plan.layout.masks, mask);
  const steps = stepCode(plan.filters, plan.layout, circuit, drain);
  const { out, step } = drain;
  // What one step may write, with every filter at every place.
  const most = TILE + STEP * (plan.filters.length + 2); // a word at every place, besides
  const room = plan.layout.records + RECORDS_BYTES - most * RECORD_BYTES;
  const rest = i32.sub(to.get, tile.get);
  const walkTile = whileTrue(
    i32.and(i32.ltS(i32.shl(mask.get, i32.const(3)), length.get), i32.leS(out.get, i32.const(room))),
    [
      ...circuit.code,
      ...steps,
      mask.set(i32.add(mask.get, i32.const(STEP / 8))),
      step.set(i32.add(step.get, i32.const(STEP))),
    ],
  );
  const body = [
    out.set(i32.const(plan.layout.records)),
    step.set(i32.sub(from.get, i32.const(2))),
    whileTrue(i32.and(i32.ltS(step.get, to.get), i32.leS(out.get, i32.const(room))), [
      tile.set(step.get),
      length.set(select(rest, i32.const(TILE), i32.ltS(rest, i32.const(TILE)))),
      ...masksAndMore(plan, locals, tile, length, drain),
      mask.set(i32.const(0)),
      walkTile,
    ]),
    i32.store(plan.layout.stopped, i32.const(0), step.get),
    i32.shrU(i32.sub(out.get, i32.const(plan.layout.records)), i32.const(3)),
  ];
  return { name: 'find', locals, body };
}

/** The last places of a tile look at bytes behind it. */
function masksAndMore(
  plan: KernelPlan,
  locals: Locals,
  tile: Local,
  length: Local,
  { out, naming }: Drain,
): Code[] {
  const anywhere = plan.filters
    .filter((filter) => filter.loose.kind === 'known' && !isBordered(filter))
    .flatMap((filter) => filter.beginnings);
  const beginnings = beginningTables({ anywhere, tails: plan.tails });
  const { masks } = plan.layout;
  const more = STEP + 16;
  return [
    length.set(i32.add(length.get, i32.const(more))),
    ...maskPass({ masks, relaxed: plan.relaxed, beginnings }, locals, tile, length),
    length.set(i32.sub(length.get, i32.const(more))),
    i32.store(plan.layout.tile, i32.const(0), i32.sub(tile.get, i32.const(BEFORE_TILE))),
    out.set(call(FUNCTIONS.words, tile.get, length.get, naming.get, out.get)),
  ];
}
