import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Ends the processes of a test, whether the test stops them or dies. */
export interface Watchdog {
  /** Adds a process to those to be ended. */
  watch(pid: number): void;
  /** Ends them and removes the folder. */
  stop(): Promise<void>;
}

/**
 * A shell of its own group that reads the ids of processes until its input ends: on request, or because this
 * process was killed. Then it ends them and removes the folder. There is only one code path, so that a failure in it is noticed.
 */
export function startWatchdog(folder: string): Watchdog {
  const script =
    'while read -r pid; do pids="$pids $pid"; done; [ -z "$pids" ] || kill -9 $pids; rm -rf "$1"';
  const stdio: ['pipe', 'ignore', 'ignore'] = ['pipe', 'ignore', 'ignore'];
  const shell = spawn('sh', ['-c', script, 'sh', folder], { stdio, detached: true });
  shell.unref();
  return {
    watch: (pid) => void shell.stdin.write(`${pid}\n`),
    async stop() {
      shell.ref();
      const gone = once(shell, 'exit');
      shell.stdin.end();
      await gone;
    },
  };
}
