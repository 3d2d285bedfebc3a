/**
 * A PostgreSQL server of its own, set up as one would for many workers: more connections than the private server of a data
 * folder, everything durable. It can be killed and started again, and ends with this process.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Account, initdbAccount, serverAccount } from '../src/db/embedded/account.ts';
import { postgresBinaries } from '../src/db/embedded/binaries.ts';
import { serverProcesses } from '../test/support/processes.ts';
import { familyCpu } from './command.ts';
import { killWithParent } from './kill-with-parent.ts';

export interface Postgres {
  readonly url: string;
  /** The data folder, and the socket that it listens on. */
  readonly data: string;
  readonly socket: string;
  /** Version and settings that matter, for people. */
  readonly about: string;
  /** Processor time of the server and all its processes so far, those that have ended included. */
  cpuSeconds(): number;
  /** `kill -9` of the server and everything it started. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'top',
  log_min_messages: 'fatal',
};
const REPORTED_SETTINGS = ['max_connections', 'shared_buffers', 'fsync', 'synchronous_commit'];
const WAIT_TIMEOUT_MS = 60_000;

export interface PostgresOptions {
  /** Besides the usual ones, or instead of them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Fills the data folder from a copy; default: an empty server. */
  readonly copyInto?: (data: string) => void;
  /** What else must be there before it starts for the first time. */
  readonly beforeStart?: (data: string) => Promise<void>;
}

interface Home {
  readonly postgres: string;
  readonly words: readonly string[];
  readonly data: string;
  readonly socket: string;
  readonly url: string;
  readonly account: { readonly uid: number; readonly gid: number } | null;
  readonly about: string;
}

export async function startPostgres(folder: string, options: PostgresOptions = {}): Promise<Postgres> {
  const home = makeHome(folder, options);
  const log = openSync(join(folder, 'postgres.log'), 'a');
  let running: { server: ChildProcess; leashed: ReturnType<typeof killWithParent> } | null = null;

  async function start(): Promise<void> {
    for (const deadline = Date.now() + WAIT_TIMEOUT_MS; Date.now() < deadline; await sleep(100)) {
      const spawning = {
        ...home.account,
        cwd: '/',
        stdio: ['ignore', log, log] as ['ignore', number, number],
      };
      const server = spawn(home.postgres, home.words, spawning);
      const leashed = killWithParent(server.pid!, folder);
      running = { server, leashed };
      if (await answers(home.url, server)) return;
      await leashed.stop(); // after a kill its orphans may hold on to the shared memory for a moment
    }
    throw new Error(`PostgreSQL does not start; see ${join(folder, 'postgres.log')}.`);
  }

  async function end(how: (server: ChildProcess) => void): Promise<void> {
    if (running === null) return;
    const { server, leashed } = running;
    running = null;
    const gone = hasEnded(server) ? null : once(server, 'exit');
    how(server);
    await Promise.race([gone, sleep(WAIT_TIMEOUT_MS, null, { ref: false })]);
    await leashed.stop();
  }

  await options.beforeStart?.(home.data);
  await start();
  return {
    url: home.url,
    data: home.data,
    socket: join(home.socket, '.s.PGSQL.5432'),
    about: home.about,
    start,
    cpuSeconds: () => (running === null ? 0 : familyCpu(running.server.pid!)),
    kill: () => end(() => killAll(serverProcesses(home.data))),
    async stop() {
      await end((server) => server.kill('SIGINT'));
      rmSync(home.socket, { recursive: true, force: true });
    },
  };
}

/** Servers refuse to run as root, and initdb insists on a user with a name: one that runs nothing else. */
export function benchAccount(folder: string): Account | null {
  const account = serverAccount(createHash('sha256').update(folder).digest('hex'), folder);
  return account && initdbAccount(account);
}

function makeHome(folder: string, { settings: more = {}, copyInto }: PostgresOptions): Home {
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true, mode: 0o711 });
  const account = benchAccount(folder);
  if (account) chownSync(data, account.uid, account.gid);
  const { bin, major } = postgresBinaries(folder, account);
  if (copyInto) copyInto(data);
  else initialize(bin, data, account);
  // Elsewhere: the path of a socket must be short.
  const socket = mkdtempSync(join(tmpdir(), 'seine-socket-'));
  if (account) chownSync(socket, account.uid, account.gid);
  const settings = Object.entries({ ...SETTINGS, ...more, unix_socket_directories: socket });
  return {
    postgres: join(bin, 'postgres'),
    words: ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    data,
    socket,
    url: `postgres://seine@/postgres?host=${encodeURIComponent(socket)}`,
    account,
    about: `PostgreSQL ${major}: ${REPORTED_SETTINGS.map((name) => `${name}=${SETTINGS[name]}`).join(', ')}`,
  };
}

function initialize(bin: string, data: string, account: Home['account']): void {
  const made = ['--username', 'seine', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'];
  const options = { ...account, cwd: '/', encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(join(bin, 'initdb'), ['--pgdata', data, ...made], options);
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {} // went by itself, after its parent
  }
}

/** False once the server has ended without an answer. */
async function answers(url: string, server: ChildProcess): Promise<boolean> {
  while (!hasEnded(server)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      client.end().catch(() => {});
      await sleep(50);
    }
  }
  return false;
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}
