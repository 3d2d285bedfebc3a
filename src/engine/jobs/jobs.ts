/**
 * Jobs: short tasks with retries and no ordering, run by pg-boss in our PostgreSQL. They are enqueued in the transaction
 * that causes them, so a job exists if and only if its cause was committed.
 *
 * A job may run more than once (its process can crash after the work and before the acknowledgement). Handlers must be
 * idempotent: they write in one transaction that checks whether the effect is already there.
 */
import { type JobWithMetadata, PgBoss } from 'pg-boss';
import { messageOf, SeineError } from '../../base/errors.ts';
import { type PollingLoop, startPollingLoop } from '../../base/polling-loop.ts';
import { backoff, timers } from '../../base/retry.ts';
import type { Database, Queryable, Tx } from '../../db/database.ts';
import { acquireJobSweep, dueQueues, lockQueue, touchQueues, tryAdvisoryLock } from './job-store.ts';
import { createOutageLogger } from './outage-logger.ts';

/** Null: jobs of that queue are only sent by this process and run by others. */
export type Handlers = Readonly<Record<string, Handler | null>>;
type Handler = (data: never) => Promise<void>;

export interface JobOptions {
  readonly onError: (message: string) => void;
  /** Builds the error message that is stored and logged; defaults to the message of the error. */
  readonly describe?: (error: unknown) => Promise<string>;
  /** Called when a job failed permanently: on its last attempt, or with a non-retryable error. */
  readonly onDeadLetter: (name: string, data: object, reason: string) => Promise<void>;
  /**
   * Queues of one serial group run one job at a time; groups don't wait for each other. Default: one group
   * for all.
   */
  readonly serialGroup?: (name: string) => string;
  /**
   * Queues that are removed while unused, such as those of one machine; sending to one recreates it.
   * Default: none.
   */
  readonly isRemovable?: (name: string) => boolean;
}

export interface Jobs {
  /** Sends in the caller's transaction; the job is due after `afterMs` by the database's clock. */
  send(tx: Tx, name: string, data: object, afterMs?: number): Promise<void>;
  /** Polls for jobs at once, because one was sent. */
  wake(): void;
  stop(): Promise<void>;
}

const RETRIES = {
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  expireInSeconds: 23 * 3600, // an export may take hours; a dead process is detected by its missed heartbeat
  heartbeatSeconds: 15,
};
/**
 * Interval of the sweep. A job of a dead process is retried within one heartbeat timeout plus this
 * interval.
 */
const SWEEP_EVERY_MS = 5000;
const PAUSE_MS = 1000;
/** Groups are woken when a job is due; this fallback only covers a lost wake-up. */
const LONG_PAUSE_MS = 60_000;
const DEAD_LETTER_QUEUE = 'given-up';
const QUEUE = { ...RETRIES, deadLetter: DEAD_LETTER_QUEUE };
const SET_UP_LOCK = 7_346_310;
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** Starts working on the queues named by `handlers`. A job that fails is retried, then dead-lettered. */
export async function startJobs(db: Database, handlers: Handlers, options: JobOptions): Promise<Jobs> {
  // Supervision is done by one process at a time (see startJobSweep): by default each process would run it
  // for all queues.
  const boss = new PgBoss({
    db: bossDb(db),
    schema: 'seine_jobs',
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: 1,
  });
  const reportTransient = createOutageLogger(options.onError);
  boss.on('error', reportTransient);
  try {
    await setUp(db, boss, Object.keys(handlers), options);
  } catch (error) {
    await boss.stop({ graceful: false, close: false }).catch(() => {});
    throw error;
  }
  const groups = startSerialGroups(db, boss, runners(handlers, options), { ...options, reportTransient });
  const poller = startPollingLoop('look for jobs', async () => {
    await wakeDue(db, groups).catch(reportTransient);
    return PAUSE_MS;
  });
  const sweep = startJobSweep(db, boss, reportTransient);
  return {
    send: async (tx, name, data, afterMs = 0) => {
      const later = afterMs > 0 ? { startAfter: Math.ceil(afterMs / 1000) } : {};
      if (options.isRemovable?.(name)) await lockOrCreateQueue(tx, boss, name);
      await boss.send(name, data, { db: bossDb(tx), ...later });
    },
    wake: () => poller.wake(),
    stop: () => stopJobs(boss, [poller, sweep, ...groups.map(({ loop }) => loop)]),
  };
}

/**
 * Runs in one process at a time: of several that start on a new database, one creates the tables and
 * queues.
 */
