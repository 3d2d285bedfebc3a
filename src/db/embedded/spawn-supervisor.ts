import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Cluster } from './cluster.ts';
import { openLog } from './server-log.ts';

/**
 * `left`: it found another supervisor, or nothing more to do. `taken`: another host or container has the
 * database.
 */
export interface SupervisorHandle {
  state: 'runs' | 'left' | 'failed' | 'taken';
}

export const TAKEN_EXIT = 3;
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE', 'SEINE_IDLE_STOP', 'SEINE_TAKEOVER'];

/**
 * It outlives us, so it inherits nothing of our session: no terminal, no working folder, no secrets in its
 * environment.
 */
export function spawnSupervisor(cluster: Cluster): SupervisorHandle {
  const log = openLog(cluster.dataFolder);
  const script = fileURLToPath(new URL('./server-supervisor.ts', import.meta.url));
  const env = Object.fromEntries(
    INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, cluster.dataFolder, cluster.id],
    {
      detached: true,
      cwd: '/',
      env,
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  const supervisor: SupervisorHandle = { state: 'runs' };
  child.on('error', () => {
    supervisor.state = 'failed';
  });
  // A kill is no failure: the next one may survive.
  child.on('exit', (code, signal) => {
    supervisor.state = code === 0 || signal ? 'left' : code === TAKEN_EXIT ? 'taken' : 'failed';
  });
  child.unref();
  return supervisor;
}
