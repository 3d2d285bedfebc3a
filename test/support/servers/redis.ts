/** A real Redis for tests: Debian's server on a free port, in a folder of its own, without a copy on disk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportMissing } from '../missing.ts';
import { startWatchdog } from '../watchdog.ts';
import { ensurePackages } from './apt.ts';
import { freePort } from './free-port.ts';

export interface RedisServer {
  readonly url: string;
  /** At once, with everything it knew. */
  kill(): Promise<void>;
  /** On the same port, empty. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Why there is no such server here; null when it can be started. */
export async function whyNoRedis(): Promise<string | null> {
  return reportMissing('Redis', await ensurePackages(['redis-server']));
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  let server: Running | null = await start(port);

  async function kill(): Promise<void> {
    await server?.kill();
    server = null;
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async restart() {
      await kill();
      server = await start(port);
    },
    stop: kill,
  };
}

interface Running {
  kill(): Promise<void>;
}

async function start(port: number): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'seine-redis-'));
  const watchdog = startWatchdog(folder);
  const options = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (server.pid !== undefined) watchdog.watch(server.pid);
  let said = '';
  for await (const chunk of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (!said.includes('Ready to accept connections')) continue;
    server.stdout.resume(); // a full pipe would stop it
    const gone = once(server, 'exit');
    return { kill: async () => void (await Promise.all([watchdog.stop(), gone])) };
  }
  await watchdog.stop();
  throw new Error(`Redis did not start:\n${said}`);
}
