import type { WakeSignal } from '../../base/wake-signal.ts';
import type { Queryable } from '../../db/database.ts';
import type { Hook } from './hook.ts';
import { readHooks } from './hook-store.ts';

const POLL_INTERVAL_MS = 500;

export interface WaitOptions {
  readonly wakeSignal: WakeSignal;
  readonly signal: AbortSignal;
  /**
   * `first try`: returns after the first attempt, because other processes run the retries. `end`: no other
   * process does.
   */
  readonly until: 'first try' | 'end';
  /**
   * Selects the hooks that this process can run; default all. Others are not waited for: there may be no
   * process for them.
   */
  readonly isOurs?: (hook: Hook) => boolean;
  /** Called repeatedly with the hooks that are waited for. */
  readonly onWaiting?: (waiting: readonly Hook[]) => void;
}

/**
 * Waits for the hooks of a scan that has ended, and returns those of its newest end in their state at that
 * time.
 */
export async function waitForHooks(db: Queryable, scan: number, waiting: WaitOptions): Promise<Hook[]> {
  for (;;) {
    const hooks = await readHooks(db, scan);
    const newest = hooks.filter((hook) => hook.round === hooks.at(-1)!.round);
    const tried = waiting.until === 'first try' ? 1 : Number.POSITIVE_INFINITY;
    // A hook of an older end may have been retried.
    const left = hooks.filter(
      (hook) =>
        hook.state === 'waiting' &&
        hook.attempts < tried &&
        (waiting.isOurs === undefined || waiting.isOurs(hook)),
    );
    if (left.length === 0 || waiting.signal.aborted) return newest;
    waiting.onWaiting?.(left);
    await waiting.wakeSignal.wait(POLL_INTERVAL_MS, waiting.signal);
  }
}
