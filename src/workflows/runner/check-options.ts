import { checkCount } from '../check-count.ts';

/** The numeric options of a runner. */
interface Counts {
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly actionsAtOnce?: number;
  readonly eventsAtOnce?: number;
  readonly parkAfter?: number;
  readonly endWhenBlockedMs?: number | null;
}

/** Checked at the API, by name: a loop with an interval of NaN would never pause. */
export function checkRunnerOptions(options: Counts): void {
  const { leaseMs, pollMs, actionsAtOnce, eventsAtOnce, parkAfter, endWhenBlockedMs } = options;
  for (const [name, count] of Object.entries({ leaseMs, pollMs, eventsAtOnce, parkAfter }))
    if (count !== undefined) checkCount('The runner', name, count);
  if (endWhenBlockedMs != null) checkCount('The runner', 'endWhenBlockedMs', endWhenBlockedMs);
  if (actionsAtOnce !== undefined) checkCount('The runner', 'actionsAtOnce', actionsAtOnce, 0); // 0: this runner runs no actions
}
