/**
 * Ends actions in batches: those that finish while one transaction is in progress go into the next. The result, the event and the dead letter of an
 * action are written in the same transaction.
 *
 * Retries through an outage of the database. A result is dropped only if a higher token exists.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { startPollingLoop } from '../../base/polling-loop.ts';
import { withRetry } from '../../base/retry.ts';
import type { Database } from '../../db/database.ts';
import { releaseActionWithBackoff } from './action-store.ts';
import { endBatch, type FinishedAction } from './end-batch.ts';
import { errorText } from './error-text.ts';

export interface QueuedCompletion extends FinishedAction {
  /** Resolves when it is written, or can't be. */
  left(): void;
}

export interface CompletionOptions {
  readonly leaseMs: number;
  onError(message: string): void;
  /** Called with the workflows to which an event was appended. */
  ended?(workflowKeys: readonly number[], actions: number): void;
}

const MAX_BATCH = 1000;
const MAX_CHARACTERS = 4 << 20;
const IDLE_PAUSE_MS = 60_000;
const OUTAGE_PAUSE_MS = 500;

export function startCompletionWriter(db: Database, options: CompletionOptions) {
  const queue: QueuedCompletion[] = [];
  const stopping = new AbortController();
  const loop = startPollingLoop('end actions', async () => {
    const batch = takeBatch(queue);
    if (batch.length === 0) return IDLE_PAUSE_MS;
    if (await endOrRequeue(db, queue, batch, options, stopping.signal)) return 0;
    return OUTAGE_PAUSE_MS;
  });
  return {
    add: (finished: QueuedCompletion) => {
      queue.push(finished);
      loop.wake();
    },
    stop: () => {
      stopping.abort();
      return loop.stop();
    },
  };
}

function takeBatch(queue: QueuedCompletion[]): QueuedCompletion[] {
  let [count, characters] = [0, 0];
  while (count < queue.length && count < MAX_BATCH && characters < MAX_CHARACTERS) {
    const { outcome } = queue[count++]!;
    characters += outcome.as === 'done' ? outcome.result.length : outcome.error.length;
  }
  return queue.splice(0, count);
}

/** False: the database is unavailable; the batch is retried. */
async function endOrRequeue(
  db: Database,
  queue: QueuedCompletion[],
  batch: readonly QueuedCompletion[],
  options: CompletionOptions,
  signal: AbortSignal,
): Promise<boolean> {
  let refused: unknown;
  try {
    const { keys, ended } = await withRetry(() => db.tx((tx) => endBatch(tx, batch)), {
      forMs: options.leaseMs,
      signal,
    });
    for (const { left } of batch) left();
    if (ended > 0) options.ended?.([...keys], ended);
    return true;
  } catch (error) {
    options.onError(`ending actions: ${messageOf(error)}`);
    if (error instanceof SeineError && error.retry) {
      queue.unshift(...batch);
      return false;
    }
    refused = error;
  }
  // One of them can't be written; it must not fail the others.
  if (batch.length === 1) await retryLater(db, batch[0]!, refused, options);
  else for (const one of batch) await endOrRequeue(db, queue, [one], options, signal);
  return true;
}

const RETRY_LATER_MS = 60_000;

/** A rejected result is a failure, not a crash: the action must not expire. */
async function retryLater(
  db: Database,
  { claimed, left }: QueuedCompletion,
  cause: unknown,
  options: CompletionOptions,
): Promise<void> {
  const reason = `Its result could not be stored: ${errorText(cause)}`;
  try {
    await releaseActionWithBackoff(db, claimed, reason, RETRY_LATER_MS);
  } catch (error) {
    options.onError(`delaying ${claimed.name}: ${messageOf(error)}`); // its lease expires
  }
  left();
}
