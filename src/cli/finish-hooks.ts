/**
 * Without workers nobody else runs what follows the end of a scan: this process stays until its hooks have ended. Whoever leaves
 * before leaves them to the next process that works on scans.
 */
import { openJobs } from '../app/scan-jobs.ts';
import type { App } from '../app.ts';
import { Bell } from '../base/bell.ts';
import { placeOf } from '../engine/workers/worker.ts';
import { type Hook, placeOfHook, TRIES } from '../scans/hooks/hook.ts';
import { readHooks } from '../scans/hooks/hook-store.ts';
import { waitForHooks } from '../scans/hooks/wait-for-hooks.ts';
import { readScan } from '../scans/scan-store.ts';
import { commandAgain } from './again.ts';
import type { CommonFlags } from './options.ts';
import { untilLeft } from './output/live/leaving.ts';
import { machineOf } from './waiting-hooks.ts';

type HookFlags = CommonFlags & { readonly quiet?: boolean };

const LOOK_EVERY_MS = 100;

/** True: all that were asked for are done. `leaving`: those that wait are not waited for. */
export async function finishHooks(
  app: App,
  scan: number,
  flags: HookFlags,
  leaving = false,
): Promise<boolean> {
  const stage = await stageOf(app, scan);
  if (stage === 'open') return true; // they follow its end
  const before = await readHooks(app.db, scan);
  const stay =
    !leaving && (stage === 'ending' || before.some((hook) => hook.state === 'waiting' && isOurs(hook)));
  const hooks = stay ? await untilLeft(null, (signal) => run(app, scan, flags, signal)) : newestOf(before);
  for (const hook of hooks) tellEnd(hook, flags);
  return hooks.every(({ state }) => state === 'done' || state === 'skipped');
}

async function run(app: App, scan: number, flags: HookFlags, signal: AbortSignal): Promise<Hook[]> {
  const news = new Bell();
  const jobs = await openJobs(app, news, say, null);
  let told = '';
  const tell = (hooks: readonly Hook[]) => {
    const now = waitingFor(hooks);
    if (now !== told && !flags.quiet) say(`${now} Ctrl-C leaves.`);
    told = now;
  };
  try {
    while (!signal.aborted && (await stageOf(app, scan)) === 'ending') await news.wait(LOOK_EVERY_MS, signal);
    if ((await stageOf(app, scan)) !== 'ended') return [];
    return await waitForHooks(app.db, scan, { news, signal, until: 'end', tell, isOurs });
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
    const tries = attempts - (giveUp - TRIES);
    return error === null ? settings.name : `${settings.name} (try ${tries + 1} of ${TRIES}; ${error})`;
  });
  return `Waiting for ${each.join(', ')}.`;
}

function tellEnd(hook: Hook, flags: HookFlags): void {
  const { scan, state, error, settings } = hook;
  const again = commandAgain(['deadletter', 'retry', '--scan', String(scan), '--yes'], flags);
  if (state === 'failed') say(`${settings.name} failed: ${error} Once more: ${again}`);
  const worker = commandAgain(['worker', '--until-idle'], flags);
  if (state !== 'waiting') return;
  if (isOurs(hook)) say(`${settings.name} was not done yet. The next scan tries it again, or: ${worker}`);
  else
    say(
      `${settings.name} waits for ${elsewhere(hook)}. Run it there with: ${worker} Or here: ${here(scan, flags)}`,
    );
}

/** A folder of another machine can't be written to from here. */
function isOurs({ settings }: Hook): boolean {
  const place = placeOfHook(settings);
  return place === null || place === placeOf();
}

function elsewhere({ settings }: Hook): string {
  return machineOf(placeOfHook(settings)) ?? 'another machine';
}

function here(scan: number, flags: HookFlags): string {
  return commandAgain(['hooks', 'run', String(scan), '--here'], flags);
}

function newestOf(hooks: readonly Hook[]): readonly Hook[] {
  return hooks.filter((hook) => hook.round === hooks.at(-1)!.round);
}

function say(sentence: string): void {
  process.stderr.write(`seine: ${sentence}\n`);
}
