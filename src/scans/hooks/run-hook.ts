/**
 * What happens after a scan has ended: webhooks and exports, each once per end.
 *
 * A hook is a row that waits: `waiting → done | failed | skipped`. The transaction that ends the scan sends one job for
 * each. A job makes one try, then records it: the row moves only if it still waits for that very try. A try that
 * failed and may be repeated sends the job of the next one, later, in the same transaction.
 *
 * At a crash: before the record, the job comes back and the try is made again (a receiver knows it by its delivery id, an
 * export writes the same files); after it, the job comes back, finds that it was overtaken and does nothing. What
 * was acknowledged and recorded is never delivered again. A job that is lost is sent again by others: lost-hooks.ts.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { readScan, type ScanRow } from '../lifecycle/scan-store.ts';
import { type End, type HookJob, hookQueue, hostAffinityOfHook, MAX_TRIES } from './hook.ts';
import type { HookDeps, SendHook } from './hook-deps.ts';
import { deadLetterHook, resolveHookLetter } from './hook-letter-store.ts';
import type { HookResult } from './hook-result.ts';
import {
  countTry,
  endHook,
  type HookTurn,
  hooksSent,
  readTurn,
  readWaiting,
  repeatHooks,
  skipSuperseded,
  skipUnrequested,
} from './hook-store.ts';

/** In the transaction that ended the scan, whatever the end: a job for each hook that asked for it. */
export async function sendHooks(tx: Tx, send: SendHook, scan: number, end: End): Promise<void> {
  await repeatHooks(tx, scan);
  await skipSuperseded(tx, scan);
  await skipUnrequested(tx, scan, end);
  await hooksSent(tx, scan);
  for (const { round, n, attempts, settings } of await readWaiting(tx, scan)) {
    await send(tx, hookQueue(hostAffinityOfHook(settings)), { scan, round, n, attempt: attempts }, 0);
  }
}

/** The `hook` job: one try. */
export async function runHook(db: Database, tools: HookDeps, job: HookJob): Promise<void> {
  const hook = await readTurn(db, job);
  if (hook === null || hook.state !== 'waiting' || hook.attempts !== job.attempt) return;
  const place = hostAffinityOfHook(hook.settings);
  if (place !== null && place !== tools.place) return; // another place has taken it over, with a job of its own
  const outcome = await tryHook(db, tools, hook);
  await db.tx((tx) => record(tx, tools.send, job, hook, outcome));
}

/** The job of a hook was given up without a word from `runHook`: its process died each time, or the database was away. */
export async function recordHookFailure(db: Database, job: HookJob, reason: string): Promise<void> {
  await db.tx((tx) => deadLetterHook(tx, job, reason));
}

async function tryHook(db: Database, tools: HookDeps, hook: HookTurn): Promise<HookResult> {
  if (hook.scanRound !== hook.round) return { end: 'skipped', reason: 'the scan was opened again' };
  const scan = await readScan(db, hook.scan);
  if (scan === null) return { end: 'skipped', reason: 'the scan is gone' };
  try {
    return await runByType(db, tools, hook, scan);
  } catch (error) {
    tools.signal.throwIfAborted(); // asked to stop: the job comes back, and this was no try
    const hopeless = error instanceof SeineError && !error.retry;
    return { end: hopeless ? 'failed' : 'again', reason: messageOf(error) };
  }
}

/** Every scan sends its hooks, few run any: what that needs is loaded then. */
async function runByType(db: Database, tools: HookDeps, hook: HookTurn, scan: ScanRow): Promise<HookResult> {
  const { settings } = hook;
  if (settings.kind === 'webhook') {
    const { runWebhook } = await import('./webhook/run-webhook.ts');
    return runWebhook(db, tools, hook, settings, scan);
  }
  const { runExport } = await import('./export/run-export.ts');
  return runExport(db, tools, hook, settings, scan);
}

async function record(
  tx: Tx,
  send: SendHook,
  job: HookJob,
  hook: HookTurn,
  outcome: HookResult,
): Promise<void> {
  if (outcome.end === 'done' || outcome.end === 'skipped') {
    const [reason, result] = outcome.end === 'done' ? [null, outcome.result] : [outcome.reason, null];
    if (await endHook(tx, job, outcome.end, reason, result)) await resolveHookLetter(tx, job);
    return;
  }
  const last = outcome.end === 'failed' || job.attempt + 1 >= hook.giveUp;
  if (last) return void (await deadLetterHook(tx, job, outcome.reason));
  if (!(await countTry(tx, job, outcome.reason))) return;
  const next = { ...job, attempt: job.attempt + 1 };
  await send(tx, hookQueue(hostAffinityOfHook(hook.settings)), next, pauseBefore(hook, outcome.afterMs));
}

const PAUSE = { firstMs: 10_000, mostMs: 300_000 };
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Full jitter, doubled up to five minutes: eight tries take some eight minutes, a quarter of an hour at most. */
function pauseBefore(hook: HookTurn, retryAfterMs = 0): number {
  const tries = hook.attempts - (hook.giveUp - MAX_TRIES);
  return Math.max(backoff(tries, PAUSE), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
