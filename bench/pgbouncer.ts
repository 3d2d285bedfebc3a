/** Debian's PgBouncer before a PostgreSQL, in transaction mode: few connections to the server, shared by many clients. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ensurePackages } from '../test/support/servers/apt.ts';
import { freePort } from '../test/support/servers/free-port.ts';
import { killWithParent } from './kill-with-parent.ts';
import { benchAccount } from './postgres.ts';

export interface PgBouncer {
  readonly url: string;
  /** `kill -9`, and a new one at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  /** Connections to the server. */
  readonly pool: number;
  /** Start-up parameters that are dropped without a word; others that it does not know are refused. */
  readonly ignoring: readonly string[];
}

const PROGRAM = '/usr/sbin/pgbouncer';
const WAIT_TIMEOUT_MS = 20_000;
/** Not the name of our schema: that would be found without a search path. */
const USER = 'app';

/** Why there is none here; null when it can be started. */
export function whyNoPgBouncer(): Promise<string | null> {
  return ensurePackages(['pgbouncer']);
}

export async function startPgBouncer(
  folder: string,
  socket: string,
  options: PgBouncerOptions,
): Promise<PgBouncer> {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const account = benchAccount(folder); // it refuses to run as root
  if (account) chownSync(folder, account.uid, account.gid);
  await makeUser(socket);
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(settings, iniOf(socket, port, folder, options));
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  let running = await start();

  async function start(): Promise<{ kill(): Promise<void> }> {
    const child = spawn(PROGRAM, ['-q', settings], { ...account, cwd: '/', stdio: 'ignore' });
    const leashed = killWithParent(child.pid!, folder);
    await answers(url, child, join(folder, 'pgbouncer.log'));
    const gone = once(child, 'exit');
    return { kill: async () => void (await Promise.all([leashed.stop(), gone])) };
  }

  return {
    url,
    async restart() {
      await running.kill();
      running = await start();
    },
    stop: () => running.kill(),
  };
}

async function makeUser(socket: string): Promise<void> {
  const client = new pg.Client({ host: dirname(socket), user: 'seine', database: 'postgres' });
  await client.connect();
  await client.query(`create role ${USER} superuser login`);
  await client.end();
}

function iniOf(socket: string, port: number, folder: string, { pool, ignoring }: PgBouncerOptions): string {
  return `[databases]
postgres = host=${dirname(socket)} user=${USER}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${pool}
max_client_conn = 1000
ignore_startup_parameters = ${['extra_float_digits', ...ignoring].join(', ')}
logfile = ${join(folder, 'pgbouncer.log')}
`;
}

async function answers(url: string, child: ChildProcess, log: string): Promise<void> {
  for (const deadline = Date.now() + WAIT_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch {
      client.end().catch(() => {});
      if (child.exitCode !== null) break;
    }
  }
  throw new Error(`PgBouncer does not start:\n${readFileSync(log, 'utf8').slice(-1000)}`);
}
