/** Idle workers split the shards of others: at one point as a work stealer does, or at several as a plan does. */
import { SeineError } from '../../src/base/errors.ts';
import type { Key } from '../../src/base/key.ts';
import { contains } from '../../src/base/range.ts';
import type { Database } from '../../src/db/database.ts';
import { splittableLeases } from '../../src/engine/leases/split-store.ts';
import { splitShard } from '../../src/scans/planning/split-shard.ts';
import { WorkStealer } from '../../src/scans/planning/work-stealer.ts';
import { stealableScans } from '../../src/scans/shard/shard-store.ts';
import type { Choices } from './random.ts';
import type { Stage, StagedScan } from './stage.ts';

export const HOST_AFFINITY = 'here';
const never = new AbortController().signal;

/** False: nothing is worth it now. */
export async function steal(db: Database, stage: Stage, choices: Choices): Promise<boolean> {
  try {
    for (const id of await stealableScans(db, HOST_AFFINITY, [])) {
      const scan = stage.scans.find((one) => one.id === id)!;
      if (choices.chance(0.5)) {
        const taken = await new WorkStealer(db, id, scan.source, { firstPauseMs: 0 }).steal(never);
        if (taken) stage.note('split');
        if (taken) return true;
      } else if (await splitManyWays(db, stage, scan, choices)) return true;
    }
  } catch (error) {
    ignoreRetryable(error); // a work stealer without an answer retries later
  }
  return false;
}

/** At any keys, or beside them: what is not free is refused. */
async function splitManyWays(
  db: Database,
  stage: Stage,
  scan: StagedScan,
  choices: Choices,
): Promise<boolean> {
  const leases = await splittableLeases(db, scan.id, choices.of(['held', 'also waiting']));
  if (leases.length === 0) return false;
  const lease = choices.of(leases);
  const free = scan.keys.filter((key) => contains(lease.free, key));
  const keys = free.length > 0 && choices.chance(0.8) ? free : scan.keys;
  const splitPoints = Array.from({ length: choices.between(1, 3) }, () =>
    splitPointNear(choices.of(keys), choices),
  );
  if (choices.chance(0.15)) splitPoints.push(`${lease.free.after}\0` as Key); // as near to the holder as can be
  const added = await splitShard(db, scan.id, lease.id, {
    splitPoints: [...new Set(splitPoints)],
    hints: [],
  });
  stage.note(added === 0 ? 'split refused' : added === 1 ? 'split' : 'split several ways');
  return added > 0;
}

function splitPointNear(key: Key, choices: Choices): Key {
  return choices.chance(0.2) ? (`${key}~` as Key) : key;
}

export function ignoreRetryable(error: unknown): void {
  if (!(error instanceof SeineError && error.retry)) throw error;
}
