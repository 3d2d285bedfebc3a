/** Snapshots are taken wherever a state passes a multiple of `snapshotEvery`: after commands and after reactions. They only save reading. */
import type { Queryable } from '../db/database.ts';
import type { AnyWorkflow } from './define.ts';
import type { Folded } from './fold.ts';
import { saveSnapshots } from './load-store.ts';

export interface Passed {
  readonly key: number;
  /** The version before. */
  readonly from: number;
  readonly folded: Folded;
}

export async function takeSnapshots(
  db: Queryable,
  workflow: AnyWorkflow,
  passed: readonly Passed[],
): Promise<void> {
  const { snapshotEvery } = workflow;
  const due = passed.filter(
    ({ from, folded: { version } }) => Math.floor(version / snapshotEvery) > Math.floor(from / snapshotEvery),
  );
  const snapshots = due.flatMap(({ key, folded: { version, state } }) => {
    const text = jsonOf(state);
    return text === null ? [] : [{ key, version, state: text }];
  });
  if (snapshots.length > 0) await saveSnapshots(db, workflow, snapshots);
}

/** Null: it can't be written as JSON. What it was made of is stored, so nothing is lost without the snapshot. */
function jsonOf(state: unknown): string | null {
  try {
    return JSON.stringify(state ?? null) ?? null;
  } catch {
    return null;
  }
}
