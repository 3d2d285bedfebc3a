/** What people are told of hooks that wait longer than a try takes. */
import type { App } from '../../app.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import { listWaitingHooks, type WaitingHook } from '../../scans/hooks/waiting-store.ts';
import type { CommonFlags } from '../options.ts';
import { humanSeconds, pluralize } from '../output/quantities.ts';
import { suggestCommand } from '../suggest-command.ts';

const WARN_AFTER_SECONDS = 60;
const MAX_LISTED = 3;

/** Of one scan, or of all; a few of many. Nothing when none has waited for long. */
export async function warnAboutWaitingHooks(
  app: App,
  flags: CommonFlags,
  scan: number | null,
): Promise<void> {
  for (const sentence of await waitingSentences(app, flags, scan)) process.stderr.write(`${sentence}\n`);
}

export async function waitingSentences(
  { db, config }: Pick<App, 'db' | 'config'>,
  flags: CommonFlags,
  scan: number | null,
): Promise<string[]> {
  const { tenant, staleMs } = config;
  const all = await listWaitingHooks(db, { tenant, staleMs, scan });
  const long = all.filter(({ waitingSeconds }) => waitingSeconds > WARN_AFTER_SECONDS);
  const told = long.slice(0, MAX_LISTED).map((hook) => adviceFor(hook, flags));
  const more = long.length - told.length;
  const list = suggestCommand(['hooks', 'list'], flags);
  return more > 0 ? [...told, `${pluralize(more, 'more hook waits', 'more hooks wait')}: ${list}`] : told;
}

export function adviceFor(hook: WaitingHook, flags: CommonFlags): string {
  const { scan, place, hasWorker, error } = hook;
  const since = `${hook.name} of scan ${scan} has waited for ${humanSeconds(hook.waitingSeconds)}`;
  const run = ['hooks', 'run', String(scan)];
  if (place === null || place === hostAffinity())
    return `${since}${error === null ? '' : ` (${error})`}. Run it now with: ${suggestCommand(run, flags)}`;
  const there = hasWorker ? '' : ', where no worker runs: start one there';
  const here = suggestCommand([...run, '--here'], flags);
  return `${since} for ${hostOf(place)}${there}. To write it on this machine instead: ${here}`;
}

/** The part of a place that people know; null: it is no particular one. */
export function hostOf(place: string | null): string | null {
  return place === null ? null : place.split('/')[0]!;
}
