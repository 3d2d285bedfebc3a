import { join } from 'node:path';
import { startWatchdog } from '../test/support/watchdog.ts';

/** The process ends when this one does, however that happens. To be let go with `stop`, which also ends it. */
export function killWithParent(pid: number, folder: string): { stop(): Promise<void> } {
  // A watchdog also removes a folder; nothing is to be removed here, and PostgreSQL's lock file least of all.
  const watchdog = startWatchdog(join(folder, 'no-such-folder'));
  watchdog.watch(pid);
  return watchdog;
}
