/**
 * Detects at the start of a runner whether `evolve` was changed without a new `stateVersion`: then long histories continue from snapshots of the
 * previous code, and short ones do not. A few of the newest snapshots are compared with a fold of their events, if these all still exist. It only
 * warns: which of the two states is correct, only the developer knows.
 */
import { isDeepStrictEqual } from 'node:util';
import { many, type Queryable } from '../../db/database.ts';
import { readWorkflow } from '../../events/read-store.ts';
import type { AnyWorkflow } from '../define.ts';
import { fold, initialState } from '../state/fold.ts';

/** About a millisecond each at the start of a process. */
const SNAPSHOTS = 3;
const MAX_EVENTS = 1000;
/** Snapshots of other types skipped before enough of this type are found. */
const MAX_SCANNED = 2000;

/** Returns the warning; null if all agree, or none could be compared. */
export async function staleSnapshot(db: Queryable, workflow: AnyWorkflow): Promise<string | null> {
  for (const { key, id, version, state } of await newestSnapshots(db, workflow)) {
    const events = await readWorkflow(db, key, 0, version);
    if (events.length < version || events.at(-1)!.version !== version) continue;
    const folded = fold(workflow, initialState(workflow), events);
    if (isDeepStrictEqual(asStored(folded.state), state)) continue;
    const { name, stateVersion } = workflow;
    return (
      `${name} ${id}: its snapshot at event ${version} is another state than evolve makes of these events. ` +
      `If evolve or initial was changed, set stateVersion: ${stateVersion + 1}; if not, evolve is not pure.`
    );
  }
  return null;
}

function asStored(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state ?? null));
}

interface Snapshot {
  readonly key: number;
  readonly id: string;
  readonly version: number;
  readonly state: unknown;
}

/** One per workflow, the first it has: it covers the fewest events. */
function newestSnapshots(db: Queryable, { name, version, stateVersion }: AnyWorkflow): Promise<Snapshot[]> {
  return many<Snapshot>(
    db,
    `select key, id, snapshot.version, snapshot.state
     from (
       select distinct workflow_key from (
         select workflow_key from snapshot order by workflow_key desc, version desc limit $5) newest) newest
     join workflow on key = workflow_key and name = $1
     cross join lateral (
       select version, state from snapshot
       where snapshot.workflow_key = key and schema = $2 and state_version = $3 and snapshot.version <= $4
       order by version
       limit 1) snapshot
     order by key desc
     limit $6`,
    [name, version, stateVersion, MAX_EVENTS, MAX_SCANNED, SNAPSHOTS],
  );
}
