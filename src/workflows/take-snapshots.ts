/** Snapshots after commands: they save reading, and nothing depends on them. */
import { byHalves } from '../db/by-halves.ts';
import type { Queryable } from '../db/database.ts';
import type { Story } from './decide-batch.ts';
import type { AnyWorkflow } from './define.ts';
import { saveSnapshots } from './load-store.ts';

/** A story that was written. */
export interface Kept {
  readonly story: Story;
  readonly key: number;
}

/**
 * Of those that passed a multiple of `snapshotEvery`. Their events are committed: whatever goes wrong here is no failure of the commands. A
 * state that can't be stored goes without a snapshot, and the next multiple tries again.
 */
export async function takeSnapshots(
  db: Queryable,
  workflow: AnyWorkflow,
  kept: readonly Kept[],
): Promise<void> {
  const { snapshotEvery, version: schema } = workflow;
  const due = kept.filter(
    ({ story: { folded, loaded } }) =>
      Math.floor(folded.version / snapshotEvery) > Math.floor(loaded.folded.version / snapshotEvery),
  );
  if (due.length === 0) return;
  const save = async (some: readonly Kept[]) => {
    await saveSnapshots(db, schema, some.map(snapshotOf));
    return [];
  };
  await byHalves(due, save, () => undefined).catch(() => {});
}

function snapshotOf({ story: { folded }, key }: Kept) {
  return { key, version: folded.version, state: JSON.stringify(folded.state ?? null) };
}
