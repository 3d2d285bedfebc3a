/**
 * Jobs: short errands with retries and no position, carried by pg-boss in our PostgreSQL. They are sent in the
 * transaction that makes them necessary, so there is never a job without its cause nor a cause without its job.
 *
 * A job may run more than once (its process can die after the work and before saying so); handlers therefore take
 * effect in one transaction that finds out whether the effect is already there.
 */
import { type JobWithMetadata, PgBoss } from 'pg-boss';
import { messageOf, SeineError } from '../../base/errors.ts';
import { type PollingLoop, startPollingLoop } from '../../base/polling-loop.ts';
import { backoff, timers } from '../../base/retry.ts';
import type { Database, Queryable, Tx } from '../../db/database.ts';
import { acquireJobSweep, dueQueues, lockQueue, touchQueues, tryAdvisoryLock } from './job-store.ts';
import { createOutageLogger } from './outage-logger.ts';

/** Null: jobs of that queue are sent from here, and run by others. */
export type Handlers = Readonly<Record<string, Handler | null>>;
type Handler = (data: never) => Promise<void>;

export interface JobOptions {
  readonly onError: (message: string) => void;
  /** The message of a failure as it is stored and logged; without it, that of the error itself. */
  readonly describe?: (error: unknown) => Promise<string>;
  /** The job failed for good: its last try, or an error that another try can't mend. */
  readonly onDeadLetter: (name: string, data: object, reason: string) => Promise<void>;
  /** Queues of one lane are worked on one job after the other; lanes don't wait for each other. All in one unless told. */
  readonly serialGroup?: (name: string) => string;
  /** Queues that are removed when nobody uses them, such as those of one machine. Sending to one makes it anew. None unless told. */
  readonly isRemovable?: (name: string) => boolean;
}

export interface Jobs {
  /** Sends in the caller's transaction, to be run after `afterMs` by the database's clock. */
  send(tx: Tx, name: string, data: object, afterMs?: number): Promise<void>;
  /** Looks for jobs now: something was sent. */
  wake(): void;
  stop(): Promise<void>;
}

const RETRIES = {
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  expireInSeconds: 23 * 3600, // an export may take hours; a process that died shows by its heartbeat
  heartbeatSeconds: 15,
};
/** How soon a job is given to another when the process that had it died: a heartbeat, and one of these. */
const SWEEP_EVERY_MS = 5000;
const PAUSE_MS = 1000;
/** A lane is woken when there is something for it; this is only for a wake that got lost. */
const LONG_PAUSE_MS = 60_000;
const DEAD_LETTER_QUEUE = 'given-up';
const QUEUE = { ...RETRIES, deadLetter: DEAD_LETTER_QUEUE };
const SET_UP_LOCK = 7_346_310;
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** Starts working on the queues named by `handlers`. A job that fails is tried again, then given up. */
export async function startJobs(db: Database, handlers: Handlers, trouble: JobOptions): Promise<Jobs> {
  // One process watches for all, in turns of ours: left to itself, each would ask all of it again and again.
  const boss = new PgBoss({
    db: bossDb(db),
    schema: 'seine_jobs',
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: 1,
  });
  const reportTransient = createOutageLogger(trouble.onError);
  boss.on('error', reportTransient);
  try {
    await setUp(db, boss, Object.keys(handlers), trouble);
  } catch (error) {
    await boss.stop({ graceful: false, close: false }).catch(() => {});
    throw error;
  }
  const lanes = startSerialGroups(db, boss, runners(handlers, trouble), { ...trouble, reportTransient });
  const look = startPollingLoop('look for jobs', async () => {
    await wakeDue(db, lanes).catch(reportTransient);
    return PAUSE_MS;
  });
  const watch = startJobSweep(db, boss, reportTransient);
  return {
    send: async (tx, name, data, afterMs = 0) => {
      const later = afterMs > 0 ? { startAfter: Math.ceil(afterMs / 1000) } : {};
      if (trouble.isRemovable?.(name)) await lockOrCreateQueue(tx, boss, name);
      await boss.send(name, data, { db: bossDb(tx), ...later });
    },
    wake: () => look.wake(),
    stop: () => stopJobs(boss, [look, watch, ...lanes.map(({ loop }) => loop)]),
  };
}

/** One process at a time: of several that start on a new database, one makes the tables and queues. */
async function setUp(
  db: Database,
  boss: PgBoss,
  names: readonly string[],
  { isRemovable = () => false }: JobOptions,
): Promise<void> {
  // Whoever has to wait keeps no connection meanwhile: behind a pooler the waiting ones would take those that the one who has the lock needs.
  for (let attempt = 0; ; attempt++) {
    const isDone = await db.tx(async (tx) => {
      if (!(await tryAdvisoryLock(tx, SET_UP_LOCK))) return false;
      await createQueues(boss, names);
      // Last, for it locks them; whoever was removing one has done so now.
      const removable = names.filter(isRemovable);
      await touchQueues(tx, removable);
      for (const name of removable) await lockOrCreateQueue(tx, boss, name);
      return true;
    });
    if (isDone) return;
    await timers.sleep(10 + backoff(attempt, { firstMs: 20, mostMs: 500 }));
  }
}

