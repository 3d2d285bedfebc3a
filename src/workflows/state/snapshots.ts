/** Takes a snapshot whenever a state passes a multiple of `snapshotEvery`, after commands and after reactions. Snapshots only speed up reads. */

import type { Queryable } from '../../db/database.ts';
import { writeWithBisection } from '../../db/write-with-bisection.ts';
import type { AnyWorkflow } from '../define.ts';
import type { VersionedState } from './fold.ts';
import { saveSnapshots } from './load-store.ts';

/** A workflow to which events were appended. */
export interface SnapshotCandidate {
  readonly key: number;
  /** The version before. */
  readonly from: number;
  readonly folded: VersionedState;
}

/**
 * Must be called after the commit: an error here must not fail the commands or reactions. A state that can't be stored gets no snapshot, and the next
 * multiple tries again.
 */
export async function takeSnapshots(
  db: Queryable,
  workflow: AnyWorkflow,
  written: readonly SnapshotCandidate[],
): Promise<void> {
  const { snapshotEvery } = workflow;
  const due = written.filter(
    ({ from, folded: { version } }) => Math.floor(version / snapshotEvery) > Math.floor(from / snapshotEvery),
  );
  if (due.length === 0) return;
  const save = async (some: readonly SnapshotCandidate[]) => {
    await saveSnapshots(db, workflow, some.map(snapshotOf));
    return [];
  };
  await writeWithBisection(due, save, () => undefined).catch(() => {});
}

function snapshotOf({ key, folded: { version, state } }: SnapshotCandidate) {
  return { key, version, state: JSON.stringify(state ?? null) };
}
