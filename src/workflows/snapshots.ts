/** Snapshots are taken wherever a state passes a multiple of `snapshotEvery`: after commands and after reactions. They only save reading. */
import { byHalves } from '../db/by-halves.ts';
import type { Queryable } from '../db/database.ts';
import type { AnyWorkflow } from './define.ts';
import type { Folded } from './fold.ts';
import { saveSnapshots } from './load-store.ts';

/** A workflow whose events were written. */
export interface Passed {
  readonly key: number;
  /** The version before. */
  readonly from: number;
  readonly folded: Folded;
}

/**
 * To be called after the commit: whatever goes wrong here is no failure of the commands or reactions. A state that can't be stored goes without
 * a snapshot, and the next multiple tries again.
 */
export async function takeSnapshots(
  db: Queryable,
  workflow: AnyWorkflow,
  written: readonly Passed[],
): Promise<void> {
  const { snapshotEvery } = workflow;
  const due = written.filter(
    ({ from, folded: { version } }) => Math.floor(version / snapshotEvery) > Math.floor(from / snapshotEvery),
  );
  if (due.length === 0) return;
  const save = async (some: readonly Passed[]) => {
    await saveSnapshots(db, workflow, some.map(snapshotOf));
    return [];
  };
  await byHalves(due, save, () => undefined).catch(() => {});
}

function snapshotOf({ key, folded: { version, state } }: Passed) {
  return { key, version, state: JSON.stringify(state ?? null) };
}
