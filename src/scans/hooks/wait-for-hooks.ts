import type { WakeSignal } from '../../base/wake-signal.ts';
import type { Queryable } from '../../db/database.ts';
import type { Hook } from './hook.ts';
import { readHooks } from './hook-store.ts';

const POLL_INTERVAL_MS = 500;

export interface WaitOptions {
  readonly news: WakeSignal;
  readonly signal: AbortSignal;
  /** `first try`: whoever else works on jobs makes the others. `end`: nobody else does. */
  readonly until: 'first try' | 'end';
  /** Those that this process can run; all unless told. Others are not waited for: perhaps nobody is there who can. */
  readonly isOurs?: (hook: Hook) => boolean;
  /** Called with those that are waited for, again and again. */
  readonly tell?: (waiting: readonly Hook[]) => void;
}

/** Waits for the hooks of a scan that has ended, and gives those of its newest end as they are then. */
export async function waitForHooks(db: Queryable, scan: number, waiting: WaitOptions): Promise<Hook[]> {
  for (;;) {
    const hooks = await readHooks(db, scan);
    const newest = hooks.filter((hook) => hook.round === hooks.at(-1)!.round);
    const tried = waiting.until === 'first try' ? 1 : Number.POSITIVE_INFINITY;
    // One of an older end may have been retried.
    const left = hooks.filter(
      (hook) =>
        hook.state === 'waiting' &&
        hook.attempts < tried &&
        (waiting.isOurs === undefined || waiting.isOurs(hook)),
    );
    if (left.length === 0 || waiting.signal.aborted) return newest;
    waiting.tell?.(left);
    await waiting.news.wait(POLL_INTERVAL_MS, waiting.signal);
  }
}