async function createQueues(boss: PgBoss, names: readonly string[]): Promise<void> {
  await boss.start();
  const known = new Map(
    (await boss.getQueues([DEAD_LETTER_QUEUE, ...names])).map((queue) => [queue.name, queue]),
  );
  if (!known.has(DEAD_LETTER_QUEUE))
    await boss.createQueue(DEAD_LETTER_QUEUE, { ...RETRIES, retryLimit: 1000 });
  for (const name of names) {
    const queue = known.get(name);
    if (!queue) await boss.createQueue(name, QUEUE);
    else if (queue.deadLetter !== DEAD_LETTER_QUEUE) await boss.updateQueue(name, QUEUE);
    // The library remembers a queue when it first needs it. In a transaction that sends to it this would take a second connection: with a small
    // pool, transactions would wait for each other's.
    if (queue?.deadLetter !== DEAD_LETTER_QUEUE) await boss.findJobs(name, { id: NO_JOB });
  }
}

/** The queue is there until the transaction is over; it may have been removed since anybody looked. */
async function lockOrCreateQueue(tx: Tx, boss: PgBoss, name: string): Promise<void> {
  while (!(await lockQueue(tx, name))) await boss.createQueue(name, QUEUE);
}

type ReportTransient = (error: unknown) => void;

/** Where to go with errors: `complain` is for those that the next look may find mended. */
interface ErrorHandlers extends JobOptions {
  readonly reportTransient: ReportTransient;
}

type Job = JobWithMetadata<object>;
type Runner = readonly [queue: string, run: (job: Job) => Promise<void>];

/** What this process works on: its handlers, and the jobs whose process died at every try, of which nobody else tells. */
function runners(handlers: Handlers, trouble: JobOptions): Runner[] {
  const ours = Object.entries(handlers).filter((queue): queue is [string, Handler] => queue[1] !== null);
  const giveUp = ({ sourceName, data }: Job) =>
    trouble.onDeadLetter(sourceName!, data, 'The process that ran it ended each time.');
  return [
    ...ours.map(([name, handler]) => [name, (job: Job) => handler(job.data as never)] as const),
    [DEAD_LETTER_QUEUE, giveUp],
  ];
}

interface SerialGroup {
  readonly queues: readonly string[];
  readonly loop: PollingLoop;
}

function startSerialGroups(
  db: Queryable,
  boss: PgBoss,
  all: readonly Runner[],
  trouble: ErrorHandlers,
): SerialGroup[] {
  const byLane = Map.groupBy(all, ([name]) => trouble.serialGroup?.(name) ?? 'jobs');
  return [...byLane].map(([lane, some]) => ({
    queues: some.map(([name]) => name),
    loop: startPollingLoop(lane, async () =>
      (await runDueJobs(db, boss, some, trouble)) ? 0 : LONG_PAUSE_MS,
    ),
  }));
}

/** Now and then: finds the jobs whose process has died, unless somebody else has just looked. */
function startJobSweep(db: Queryable, boss: PgBoss, complain: ReportTransient): PollingLoop {
  let isFirst = true;
  return startPollingLoop('watch jobs', async () => {
    try {
      // Not at once: a command that is done in a moment need not care.
      if (!isFirst && (await acquireJobSweep(db, SWEEP_EVERY_MS))) await boss.supervise();
    } catch (error) {
      complain(error);
    }
    isFirst = false;
    return SWEEP_EVERY_MS * (0.75 + Math.random() / 2);
  });
}

/** One statement for all queues: thousands of idle processes must not weigh on the database. */
async function wakeDue(db: Queryable, lanes: readonly SerialGroup[]): Promise<void> {
  const due = await dueQueues(
    db,
    lanes.flatMap(({ queues }) => queues),
  );
  for (const { queues, loop } of lanes) if (queues.some((name) => due.has(name))) loop.wake();
}

/** Runs at most one job of each queue that has any (one that has none may have been removed); whether there was any. */
async function runDueJobs(
  db: Queryable,
  boss: PgBoss,
  queues: readonly Runner[],
  trouble: ErrorHandlers,
): Promise<boolean> {
  let any = false;
  const names = queues.map(([name]) => name);
  const due = await dueQueues(db, names).catch((error) => {
    trouble.reportTransient(error);
    return new Set<string>();
  });
  for (const [name, run] of queues.filter(([queue]) => due.has(queue))) {
    const [job] = await boss.fetch<object>(name, { includeMetadata: true }).catch((error) => {
      trouble.reportTransient(error);
      return [];
    });
    if (!job) continue;
    any = true;
    const beat = setInterval(() => boss.touch(name, job.id).catch(() => {}), 5000);
    try {
      await run(job);
      await boss.complete(name, job.id);
    } catch (error) {
      await handleFailure(boss, job, error, trouble);
    } finally {
      clearInterval(beat);
    }
  }
  return any;
}

async function handleFailure(boss: PgBoss, job: Job, error: unknown, trouble: JobOptions): Promise<void> {
  const reason = await (trouble.describe?.(error) ?? messageOf(error));
  const hopeless = (error instanceof SeineError && !error.retry) || job.retryCount >= job.retryLimit;
  try {
    if (!hopeless) trouble.onError(`job ${job.name}: ${reason}`);
    else await trouble.onDeadLetter(job.name, job.data, reason);
    if (hopeless) await boss.complete(job.name, job.id, { givenUp: reason });
    else await boss.fail(job.name, job.id, { reason });
  } catch (again) {
    trouble.onError(messageOf(again)); // it stays with us until its heartbeat is missed, and is then tried again
  }
}

async function stopJobs(boss: PgBoss, loops: readonly PollingLoop[]): Promise<void> {
  await Promise.all(loops.map((loop) => loop.stop()));
  await boss.stop({ graceful: false, close: false });
}

function bossDb(db: Queryable) {
  return { executeSql: (text: string, values?: unknown[]) => db.query(text, values) };
}
