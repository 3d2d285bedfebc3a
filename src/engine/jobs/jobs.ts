/**
 * Jobs: short tasks with retries and without a position. A job is a row of the table `job`.
 *
 *              claim                complete
 *   available ───────▶ running ───────────────▶ (deleted)
 *       ▲                │ │ fail, or claim expired: last attempt
 *       │ fail, or claim │ └───────────────▶ exhausted ──────▶ (deleted, and its dead letter written)
 *       └────────────────┘ expired; back-off
 *
 * A job is sent in the transaction that causes it, so it exists if and only if its cause was committed. It may run more
 * than once (its process can crash after the work and before the acknowledgement): handlers must be idempotent. They write
 * in one transaction that checks whether the effect is already there.
 *
 * Claims are those of leases (engine/leases/lease.ts): a fencing token and a random id that every write of the holder must match,
 * a heartbeat, and expiry by the clock of the database. So one process at a time runs a job as long as it reaches the database;
 * one that was suspended, or cut off, cannot complete what another has taken over, and its handler's signal is aborted.
 *
 * Crash: the claim expires, one process at a time looks for those, and the job is tried again after a pause. Crashes count as
 * attempts. Lost answer of a claim: the same. Of a completion: repeated, and the row is gone. The transaction that deletes an
 * exhausted job writes its dead letter: exactly one, whatever crashes.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { type PollingLoop, startPollingLoop } from '../../base/polling-loop.ts';
import type { Database, Tx } from '../../db/database.ts';
import {
  acquireJobSweep,
  delayExhaustedJob,
  dueQueues,
  type ExhaustedJob,
  failExpiredJobs,
  insertJob,
  removeExhaustedJob,
} from './job-store.ts';
import { createOutageLogger } from './outage-logger.ts';
import { startPgBossTransfer } from './pg-boss-transfer.ts';
import type { Handler, RunJobOptions } from './run-job.ts';
import { startSerialGroups } from './serial-group.ts';

/** By queue. Null: its jobs are only sent by this process and run by others. */
export type Handlers = Readonly<Record<string, Handler | null>>;

export interface JobOptions extends RunJobOptions {
  /**
   * Writes the dead letter of a job that failed permanently: on its last attempt, or with a non-retryable error. Any process
   * does this for any queue, once, in the transaction that removes the job.
   */
  readonly writeDeadLetter?: (tx: Tx, queue: string, args: object, reason: string) => Promise<void>;
  /** Called after that transaction. */
  readonly onDeadLetter?: (queue: string, args: object, reason: string) => unknown;
  /**
   * Queues of one serial group run one job at a time, in turn; groups don't wait for each other. Default: one
   * group for all.
   */
  readonly serialGroup?: (queue: string) => string;
}

export interface SendOptions {
  /** Of two due jobs of a queue the one with the higher priority runs first. Default: 0. */
  readonly priority?: number;
  /** The job is not added while one with this key waits or runs in the queue, so the key names the work, not its subject. */
  readonly uniqueKey?: string;
}

export interface Jobs {
  /** Sends in the caller's transaction; the job is due after `afterMs` by the database's clock. */
  send(tx: Tx, queue: string, args: object, afterMs?: number, options?: SendOptions): Promise<void>;
  /**
   * Polls for jobs at once, because one was sent. With the queue of a notification: soon, and only if this process runs its
   * jobs.
   */
  wake(queue?: string): void;
  stop(): Promise<void>;
}

const POLL_MS = 1000;
/** Every process is notified of a job: the polls are spread over this time. */
const NOTIFICATION_SPREAD_MS = 50;
/** A job of a dead process is retried within the expiry of its claim, this interval and a pause. */
const SWEEP_EVERY_MS = 5000;

/** Starts working on the queues named by `handlers`. A job that fails is retried, then dead-lettered. */
export async function startJobs(db: Database, handlers: Handlers, options: JobOptions): Promise<Jobs> {
  const reportTransient = createOutageLogger(options.onError);
  const groups = startSerialGroups(db, handlers, {
    ...options,
    reportTransient,
    onExhausted: () => poller.wake(),
  });
  const queues = groups.flatMap((group) => group.queues);
  const poller = startPollingLoop('look for jobs', async () => {
    try {
      const due = await dueQueues(db, queues);
      for (const group of groups) if (group.queues.some((queue) => due.has(queue))) group.wake();
      if (due.has(null)) await writeDeadLetters(db, options);
    } catch (error) {
      reportTransient(error);
    }
    return POLL_MS;
  });
  const sweep = startJobSweep(db, reportTransient);
  const transfer = startPgBossTransfer(db, queues, reportTransient);
  let notified: NodeJS.Timeout | undefined;
  return {
    send: (tx, queue, args, afterMs = 0, { priority = 0, uniqueKey = null } = {}) =>
      insertJob(tx, { queue, args, afterMs, priority, uniqueKey }),
    wake: (queue) => {
      if (queue === undefined) return poller.wake();
      if (!queues.includes(queue)) return;
      clearTimeout(notified);
      notified = setTimeout(() => poller.wake(), Math.random() * NOTIFICATION_SPREAD_MS);
    },
    stop: async () => {
      clearTimeout(notified);
      await Promise.all([poller, sweep, transfer, ...groups].map((loop) => loop.stop()));
    },
  };
}

/**
 * Ends expired attempts periodically, unless another process did so within the interval. Not on the first round, because
 * short-lived commands need none, and not right after an outage: holders must have the time to renew their claims.
 */
function startJobSweep(db: Database, reportTransient: (error: unknown) => void): PollingLoop {
  let isReady = false;
  return startPollingLoop('look for expired jobs', async () => {
    try {
      if (isReady && (await acquireJobSweep(db, SWEEP_EVERY_MS))) await failExpiredJobs(db);
      isReady = true;
    } catch (error) {
      isReady = false;
      reportTransient(error);
    }
    return SWEEP_EVERY_MS * (0.75 + Math.random() / 2);
  });
}

/** Until there are none. One whose dead letter cannot be written does not delay the others. */
async function writeDeadLetters(db: Database, options: JobOptions): Promise<void> {
  let job: ExhaustedJob | null;
  do {
    job = null as ExhaustedJob | null;
    let reason = '';
    try {
      await db.tx(async (tx) => {
        job = await removeExhaustedJob(tx);
        if (job === null) return;
        reason = job.error ?? crashReason(job.crashes);
        await options.writeDeadLetter?.(tx, job.queue, job.args, reason);
      });
      if (job !== null) await options.onDeadLetter?.(job.queue, job.args, reason);
    } catch (error) {
      if (job === null || (error instanceof SeineError && error.kind === 'unavailable')) throw error;
      options.onError(`dead letter of job ${job.queue}: ${messageOf(error)}`);
      await delayExhaustedJob(db, job.id);
    }
  } while (job !== null);
}

function crashReason(crashes: number): string {
  return crashes === 1 ? 'crashed the worker' : `crashed the worker ${crashes} times`;
}
