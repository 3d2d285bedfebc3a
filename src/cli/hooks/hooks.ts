/** The subcommands of `seine hooks`. */
import { SeineError } from '../../base/errors.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import { type Hook, hostAffinityOfHook } from '../../scans/hooks/hook.ts';
import { readHooks } from '../../scans/hooks/hook-store.ts';
import { runHooksOnThisHost } from '../../scans/hooks/lost-hooks.ts';
import { listWaitingHooks, type WaitingHook } from '../../scans/hooks/waiting-store.ts';
import { describeReason, reasonText } from '../../scans/results/reason-code.ts';
import type { CommonFlags } from '../options.ts';
import { humanSeconds } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/visible.ts';
import { suggestCommand } from '../suggest-command.ts';
import { chooseScan, withApp } from '../with-app.ts';
import { withJobs } from '../with-jobs.ts';
import { finishHooks } from './finish-hooks.ts';
import { adviceFor, hostOf } from './waiting-hooks.ts';

export interface HooksFlags extends CommonFlags {
  readonly onThisHost?: boolean;
  readonly quiet?: boolean;
}

export async function listHooks(id: string | undefined, flags: HooksFlags): Promise<void> {
  await withApp(flags, async (app) => {
    if (id === undefined) {
      const { tenant, staleMs } = app.config;
      return showWaiting(await listWaitingHooks(app.db, { tenant, staleMs }), flags);
    }
    showAll(await readHooks(app.db, (await chooseScan(app, id, flags)).id), flags);
  });
}

function withReason<T extends { readonly error: string | null }>(hook: T): T & { errorCode: string | null } {
  const { reason, reasonCode } = describeReason(hook.error);
  return { ...hook, error: reason, errorCode: reasonCode };
}

function showWaiting(hooks: readonly WaitingHook[], flags: HooksFlags): void {
  if (flags.json) return print(hooks.map((hook) => `${JSON.stringify(withReason(hook))}\n`).join(''));
  if (hooks.length === 0) return log('No pending hooks.');
  const rows = hooks.map((hook) => [
    String(hook.scan),
    visible(hook.name),
    hostOf(hook.place) ?? 'any',
    humanSeconds(hook.waitingSeconds),
    String(hook.attempts),
    visible(reasonText(hook.error ?? '')),
  ]);
  const head = ['SCAN', 'HOOK', 'MACHINE', 'WAITING', 'TRIES', 'LAST ERROR'];
  print(table(['right', 'left', 'left', 'right', 'right', 'left'], [head, ...rows]));
  for (const hook of hooks) if (!hook.hasWorker) log(adviceFor(hook, flags));
}

function showAll(hooks: readonly Hook[], flags: HooksFlags): void {
  if (flags.json) return print(hooks.map((hook) => `${JSON.stringify(withReason(hook))}\n`).join(''));
  if (hooks.length === 0) return log('The scan has no hooks.');
  const rows = hooks.map((hook) => [
    String(hook.round),
    visible(hook.settings.name),
    hook.state,
    hostOf(hostAffinityOfHook(hook.settings)) ?? 'any',
    String(hook.attempts),
    visible(reasonText(hook.error ?? '')),
  ]);
  const head = ['ROUND', 'HOOK', 'STATE', 'MACHINE', 'TRIES', 'LAST ERROR'];
  print(table(['right', 'left', 'left', 'left', 'right', 'left'], [head, ...rows]));
}

/** Returns false if a hook failed permanently or is still pending. */
export async function runHooks(id: string, flags: HooksFlags): Promise<boolean> {
  return withApp(flags, async (app) => {
    const scan = await chooseScan(app, id, flags);
    if (scan.finishedAt === null)
      throw new SeineError('conflict', `Scan ${scan.id} has not ended; its hooks run after its end.`, {
        hint: `Resume with: ${suggestCommand(['resume', String(scan.id)], flags)}`,
      });
    const waiting = await listWaitingHooks(app.db, { scan: scan.id });
    if (waiting.length === 0) {
      log(`No pending hooks for scan ${scan.id}. Retry failed ones with: ${retryCommand(scan.id, flags)}`);
      return true;
    }
    if (flags.onThisHost)
      await withJobs(app, (jobs) => runHooksOnThisHost(app.db, jobs.send, scan.id, hostAffinity()));
    return finishHooks(app, scan.id, flags);
  });
}

function retryCommand(scan: number, flags: HooksFlags): string {
  return suggestCommand(['deadletter', 'retry', '--scan', String(scan), '--kind', 'job', '--yes'], flags);
}

function print(text: string): void {
  process.stdout.write(text);
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
