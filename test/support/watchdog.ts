import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Ends what a test has started, whether the test stops it or dies. */
export interface Watchdog {
  /** This process is to be ended, too. */
  watch(pid: number): void;
  /** Ends them and removes the folder. */
  stop(): Promise<void>;
}

/**
 * A shell of its own group that reads the ids of processes until its input ends: because it is told to, or because this
 * process was killed. Then it ends them and removes the folder. There is one way to the end, so it works or it shows.
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
