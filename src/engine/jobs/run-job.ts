/** Runs a claimed job: keeps the claim alive meanwhile, and records how the attempt ended. */
import { messageOf, SeineError } from '../../base/errors.ts';
import { withRetry } from '../../base/retry.ts';
import type { Queryable } from '../../db/database.ts';
import { type ClaimedJob, completeJob, failJob, releaseJob, renewJob } from './job-store.ts';

/** `signal` is aborted when the claim is lost: another process may run the job then. */
export type Handler = (args: never, signal: AbortSignal) => Promise<void>;

/** Expiry of a claim without heartbeats. */
export const CLAIM_MS = 15_000;
const HEARTBEAT_MS = 5000;
/** After an outage the holder must be faster than those that look for expired claims. */
const HEARTBEAT_RETRY_MS = 500;
/** An export may take hours. A handler that runs longer than this hangs, and the job is tried elsewhere. */
const MAX_RUN_MS = 23 * 3_600_000;

export interface RunJobOptions {
  readonly onError: (message: string) => void;
  /** Builds the error message that is stored and logged; defaults to the message of the error. */
  readonly describe?: (error: unknown) => Promise<string>;
}

interface RunContext extends RunJobOptions {
  /** The process stops: an attempt that it interrupts does not count, or a few restarts during a long export would end it for good. */
  readonly isStopping: () => boolean;
}

/** Never fails: what cannot be recorded is repeated when the claim has expired. Returns true if no attempt is left. */
export async function runJob(
  db: Queryable,
  job: ClaimedJob,
  handler: Handler,
  options: RunContext,
): Promise<boolean> {
  const lost = new AbortController();
  const stopHeartbeat = startHeartbeat(db, job, lost);
  try {
    const failure = await failureOf(job, handler, lost.signal);
    if (failure === null)
      await withRetry(() => completeJob(db, job), { forMs: CLAIM_MS, signal: lost.signal });
    else if (!lost.signal.aborted) return await recordFailure(db, job, failure.error, options, lost.signal);
  } catch (error) {
    options.onError(messageOf(error));
  } finally {
    stopHeartbeat();
  }
  return false;
}

async function failureOf(
  { args }: ClaimedJob,
  handler: Handler,
  signal: AbortSignal,
): Promise<{ error: unknown } | null> {
  try {
    await handler(args as never, signal);
    return null;
  } catch (error) {
    return { error };
  }
}

async function recordFailure(
  db: Queryable,
  job: ClaimedJob,
  error: unknown,
  { onError, describe = async (thrown) => messageOf(thrown), isStopping }: RunContext,
  signal: AbortSignal,
): Promise<boolean> {
  const isNonRetryable = error instanceof SeineError && !error.retry;
  if (isStopping() && !isNonRetryable) {
    await withRetry(() => releaseJob(db, job), { forMs: CLAIM_MS, signal });
    return false;
  }
  const reason = await describe(error);
  const isLast = isNonRetryable || job.attempt >= job.maxAttempts;
  if (!isLast) onError(`job ${job.queue}: ${reason}`); // the last one is reported with the dead letter
  await withRetry(() => failJob(db, job, reason, isLast), { forMs: CLAIM_MS, signal });
  return isLast;
}

function startHeartbeat(db: Queryable, job: ClaimedJob, lost: AbortController): () => void {
  const startedAt = performance.now();
  let isStopped = false;
  let timer = setTimeout(beat, HEARTBEAT_MS);
  async function beat(): Promise<void> {
    const isHung = performance.now() - startedAt > MAX_RUN_MS;
    const held = isHung ? false : await renewJob(db, job, CLAIM_MS).catch(() => null);
    if (isStopped) return;
    if (held === false) return lost.abort(new SeineError('conflict', 'The claim of the job has expired.'));
    timer = setTimeout(beat, held ? HEARTBEAT_MS : HEARTBEAT_RETRY_MS);
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
