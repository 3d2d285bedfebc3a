/** Runs the jobs of several queues, one at a time. */
import type { Queryable } from '../../db/database.ts';
import { claimJob } from './job-store.ts';
import { CLAIM_MS, type Handler, type RunJobOptions, runJob } from './run-job.ts';

export interface SerialGroup {
  readonly queues: readonly string[];
  /** Runs jobs until none is due. */
  wake(): void;
  /** Resolves when the current job has ended; no further one starts. */
  stop(): Promise<void>;
}

interface SerialGroupOptions extends RunJobOptions {
  readonly serialGroup?: (queue: string) => string;
  /** A job has no attempts left, so its dead letter can be written. */
  readonly onExhausted: () => void;
  /** Takes errors that the next poll may recover from. */
  readonly reportTransient: (error: unknown) => void;
}

export function startSerialGroups(
  db: Queryable,
  handlers: Readonly<Record<string, Handler | null>>,
  options: SerialGroupOptions,
): SerialGroup[] {
  const handled = Object.entries(handlers).filter((entry): entry is [string, Handler] => entry[1] !== null);
  const byGroup = Map.groupBy(handled, ([queue]) => options.serialGroup?.(queue) ?? 'jobs');
  return [...byGroup.values()].map((entries) => startSerialGroup(db, new Map(entries), options));
}

function startSerialGroup(
  db: Queryable,
  handlers: ReadonlyMap<string, Handler>,
  options: SerialGroupOptions,
): SerialGroup {
  let queuesInTurn = [...handlers.keys()];
  let isStopping = false;
  let isWoken = false;
  let running: Promise<void> | null = null;
  const context = { ...options, isStopping: () => isStopping };

  async function runDueJobs(): Promise<void> {
    while (isWoken && !isStopping) {
      isWoken = false;
      const job = await claimJob(db, queuesInTurn, CLAIM_MS);
      if (job === null) continue; // woken meanwhile: the job may have been sent after the claim
      isWoken = true;
      queuesInTurn = [...queuesInTurn.filter((queue) => queue !== job.queue), job.queue];
      if (await runJob(db, job, handlers.get(job.queue)!, context)) options.onExhausted();
    }
  }

  function wake(): void {
    isWoken = true;
    running ??= runDueJobs()
      .catch(options.reportTransient)
      .finally(() => {
        running = null;
        if (isWoken && !isStopping) wake();
      });
  }

  return {
    queues: queuesInTurn,
    wake,
    stop: async () => {
      isStopping = true;
      await running;
    },
  };
}
