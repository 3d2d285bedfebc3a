/** Handlers of the scan jobs, and of jobs that failed permanently. */
import type { App } from '../app.ts';
import { messageOf } from '../base/errors.ts';
import type { WakeSignal } from '../base/wake-signal.ts';
import { settingsFor } from '../config/source-config.ts';
import { resolveReference } from '../config/values/reference.ts';
import type { Config } from '../config.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { hostAffinity } from '../engine/workers/worker.ts';
import type { HookJob } from '../scans/hooks/hook.ts';
import type { HookContext } from '../scans/hooks/hook-context.ts';
import { openUrl } from '../scans/hooks/webhook/webhook-url.ts';
import type { ScanContextDeps } from '../scans/scan-context.ts';
import type { Access } from '../sources/access.ts';

/** Opens the request gate of a source; see ScanContextDeps. */
export type OpenRequestGate = ScanContextDeps['openGate'];

/** Runs the jobs of scans in this process until stopped. Without a gate it runs no planning jobs, because these send requests. */
export async function startScanJobs(
  app: App,
  wakeSignal: WakeSignal,
  warn: (message: string) => void,
  openGate: OpenRequestGate | null,
): Promise<Jobs> {
  const { db } = app;
  const stopping = new AbortController();
  const warnThrottled = throttleRepeats(warn);
  const onError = (message: string) => void (stopping.signal.aborted || warnThrottled(message)); // aborted jobs are retried
  const { startJobs } = await import('../engine/jobs/jobs.ts');
  const { finalizeScan } = await import('../scans/lifecycle/finalize-scan.ts');
  const { pruneInventories } = await import('../scans/inventory/inventory-store.ts');
  const { hookQueue } = await import('../scans/hooks/hook.ts');
  const hook = async (job: HookJob, lost: AbortSignal) => {
    const { runHook } = await import('../scans/hooks/run-hook.ts');
    await runHook(db, hookDeps(app, jobs, AbortSignal.any([stopping.signal, lost])), job);
  };
  const plan = async ({ scan }: { scan: number }, lost: AbortSignal) => {
    await planWithBudget(app, openGate!, scan, AbortSignal.any([stopping.signal, lost]));
    wakeSignal.notifyAll();
  };
  const jobs = await startJobs(
    db,
    {
      plan: openGate ? plan : null,
      finalize: async ({ scan }: { scan: number }) => {
        await finalizeScan(db, jobs, scan);
        wakeSignal.notifyAll();
      },
      prune: ({ scan }: { scan: number }) => pruneInventories(db, scan),
      hook,
      [hookQueue(hostAffinity())]: hook,
    },
    {
      onError,
      describe: (error) => maskedMessage(app, error),
      writeDeadLetter: (tx, name, data, reason) => writeDeadLetter(tx, jobs, name, data as never, reason),
      onDeadLetter: (name, _data, reason) => {
        onError(`job ${name} failed permanently: ${reason}`);
        wakeSignal.notifyAll();
      },
      serialGroup: serialGroupOf,
    },
  );
  await resendLostJobs(db, jobs).catch((error) => onError(messageOf(error)));
  const stop = async () => {
    stopping.abort();
    await jobs.stop();
  };
  return { ...jobs, stop };
}

/** Resends lost jobs when a process starts: without workers no other process does. */
async function resendLostJobs(db: Database, jobs: Jobs): Promise<void> {
  const { resendHooks } = await import('../scans/hooks/lost-hooks.ts');
  const { finalizeStranded } = await import('../scans/lifecycle/finalize-scan.ts');
  await db.tx((tx) => resendHooks(tx, jobs.send));
  await db.tx((tx) => finalizeStranded(tx, jobs));
  jobs.wake();
}

/** Errors of sources contain object names, which may contain sensitive values. */
async function maskedMessage({ secret }: App, error: unknown): Promise<string> {
  const { NameMasker } = await import('../scans/names/name-masker.ts');
  return new NameMasker(secret).message(messageOf(error));
}

/** Planning requests count towards the rate limit and the budget of the scan. An exhausted budget ends the planning. */
async function planWithBudget(
  app: App,
  openGate: OpenRequestGate,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const { db, config } = app;
  const { planScan } = await import('../scans/planning/plan-scan.ts');
  const { readScan } = await import('../scans/lifecycle/scan-store.ts');
  const { openGatedSource } = await import('../scans/shard/deferred-gate.ts');
  const { NameMasker } = await import('../scans/names/name-masker.ts');
  const { BudgetExhausted } = await import('../engine/budget/budget-exhausted.ts');
  const scan = await readScan(db, id);
  if (!scan || scan.finishedAt !== null) return;
  const settings = settingsFor(config, scan.source)?.settings;
  const names = new NameMasker(app.secret, scan.ruleSet);
  const { source, opened } = await openGatedSource(scan, names, settings, (quota) =>
    openGate(scan, quota, () => {}),
  );
  try {
    await planScan(db, id, source, config.plan, signal, names);
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) throw error;
  } finally {
    await opened.close();
  }
}

/** Records the failure: on the hook, on the scan if it could not be finalized, else as a dead letter. */
async function writeDeadLetter(
  tx: Tx,
  jobs: Jobs,
  name: string,
  data: HookJob,
  reason: string,
): Promise<void> {
  if (name === 'hook' || name.startsWith('hook.')) {
    const { recordHookFailure } = await import('../scans/hooks/run-hook.ts');
    return recordHookFailure(tx, data, reason);
  }
  if (name === 'finalize') {
    const { recordFinalizeFailure } = await import('../scans/lifecycle/finalize-scan.ts');
    return recordFinalizeFailure({ tx: (work) => work(tx) }, jobs, data.scan, reason);
  }
  const { addDeadJob } = await import('../scans/dead-letters/letter-store.ts');
  const { errorGroupKey } = await import('../base/error-group-key.ts');
  await addDeadJob(tx, { scan: data.scan, name, data, reason, signature: errorGroupKey(reason) });
}

/** Hooks and plans have their own groups, so that a long export or plan does not delay the finalization of a scan. */
function serialGroupOf(name: string): string {
  return name.startsWith('hook') || name === 'plan' ? name.split('.', 1)[0]! : 'ends';
}

function hookDeps(app: App, jobs: Jobs, signal: AbortSignal): HookContext {
  return {
    send: jobs.send,
    hostAffinity: hostAffinity(),
    signal,
    fetch: (reference) => {
      const text = resolveReference(reference);
      return reference.from === 'text' ? openUrl(text, app.secret) : text;
    },
    access: (target) => accessTo(app.config)(target),
    allow: (process.env.SEINE_WEBHOOK_ALLOW ?? '').split(',').filter((host) => host !== ''),
  };
}

/** How this process reaches a target. */
export function accessTo(config: Config): (target: string) => Access {
  return (target) => {
    const settings = settingsFor(config, target)?.settings;
    return settings ? { settings } : {};
  };
}

/** While the database is unreachable every poll fails; the same message is logged at most every 30 s. */
function throttleRepeats(warn: (message: string) => void): (message: string) => void {
  const loggedAt = new Map<string, number>();
  return (message) => {
    if (performance.now() - (loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) < 30_000) return;
    loggedAt.set(message, performance.now());
    warn(message);
  };
}
