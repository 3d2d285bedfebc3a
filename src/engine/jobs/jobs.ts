/**
 * Jobs: short errands with retries and no position, carried by pg-boss in our PostgreSQL. They are sent in the
 * transaction that makes them necessary, so there is never a job without its cause nor a cause without its job.
 *
 * A job may run more than once (its process can die after the work and before saying so); handlers therefore take
 * effect in one transaction that finds out whether the effect is already there.
 */
import { PgBoss } from 'pg-boss';
import { messageOf } from '../../base/errors.ts';
import { type Loop, startLoop } from '../../base/service.ts';
import type { Database, Queryable, Tx } from '../../db/database.ts';

export type Handlers = Readonly<Record<string, (data: never) => Promise<void>>>;

export interface Jobs {
  /** Sends in the caller's transaction. */
  send(tx: Tx, name: string, data: object): Promise<void>;
  /** Looks for jobs now: something was sent. */
  wake(): void;
  stop(): Promise<void>;
}

const RETRIES = {
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  expireInSeconds: 900,
  heartbeatSeconds: 15,
};
const PAUSE_MS = 1000;
const SET_UP_LOCK = 7_346_310;

/** Starts working on the queues named by `handlers`. Errors of a job are its own: it is retried, then kept as failed. */
export async function startJobs(
  db: Database,
  handlers: Handlers,
  onError: (message: string) => void,
): Promise<Jobs> {
  const boss = new PgBoss({ db: bossDb(db), schema: 'seine_jobs', schedule: false });
  boss.on('error', (error) => onError(messageOf(error)));
  try {
    await setUp(db, boss, Object.keys(handlers));
  } catch (error) {
    await boss.stop({ graceful: false, close: false }).catch(() => {});
    throw error;
  }
  const loop = startLoop('jobs', async () => ((await workOnce(boss, handlers, onError)) ? 0 : PAUSE_MS));
  return {
    send: async (tx, name, data) => void (await boss.send(name, data, { db: bossDb(tx) })),
    wake: () => loop.wake(),
    stop: () => stopJobs(boss, loop),
  };
}

/** One process at a time: of several that start on a new database, one makes the tables and queues. */
async function setUp(db: Database, boss: PgBoss, names: readonly string[]): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [SET_UP_LOCK]);
    await boss.start();
    const known = new Set((await boss.getQueues([...names])).map((queue) => queue.name));
    for (const name of names) if (!known.has(name)) await boss.createQueue(name, RETRIES);
  });
}

/** Runs at most one job of each queue; whether there was any. */
async function workOnce(
  boss: PgBoss,
  handlers: Handlers,
  onError: (message: string) => void,
): Promise<boolean> {
  let any = false;
  for (const [name, handler] of Object.entries(handlers)) {
    const [job] = await boss.fetch(name).catch((error) => {
      onError(messageOf(error));
      return [];
    });
    if (!job) continue;
    any = true;
    const beat = setInterval(() => boss.touch(name, job.id).catch(() => {}), 5000);
    try {
      await handler(job.data as never);
      await boss.complete(name, job.id);
    } catch (error) {
      onError(`job ${name}: ${messageOf(error)}`);
      await boss.fail(name, job.id, { message: messageOf(error) }).catch(() => {});
    } finally {
      clearInterval(beat);
    }
  }
  return any;
}

async function stopJobs(boss: PgBoss, loop: Loop): Promise<void> {
  await loop.stop();
  await boss.stop({ graceful: false, close: false });
}

function bossDb(db: Queryable) {
  return { executeSql: (text: string, values?: unknown[]) => db.query(text, values) };
}
