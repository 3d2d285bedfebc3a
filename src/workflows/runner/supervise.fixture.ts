/** For tests: a program in a process of its own that is started again whenever it ends, as a supervisor does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Supervised {
  /** How often it had to be started. */
  readonly starts: number;
  /** What it wrote to standard error. */
  readonly said: string;
  stop(): Promise<void>;
}

export function supervise(program: string, databaseUrl: string, more: NodeJS.ProcessEnv = {}): Supervised {
  const watched = { starts: 0, said: '' };
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      watched.starts++;
      const env = { ...process.env, DATABASE_URL: databaseUrl, ...more };
      const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      const kill = () => child.kill('SIGKILL');
      stopping.signal.addEventListener('abort', kill);
      child.stderr.on('data', (text) => {
        watched.said += text;
      });
      await once(child, 'exit');
      stopping.signal.removeEventListener('abort', kill);
    }
  };
  const ended = run();
  return Object.assign(watched, {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  });
}
