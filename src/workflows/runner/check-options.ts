import { checkCount } from '../check-count.ts';
import type { RunnerOptions } from './runner.ts';

/** Here, by name; a loop that pauses for NaN milliseconds would never pause. */
export function checkRunnerOptions(options: RunnerOptions): void {
  const { leaseMs, pollMs, actionsAtOnce, eventsAtOnce, parkAfter } = options;
  for (const [name, count] of Object.entries({ leaseMs, pollMs, actionsAtOnce, eventsAtOnce, parkAfter }))
    if (count !== undefined) checkCount('The runner', name, count);
}
