/**
 * Without workers no other process runs the hooks of a scan, so this one stays until they have ended. If it exits earlier, the next
 * process that runs scans takes them over.
 */
import { startScanJobs } from '../../app/scan-jobs.ts';
import type { App } from '../../app.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import { type Hook, hostAffinityOfHook, MAX_ATTEMPTS } from '../../scans/hooks/hook.ts';
import { readHooks } from '../../scans/hooks/hook-store.ts';
import { waitForHooks } from '../../scans/hooks/wait-for-hooks.ts';
import { readScan } from '../../scans/lifecycle/scan-store.ts';
import type { CommonFlags } from '../options.ts';
import { runUntilQuit } from '../output/live/run-until-quit.ts';
import { suggestCommand } from '../suggest-command.ts';
import { hostOf } from './waiting-hooks.ts';

type HookFlags = CommonFlags & { readonly quiet?: boolean };

const POLL_INTERVAL_MS = 100;

/** Returns true if all hooks are done or skipped. With `stopRequested` it does not wait for pending ones. */
export async function finishHooks(
  app: App,
  scan: number,
  flags: HookFlags,
  stopRequested = false,
): Promise<boolean> {
  const stage = await stageOf(app, scan);
  if (stage === 'open') return true; // hooks run after the end of the scan
  const before = await readHooks(app.db, scan);
  const shouldWait =
    !stopRequested && (stage === 'ending' || before.some((hook) => hook.state === 'waiting' && isOurs(hook)));
  const hooks = shouldWait
    ? await runUntilQuit(null, (signal) => run(app, scan, flags, signal))
    : latestRound(before);
  for (const hook of hooks) reportResult(hook, flags);
  return hooks.every(({ state }) => state === 'done' || state === 'skipped');
}

async function run(app: App, scan: number, flags: HookFlags, signal: AbortSignal): Promise<Hook[]> {
  const wakeSignal = new WakeSignal();
  const jobs = await startScanJobs(app, wakeSignal, log, null);
  let reported = '';
  const onWaiting = (hooks: readonly Hook[]) => {
    const now = waitingFor(hooks);
    if (now !== reported && !flags.quiet) log(`${now} Ctrl-C stops waiting.`);
    reported = now;
  };
  try {
    while (!signal.aborted && (await stageOf(app, scan)) === 'ending')
      await wakeSignal.wait(POLL_INTERVAL_MS, signal);
    if ((await stageOf(app, scan)) !== 'ended') return [];
    return await waitForHooks(app.db, scan, { wakeSignal, signal, until: 'end', onWaiting, isOurs });
  } finally {
    await jobs.stop();
  }
}

async function stageOf({ db }: App, id: number): Promise<'open' | 'ending' | 'ended'> {
  const scan = await readScan(db, id);
  if (scan?.status === 'finalizing') return 'ending';
  return scan?.finishedAt ? 'ended' : 'open';
}

function waitingFor(hooks: readonly Hook[]): string {
  const each = hooks.map(({ settings, attempts, giveUp, error }) => {
    const tries = attempts - (giveUp - MAX_ATTEMPTS);
    return error === null
      ? settings.name
      : `${settings.name} (try ${tries + 1} of ${MAX_ATTEMPTS}; ${error})`;
  });
  return `Waiting for ${each.join(', ')}.`;
}

function reportResult(hook: Hook, flags: HookFlags): void {
  const { scan, state, error, settings } = hook;
  const retry = suggestCommand(['deadletter', 'retry', '--scan', String(scan), '--yes'], flags);
  if (state === 'failed') log(`${settings.name} failed: ${error} Retry with: ${retry}`);
  const worker = suggestCommand(['worker', '--until-idle'], flags);
  if (state !== 'waiting') return;
  if (isOurs(hook)) log(`${settings.name} is pending. The next scan retries it, or run: ${worker}`);
  else
    log(
      `${settings.name} is pending on ${hostName(hook)}. Run it there with: ${worker} or here with: ${runHereCommand(scan, flags)}`,
    );
}

/** Whether this host can run the hook: a folder of another machine can't be written to from here. */
function isOurs({ settings }: Hook): boolean {
  const place = hostAffinityOfHook(settings);
  return place === null || place === hostAffinity();
}

function hostName({ settings }: Hook): string {
  return hostOf(hostAffinityOfHook(settings)) ?? 'another machine';
}

function runHereCommand(scan: number, flags: HookFlags): string {
  return suggestCommand(['hooks', 'run', String(scan), '--on-this-host'], flags);
}

function latestRound(hooks: readonly Hook[]): readonly Hook[] {
  return hooks.filter((hook) => hook.round === hooks.at(-1)!.round);
}

function log(sentence: string): void {
  process.stderr.write(`seine: ${sentence}\n`);
}
