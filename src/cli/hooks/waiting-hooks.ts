/** Warnings about hooks that are pending for longer than one attempt takes. */
import type { App } from '../../app.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import { listWaitingHooks, type WaitingHook } from '../../scans/hooks/waiting-store.ts';
import type { CommonFlags } from '../options.ts';
import { humanSeconds, pluralize } from '../output/quantities.ts';
import { suggestCommand } from '../suggest-command.ts';

const WARN_AFTER_SECONDS = 60;
const MAX_LISTED = 3;

/** Warns about hooks of one scan (null: of all) that are pending for long; lists at most MAX_LISTED. */
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
  const listed = long.slice(0, MAX_LISTED).map((hook) => adviceFor(hook, flags));
  const more = long.length - listed.length;
  const list = suggestCommand(['hooks', 'list'], flags);
  return more > 0 ? [...listed, `${pluralize(more, 'more pending hook')}: ${list}`] : listed;
}

export function adviceFor(hook: WaitingHook, flags: CommonFlags): string {
  const { scan, place, hasWorker, error } = hook;
  const since = `${hook.name} of scan ${scan} has been pending for ${humanSeconds(hook.waitingSeconds)}`;
  const run = ['hooks', 'run', String(scan)];
  if (place === null || place === hostAffinity())
    return `${since}${error === null ? '' : ` (${error})`}. Run it now with: ${suggestCommand(run, flags)}`;
  const there = hasWorker ? '' : '; no worker is running there';
  const here = suggestCommand([...run, '--on-this-host'], flags);
  return `${since} on ${hostOf(place)}${there}. Run it on this machine with: ${here}`;
}

/** The host name of a host affinity; null if there is none. */
export function hostOf(place: string | null): string | null {
  return place === null ? null : place.split('/')[0]!;
}
