/**
 * Runs webhooks and exports after a scan has ended, each once per end.
 *
 * A hook is a row with the states `waiting → done | failed | skipped`. The transaction that ends the scan sends one job
 * for each. A job makes one attempt and records it: the row is updated only if it still waits for that very attempt. A
 * retryable failure sends the job of the next attempt, with a delay, in the same transaction.
 *
 * Crash before the record: the job is redelivered and the attempt repeated (a receiver recognises it by its delivery id, an
 * export writes the same files). Crash after it: the redelivered job is outdated and does nothing. What was acknowledged
 * and recorded is never delivered again. A lost job is sent again by other processes: lost-hooks.ts.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { readScan, type ScanRow } from '../lifecycle/scan-store.ts';
import type { HookResult } from './hook.ts';
import { type End, type HookJob, hookQueue, hostAffinityOfHook, MAX_ATTEMPTS } from './hook.ts';
import type { HookContext, SendHook } from './hook-context.ts';
import { deadLetterHook, resolveHookLetter } from './hook-letter-store.ts';
import {
  countFailedAttempt,
  endHook,
  type HookAttempt,
  markHooksSent,
  readHookAttempt,
  readWaiting,
  repeatHooks,
  skipSuperseded,
  skipUnrequested,
} from './hook-store.ts';

/**
 * Called in the transaction that ended the scan, for every end: sends a job for each hook that it triggers.
 */
export async function sendHooks(tx: Tx, send: SendHook, scan: number, end: End): Promise<void> {
  await repeatHooks(tx, scan);
  await skipSuperseded(tx, scan);
  await skipUnrequested(tx, scan, end);
  await markHooksSent(tx, scan);
  for (const { round, n, attempts, settings } of await readWaiting(tx, scan)) {
    await send(tx, hookQueue(hostAffinityOfHook(settings)), { scan, round, n, attempt: attempts }, 0);
  }
}

/** The `hook` job: one attempt. */
export async function runHook(db: Database, context: HookContext, job: HookJob): Promise<void> {
  const hook = await readHookAttempt(db, job);
  if (hook === null || hook.state !== 'waiting' || hook.attempts !== job.attempt) return;
  const affinity = hostAffinityOfHook(hook.settings);
  if (affinity !== null && affinity !== context.hostAffinity) return; // another host has taken it over, with its own job
  const outcome = await attemptHook(db, context, hook);
  await db.tx((tx) => record(tx, context.send, job, hook, outcome));
}

/**
 * Called when the job of a hook was dead-lettered without a result from `runHook`: its process crashed on
 * every attempt, or the database was unreachable.
 */
export async function recordHookFailure(tx: Tx, job: HookJob, reason: string): Promise<void> {
  await deadLetterHook(tx, job, reason);
}

async function attemptHook(db: Database, context: HookContext, hook: HookAttempt): Promise<HookResult> {
  if (hook.scanRound !== hook.round) return { end: 'skipped', reason: 'scan-reopened' };
  const scan = await readScan(db, hook.scan);
  if (scan === null) return { end: 'skipped', reason: 'scan-deleted' };
  try {
    return await runByType(db, context, hook, scan);
  } catch (error) {
    context.signal.throwIfAborted(); // the process stops: the job is redelivered, and this does not count as an attempt
    const isPermanent = error instanceof SeineError && !error.retry;
    return { end: isPermanent ? 'failed' : 'again', reason: messageOf(error) };
  }
}

/** Loads the implementation on demand: every scan sends its hooks, but few processes run any. */
async function runByType(
  db: Database,
  context: HookContext,
  hook: HookAttempt,
  scan: ScanRow,
): Promise<HookResult> {
  const { settings } = hook;
  if (settings.kind === 'webhook') {
    const { runWebhook } = await import('./webhook/run-webhook.ts');
    return runWebhook(db, context, hook, settings, scan);
  }
  const { runExport } = await import('./export/run-export.ts');
  return runExport(db, context, hook, settings, scan);
}

async function record(
  tx: Tx,
  send: SendHook,
  job: HookJob,
  hook: HookAttempt,
  outcome: HookResult,
): Promise<void> {
  if (outcome.end === 'done' || outcome.end === 'skipped') {
    const [reason, result] = outcome.end === 'done' ? [null, outcome.result] : [outcome.reason, null];
    if (await endHook(tx, job, outcome.end, reason, result)) await resolveHookLetter(tx, job);
    return;
  }
  const last = outcome.end === 'failed' || job.attempt + 1 >= hook.giveUp;
  if (last) return void (await deadLetterHook(tx, job, outcome.reason));
  if (!(await countFailedAttempt(tx, job, outcome.reason))) return;
  const next = { ...job, attempt: job.attempt + 1 };
  await send(tx, hookQueue(hostAffinityOfHook(hook.settings)), next, pauseBefore(hook, outcome.afterMs));
}

const PAUSE = { firstMs: 10_000, maxMs: 300_000 };
const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Full jitter, doubled up to five minutes: eight attempts take about eight minutes, a quarter of an hour at
 * most.
 */
function pauseBefore(hook: HookAttempt, retryAfterMs = 0): number {
  const attempts = hook.attempts - (hook.giveUp - MAX_ATTEMPTS);
  return Math.max(backoff(attempts, PAUSE), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