async function setUp(
  db: Database,
  boss: PgBoss,
  names: readonly string[],
  { isRemovable = () => false }: JobOptions,
): Promise<void> {
  // Waiting processes keep no connection: behind a pooler they would take those that the lock holder needs.
  for (let attempt = 0; ; attempt++) {
    const isDone = await db.tx(async (tx) => {
      if (!(await tryAdvisoryLock(tx, SET_UP_LOCK))) return false;
      await createQueues(boss, names);
      // Last, because it locks the queues; any concurrent removal has ended by now.
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
    // The library caches a queue on first use. Inside a transaction that would take a second connection:
    // with a small pool, transactions would deadlock on connections.
    if (queue?.deadLetter !== DEAD_LETTER_QUEUE) await boss.findJobs(name, { id: NO_JOB });
  }
}

/**
 * Ensures that the queue exists until the transaction ends; it may have been removed since the last check.
 */
async function lockOrCreateQueue(tx: Tx, boss: PgBoss, name: string): Promise<void> {
  while (!(await lockQueue(tx, name))) await boss.createQueue(name, QUEUE);
}

type ReportTransient = (error: unknown) => void;

/** Error handlers: `reportTransient` takes errors that the next poll may recover from. */
interface ErrorHandlers extends JobOptions {
  readonly reportTransient: ReportTransient;
}

type Job = JobWithMetadata<object>;
type Runner = readonly [queue: string, run: (job: Job) => Promise<void>];

/**
 * The handlers of this process, plus one for dead letters: jobs whose process crashed at every attempt are
 * reported nowhere else.
 */
function runners(handlers: Handlers, options: JobOptions): Runner[] {
  const ours = Object.entries(handlers).filter((queue): queue is [string, Handler] => queue[1] !== null);
  const giveUp = ({ sourceName, data }: Job) =>
    options.onDeadLetter(sourceName!, data, 'The process that ran it ended each time.');
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
  options: ErrorHandlers,
): SerialGroup[] {
  const byGroup = Map.groupBy(all, ([name]) => options.serialGroup?.(name) ?? 'jobs');
  return [...byGroup].map(([group, some]) => ({
    queues: some.map(([name]) => name),
    loop: startPollingLoop(group, async () =>
      (await runDueJobs(db, boss, some, options)) ? 0 : LONG_PAUSE_MS,
    ),
  }));
}

/** Sweeps periodically for jobs of dead processes, unless another process did so within the interval. */
function startJobSweep(db: Queryable, boss: PgBoss, reportTransient: ReportTransient): PollingLoop {
  let isFirst = true;
  return startPollingLoop('watch jobs', async () => {
    try {
      // Not on the first round: short-lived commands need no sweep.
      if (!isFirst && (await acquireJobSweep(db, SWEEP_EVERY_MS))) await boss.supervise();
    } catch (error) {
      reportTransient(error);
    }
    isFirst = false;
    return SWEEP_EVERY_MS * (0.75 + Math.random() / 2);
  });
}

/** One statement for all queues: idle processes must not load the database in proportion to their number. */
async function wakeDue(db: Queryable, groups: readonly SerialGroup[]): Promise<void> {
  const due = await dueQueues(
    db,
    groups.flatMap(({ queues }) => queues),
  );
  for (const { queues, loop } of groups) if (queues.some((name) => due.has(name))) loop.wake();
}

/**
 * Runs at most one job of each queue that has any (an empty one may have been removed). Returns whether
 * there was any.
 */
async function runDueJobs(
  db: Queryable,
  boss: PgBoss,
  queues: readonly Runner[],
  options: ErrorHandlers,
): Promise<boolean> {
  let any = false;
  const names = queues.map(([name]) => name);
  const due = await dueQueues(db, names).catch((error) => {
    options.reportTransient(error);
    return new Set<string>();
  });
  for (const [name, run] of queues.filter(([queue]) => due.has(queue))) {
    const [job] = await boss.fetch<object>(name, { includeMetadata: true }).catch((error) => {
      options.reportTransient(error);
      return [];
    });
    if (!job) continue;
    any = true;
    const beat = setInterval(() => boss.touch(name, job.id).catch(() => {}), 5000);
    try {
      await run(job);
      await boss.complete(name, job.id);
    } catch (error) {
      await handleFailure(boss, job, error, options);
    } finally {
      clearInterval(beat);
    }
  }
  return any;
}

async function handleFailure(boss: PgBoss, job: Job, error: unknown, options: JobOptions): Promise<void> {
  const reason = await (options.describe?.(error) ?? messageOf(error));
  const isNonRetryable = (error instanceof SeineError && !error.retry) || job.retryCount >= job.retryLimit;
  try {
    if (!isNonRetryable) options.onError(`job ${job.name}: ${reason}`);
    else await options.onDeadLetter(job.name, job.data, reason);
    if (isNonRetryable) await boss.complete(job.name, job.id, { givenUp: reason });
    else await boss.fail(job.name, job.id, { reason });
  } catch (again) {
    options.onError(messageOf(again)); // the job stays assigned until its heartbeat times out, and is then retried
  }
}

async function stopJobs(boss: PgBoss, loops: readonly PollingLoop[]): Promise<void> {
  await Promise.all(loops.map((loop) => loop.stop()));
  await boss.stop({ graceful: false, close: false });
}

function bossDb(db: Queryable) {
  return { executeSql: (text: string, values?: unknown[]) => db.query(text, values) };
}
