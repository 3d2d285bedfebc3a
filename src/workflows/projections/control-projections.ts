/** Operator commands for projections: registered by the first runner that defines them, rebuilt, resumed, removed. */
import { SeineError } from '../../base/errors.ts';
import type { Database, Queryable, Tx } from '../../db/database.ts';
import { cancelLeaseGroup, revokeLeases } from '../../engine/leases/lease-group-store.ts';
import { notifyRunners } from '../../events/event-notifier.ts';
import { lockAgainstDeletion } from '../archive/deletion-store.ts';
import { indexForProjections } from '../partitions/partition-index-store.ts';
import { deleteProgress, skipExistingEvents } from './progress-store.ts';
import { missingFrom, type Projection, workflowsOf } from './projection.ts';
import {
  addProjection,
  addProjectionLease,
  clearFailure,
  countIncomplete,
  deleteProjection,
  lockProjectionName,
  type ProjectionRow,
  readProjection,
  restartProjection,
  setWorkflows,
} from './projection-store.ts';

/**
 * Starts with the first event of the log. The set of workflows it reads only grows: a definition with more of them takes the projection over from
 * runners with fewer; one with fewer changes nothing (`Projector` does not apply it). So in a rolling deployment a runner never skips events that its
 * definition does not read, in whatever order the runners start.
 */
export async function registerProjection(
  db: Database,
  projection: Projection,
  log: (sentence: string) => void,
): Promise<void> {
  const { name } = projection;
  const workflows = workflowsOf(projection);
  await indexForProjections(db);
  const { added, missing } = await db.tx(async (tx) => {
    await lockProjectionName(tx, name);
    const row = await readProjection(tx, name);
    if (row) return { added: await addWorkflows(tx, row, workflows), missing: 0 };
    await lockAgainstDeletion(tx);
    const missing = await countIncomplete(tx, workflows); // before any write: readers wait for transactions that have written
    await addProjection(tx, name, workflows, await addProjectionLease(tx));
    return { added: [], missing };
  });
  if (added.length > 0)
    log(
      `The projection ${name} now reads ${added.join(', ')} too, but not their existing events; to include those: seine workflows projections rebuild ${name}`,
    );
  if (missing > 0) log(`The projection ${name} begins without the archived events of ${missing} workflows.`);
}

/** Returns the workflows whose existing events it skips. The lease is revoked first: then its holder commits nothing, so the cursor does not move. */
async function addWorkflows(tx: Tx, before: ProjectionRow, workflows: readonly string[]): Promise<string[]> {
  const added = missingFrom(before.workflows, workflows);
  if (added.length === 0 || missingFrom(workflows, before.workflows).length > 0) return [];
  await lockAgainstDeletion(tx);
  await revokeLeases(tx, before.groupId);
  const { name, lease, setup } = (await readProjection(tx, before.name))!;
  await setWorkflows(tx, name, workflows);
  if (setup !== 'done') return []; // nothing was read yet
  await skipExistingEvents(tx, lease, added);
  return added;
}

export interface RebuildOptions {
  /** Even if events were archived: the projection then lacks what they contributed. */
  readonly incomplete?: boolean;
}

/** Returns the number of workflows with archived events. The runners do the rest: reset, init, and every event again. */
export async function rebuildProjection(
  db: Database,
  name: string,
  { incomplete = false }: RebuildOptions = {},
): Promise<{ readonly missing: number }> {
  const { row, missing } = await db.tx(async (tx) => {
    await lockProjectionName(tx, name);
    const row = await knownProjection(tx, name);
    await lockAgainstDeletion(tx);
    const missing = await countIncomplete(tx, row.workflows);
    if (missing > 0 && !incomplete) throw historyLost(name, row.workflows, missing);
    await cancelLeaseGroup(tx, row.groupId);
    await deleteProgress(tx, row.lease);
    await restartProjection(tx, name, await addProjectionLease(tx));
    return { row, missing };
  });
  await notifyRunners(db, row.workflows[0]!, 'events');
  return { missing };
}

/** False: it was not parked. */
export async function resumeProjection(db: Database, name: string): Promise<boolean> {
  const { workflows } = await knownProjection(db, name);
  const resumed = await clearFailure(db, name);
  if (resumed) await notifyRunners(db, workflows[0]!, 'events');
  return resumed;
}

/** Does not drop its tables: they belong to the user. */
export async function removeProjection(db: Database, name: string): Promise<void> {
  await db.tx(async (tx) => {
    await lockProjectionName(tx, name);
    const { groupId: work, lease } = await knownProjection(tx, name);
    await cancelLeaseGroup(tx, work);
    await deleteProgress(tx, lease);
    await deleteProjection(tx, name);
  });
}

async function knownProjection(db: Queryable, name: string): Promise<ProjectionRow> {
  const row = await readProjection(db, name);
  if (row) return row;
  throw new SeineError('not-found', `There is no projection ${name}.`, {
    hint: 'List them: seine workflows projections list. A projection is registered by a runner whose module exports it.',
  });
}

function historyLost(name: string, workflows: readonly string[], missing: number): SeineError {
  const count = missing === 1 ? '1 workflow' : `${missing} workflows`;
  return new SeineError(
    'conflict',
    `The history of ${workflows.join(', ')} is incomplete: the first events of ${count} were archived.`,
    {
      hint: `Rows built from them would be lost. To rebuild anyway: seine workflows projections rebuild ${name} --incomplete`,
    },
  );
}
