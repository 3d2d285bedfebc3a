/** A job queue in its simplest form: at least once, sometimes more often, sometimes to two workers at once. */
import { SeineError } from '../../src/base/errors.ts';
import type { Database, Tx } from '../../src/db/database.ts';
import type { Jobs } from '../../src/engine/jobs/jobs.ts';
import type { HookContext } from '../../src/scans/hooks/hook-context.ts';
import { resolveHookLetter } from '../../src/scans/hooks/hook-letter-store.ts';
import { endHook, readHookAttempt } from '../../src/scans/hooks/hook-store.ts';
import { runHook } from '../../src/scans/hooks/run-hook.ts';
import { pruneInventories } from '../../src/scans/inventory/inventory-store.ts';
import { finalizeScan } from '../../src/scans/lifecycle/finalize-scan.ts';

export const sentJobs: Jobs = {
  async send(tx: Tx, name: string, data: object, afterMs = 0): Promise<void> {
    await tx.query(
      `insert into sent (name, data, not_before) values ($1, $2, clock() + $3 * interval '1 millisecond')`,
      [name, JSON.stringify(data), afterMs],
    );
  },
  wake() {},
  async stop() {},
};

interface Job {
  readonly id: number;
  readonly name: string;
  readonly data: { scan: number; round: number; n: number; attempt: number };
}

/** False: there is none now. `refuses`: whether a receiver of hooks does not answer this time. */
export async function workOnJob(db: Database, refuses: () => boolean): Promise<boolean> {
  const { rows } = await db.query<Job>(
    `select id, name, data from sent where not taken and not_before <= clock() order by id limit 1`,
    [],
  );
  const job = rows[0];
  if (!job) return false;
  await run(db, job, refuses);
  await db.query('update sent set taken = true where id = $1', [job.id]);
  return true;
}

async function run(db: Database, { name, data }: Job, refuses: () => boolean): Promise<void> {
  if (name === 'finalize') await finalizeScan(db, sentJobs, data.scan);
  else if (name === 'prune') await pruneInventories(db, data.scan);
  else if (refuses()) await runHook(db, unanswered, data);
  else await deliver(db, data);
}

/** Every try fails, and may be made again. */
const unanswered: HookContext = {
  send: sentJobs.send,
  hostAffinity: 'simulated',
  signal: new AbortController().signal,
  fetch: () => {
    throw new SeineError('unavailable', 'connection refused');
  },
  access: () => ({}),
  allow: [],
};

/** What hooks do outside is not simulated; that each is recorded once is. */
async function deliver(db: Database, job: Job['data']): Promise<void> {
  const hook = await readHookAttempt(db, job);
  if (hook === null || hook.state !== 'waiting' || hook.attempts !== job.attempt) return;
  const late = hook.scanRound !== hook.round;
  await db.tx(async (tx) => {
    const ended = await endHook(tx, job, late ? 'skipped' : 'done', late ? 'opened again' : null, {});
    if (ended) await resolveHookLetter(tx, job);
  });
}
