/**
 * Layouts: how a workflow's events are shared among readers.
 *
 *   slots    256 parts, each a lease that any runner may take: runners join and leave, slots move, the layout stays
 *   static   N parts, one for each process, as in the parallelization guide; another N is another layout (scaling.ts)
 *
 * Each part has a reader, and each reader a lease whose cursor is its offset in the log. The leases of a layout belong to one work.
 *
 * Invariant: a workflow has one layout, with exactly one reader that is not retired for each part. A change ends all leases of the
 * layout before it in the same transaction, so no reader of the old one can write anything once the new one is there: the tokens of
 * its leases are the fence, the epoch is for people and for names that come again.
 *
 * Crash: a layout is written in one transaction, or not at all.
 */
import { SeineError } from '../../base/errors.ts';
import { FIRST_KEY, type Key } from '../../base/key.ts';
import type { Database, Tx } from '../../db/database.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import { createWork } from '../../engine/leases/work-store.ts';
import { SLOTS } from '../../events/hash.ts';
import {
  addReaders,
  type Layout,
  lockLayoutName,
  type Mode,
  readLayout,
  writeLayout,
} from './layout-store.ts';
import { checkTotal, makeReaderName, makeSlotReaderName } from './partition.ts';
import { indexPartitions } from './partition-index-store.ts';

export type WantedLayout = { readonly mode: 'slots' } | { readonly mode: 'static'; readonly total: number };

/** The number of static partitions, or slots. */
export type Shape = number | 'slots';

/** The kinds of work that layouts have. */
export const KIND_OF: Readonly<Record<Mode, string>> = {
  slots: 'workflow-slots',
  static: 'workflow-partitions',
};

/** The layout of a workflow, begun with the first event if there is none. One of another shape is a conflict. */
export async function openLayout(db: Database, workflow: string, wanted: WantedLayout): Promise<Layout> {
  const shape = wanted.mode === 'slots' ? 'slots' : wanted.total;
  if (shape !== 'slots') checkTotal(shape);
  const layout = (await readLayout(db, workflow)) ?? (await beginLayout(db, workflow, shape));
  if (shapeOf(layout) === shape) return layout;
  throw misfit(layout, shape);
}

/** As it is when somebody else was first. */
function beginLayout(db: Database, workflow: string, shape: Shape): Promise<Layout> {
  return db.tx(async (tx) => {
    await lockLayoutName(tx, workflow);
    return (await readLayout(tx, workflow)) ?? (await layOut(tx, workflow, 1, shape, FIRST_KEY));
  });
}

/** Writes a layout whose readers all go on after `cursor`. */
export async function layOut(
  tx: Tx,
  workflow: string,
  epoch: number,
  shape: Shape,
  cursor: Key,
): Promise<Layout> {
  const [mode, total]: [Mode, number] = shape === 'slots' ? ['slots', SLOTS] : ['static', shape];
  if (mode === 'static') await indexPartitions(tx, total);
  const work = await createWork(tx, { tenant: '', kind: KIND_OF[mode], priority: 0 });
  const leases = await addLeases(tx, work, Array(total).fill({ after: cursor, upTo: null }));
  const readers = leases.map((lease, part) => ({ name: nameOf(workflow, part, shape), part, lease }));
  const layout = { workflow, epoch, mode, total, work, readers };
  await writeLayout(tx, layout);
  await addReaders(tx, layout);
  return layout;
}

function nameOf(workflow: string, part: number, shape: Shape): string {
  return shape === 'slots' ? makeSlotReaderName(workflow, part) : makeReaderName(workflow, part, shape);
}

export function shapeOf({ mode, total }: Layout): Shape {
  return mode === 'slots' ? 'slots' : total;
}

/** For people: `3 partitions`. */
export function showShape(shape: Shape): string {
  return shape === 'slots' ? 'slots' : shape === 1 ? '1 partition' : `${shape} partitions`;
}

export function scaleCommand(workflow: string, from: Shape, to: Shape): string {
  return `seine partitions scale --workflow ${workflow} --from ${from} --to ${to}`;
}

function misfit(layout: Layout, wanted: Shape): SeineError {
  const { workflow } = layout;
  const shape = shapeOf(layout);
  const fitting = shape === 'slots' ? 'without --partition' : `with --partition 0/${shape}`;
  const others = shape === 'slots' || shape === 1 ? '' : ` (or another of the ${shape})`;
  return new SeineError(
    'conflict',
    `The workflow ${workflow} is shared in ${showShape(shape)}, not in ${showShape(wanted)}.`,
    { hint: `Start it ${fitting}${others}, or change that: ${scaleCommand(workflow, shape, wanted)}` },
  );
}
