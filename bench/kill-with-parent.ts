import { join } from 'node:path';
import { startWatchdog } from '../test/support/watchdog.ts';

/** The process ends when this one does, in any way. `stop` ends it earlier. */
export function killWithParent(pid: number, folder: string): { stop(): Promise<void> } {
  // A watchdog also removes a folder; nothing is to be removed here, and PostgreSQL's lock file least of all.
  const watchdog = startWatchdog(join(folder, 'no-such-folder'));
  watchdog.watch(pid);
  return watchdog;
}
