/** Projections as an operator meets them: begun by the first runner that knows them, rebuilt, resumed, removed. */
import { SeineError } from '../../base/errors.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { cancelWork } from '../../engine/leases/work-store.ts';
import { tellRunners } from '../../events/herald.ts';
import { indexForProjections } from '../partitions/partition-index-store.ts';
import { forgetProgress } from './progress-store.ts';
import { type Projection, workflowsOf } from './projection.ts';
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

/** Begins with the first event of the log. A workflow that is added later is read from where the projection stands. */
export async function registerProjection(
  db: Database,
  projection: Projection,
  say: (sentence: string) => void,
): Promise<void> {
  const { name } = projection;
  const workflows = workflowsOf(projection);
  await indexForProjections(db);
  const before = await db.tx(async (tx) => {
    await lockProjectionName(tx, name);
    const row = await readProjection(tx, name);
    if (row === null) await addProjection(tx, name, workflows, await addProjectionLease(tx));
    else if (String(row.workflows) !== String(workflows)) await setWorkflows(tx, name, workflows);
    return row;
  });
  const added = before ? workflows.filter((workflow) => !before.workflows.includes(workflow)) : [];
  if (added.length > 0)
    say(
      `The projection ${name} now reads ${added.join(', ')} as well, without the events so far: seine workflows projections rebuild ${name}`,
    );
  const missing = before ? 0 : await countIncomplete(db, workflows);
  if (missing > 0) say(`The projection ${name} begins without the archived events of ${missing} workflows.`);
}

export interface RebuildOptions {
  /** Also when events were archived: the projection then lacks what followed from them. */
  readonly incomplete?: boolean;
}

/** How many workflows have lost events to the archive. The runners do the rest: reset, init, and every event once more. */
export async function rebuildProjection(
  db: Database,
  name: string,
  { incomplete = false }: RebuildOptions = {},
): Promise<{ readonly missing: number }> {
  const { row, missing } = await db.tx(async (tx) => {
    await lockProjectionName(tx, name);
    const row = await knownProjection(tx, name);
    const missing = await countIncomplete(tx, row.workflows);
    if (missing > 0 && !incomplete) throw historyLost(name, row.workflows, missing);
    await cancelWork(tx, row.work);
    await forgetProgress(tx, row.lease);
    await restartProjection(tx, name, await addProjectionLease(tx));
    return { row, missing };
  });
  await tellRunners(db, row.workflows[0]!, 'events');
  return { missing };
}

/** False: it was not parked. */
export async function resumeProjection(db: Database, name: string): Promise<boolean> {
  const { workflows } = await knownProjection(db, name);
  const resumed = await clearFailure(db, name);
  if (resumed) await tellRunners(db, workflows[0]!, 'events');
  return resumed;
}

/** Its tables stay: they are the user's. */
export async function removeProjection(db: Database, name: string): Promise<void> {
  await db.tx(async (tx) => {
    await lockProjectionName(tx, name);
    const { work, lease } = await knownProjection(tx, name);
    await cancelWork(tx, work);
    await forgetProgress(tx, lease);
    await deleteProjection(tx, name);
  });
}

async function knownProjection(db: Queryable, name: string): Promise<ProjectionRow> {
  const row = await readProjection(db, name);
  if (row) return row;
  throw new SeineError('not-found', `There is no projection ${name}.`, {
    hint: 'seine workflows projections list shows them; a runner whose module exports one begins it.',
  });
}

function historyLost(name: string, workflows: readonly string[], missing: number): SeineError {
  const count = missing === 1 ? '1 workflow' : `${missing} workflows`;
  return new SeineError(
    'conflict',
    `The history of ${workflows.join(', ')} is no longer complete: first events of ${count} were archived.`,
    {
      hint: `What the projection made of them would be lost. If that is intended: seine workflows projections rebuild ${name} --incomplete`,
    },
  );
}
