/** Actors other than workers: operators that pause, resume, cancel and retry, and the leader with its duties. */
import { SeineError } from '../../src/base/errors.ts';
import type { Database, Tx } from '../../src/db/database.ts';
import { startLeader } from '../../src/engine/leader/leader.ts';
import { retryLetters } from '../../src/scans/dead-letters/retry.ts';
import { cancelScan, pauseScan } from '../../src/scans/lifecycle/control-scan.ts';
import { finalizeStranded } from '../../src/scans/lifecycle/finalize-scan.ts';
import { resumeScan } from '../../src/scans/lifecycle/resume-scan.ts';
import { readScan } from '../../src/scans/lifecycle/scan-store.ts';
import { rollUpLedgers } from '../../src/scans/retention/retention-store.ts';
import type { Actor, Role } from './actor.ts';
import { isFaulty } from './bucket.ts';
import { sentJobs } from './jobs.ts';
import type { Choices } from './random.ts';
import type { OperatorAction } from './scenario.ts';
import { type Stage, type StagedScan, TTL_MS } from './stage.ts';
import { retryThroughOutage } from './worker.ts';

/** What the person or process of that id does. */
export function roleFor(
  action: OperatorAction,
  scan: StagedScan,
  stage: Stage,
  choices: Choices,
  id: string,
): Role {
  if (action === 'pause and resume') return pauseAndResume(scan, stage, choices);
  if (action === 'cancel') return (db) => retryThroughOutage(() => cancelScan(db, sentJobs, scan.id));
  if (action === 'retry' || action === 'retry as it ends') return retry(scan, stage, choices.chance(0.7));
  return lead(stage, choices, id);
}

/** Once for a while, or several times in a row. */
function pauseAndResume(scan: StagedScan, stage: Stage, choices: Choices): Role {
  return async (db, self) => {
    for (let times = choices.of([1, 1, 4]), again = times > 1; times > 0; times--) {
      await retryThroughOutage(() =>
        pauseScan(db, scan.id, choices.of(['paused', 'interrupted']), 'a person'),
      );
      for (let i = again ? 0 : choices.below(6); i > 0; i--) await stage.world.scheduler.nap(self);
      await resume(scan)(db, self);
    }
  };
}

export function resume(scan: StagedScan): Role {
  return async (db) => {
    const row = (await retryThroughOutage(() => readScan(db, scan.id)))!;
    if (row.finishedAt === null) await retryThroughOutage(() => resumeScan(db, sentJobs, row, null, 'old'));
  };
}

/** `mend`: what was wrong with the source is put right before. */
export function retry(scan: StagedScan, stage: Stage, mend: boolean): Role {
  return async (db) => {
    if (mend) repair(scan);
    const { letters } = await retryThroughOutage(() =>
      retryLetters(db, sentJobs, { tenant: scan.tenant, scan: scan.id }),
    );
    if (letters > 0) stage.note('dead letters retried');
  };
}

function repair({ natures, source, wall }: StagedScan): void {
  for (const [key, nature] of natures)
    if (isFaulty(nature)) natures.set(key, key.charCodeAt(key.length - 1) % 2 === 0 ? 'clean' : 'finding');
  if (wall !== null) source.failList(wall, new SeineError('permission', 'no entry'), 0);
}

/** Leads once, for a few duties, and records which worker held the lease at each write. */
function lead(stage: Stage, choices: Choices, worker: string): Role {
  return async (db, self) => {
    const queried = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    done.promise.catch(() => {});
    const leader = startLeader(afterEachQuery(db, queried.resolve), {
      worker,
      ttlMs: TTL_MS,
      everyMs: 0,
      onError: (error) => {
        queried.reject(error);
        done.reject(error);
      },
      duties: async (asLeader) => {
        for (let i = choices.between(1, 3); i > 0; i--) {
          const led = await asLeader(async (tx) => {
            if (choices.chance(0.3)) await outliveLease(stage, self, choices);
            return write(tx, worker);
          });
          stage.note(led === null ? 'leader refused' : 'leader wrote');
          await asLeader((tx) => finalizeStranded(tx, sentJobs));
          if (choices.chance(0.5)) await asLeader(rollUp);
          await napOrLoseLease(stage, self, choices);
        }
        done.resolve();
      },
    });
    try {
      await queried.promise;
      await new Promise((resolve) => setImmediate(resolve)); // it has taken up its duties, or will not
      if (leader.isLeader) await done.promise;
    } catch (error) {
      if (!self.alive) throw error;
      stage.note('leader gave up');
    } finally {
      await leader.stop();
    }
  };
}

/** Sometimes for so long that another one leads meanwhile. */
async function napOrLoseLease({ world }: Stage, self: Actor, choices: Choices): Promise<void> {
  if (choices.chance(0.5)) {
    await world.clock.advance(2 * TTL_MS);
    self.asleepUntil = world.scheduler.turns + choices.between(5, 40);
  }
  await world.scheduler.nap(self);
}

/** Suspended within a transaction for longer than the lease, while another worker tries to lead. */
async function outliveLease(stage: Stage, self: Actor, choices: Choices): Promise<void> {
  await stage.world.clock.advance(2 * TTL_MS);
  self.asleepUntil = stage.world.scheduler.turns + choices.between(10, 40);
  stage.leaderWanted = true;
}

/** Records the holder of the lease at that moment: another one than the writer means that the fence failed. */
async function write(tx: Tx, worker: string): Promise<boolean> {
  await tx.query('insert into led (worker, leader) select $1, holder from range_lease where group_id = 0', [
    worker,
  ]);
  return true;
}

async function rollUp(tx: Tx): Promise<void> {
  if (((await rollUpLedgers(tx, 0)) ?? 0) > 0) await tx.query('insert into rolled_up values (true)', []);
}

function afterEachQuery(db: Database, noticed: () => void): Database {
  const query = async (sql: string, params?: readonly unknown[]) => {
    const answer = await db.query(sql, params);
    noticed();
    return answer;
  };
  return { ...db, query: query as Database['query'] };
}
