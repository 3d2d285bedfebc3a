/** A real PgBouncer for tests: Debian's, in transaction mode, in front of a test database, with a small pool. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { reportMissing } from '../missing.ts';
import { waitUntil } from '../wait-for.ts';
import { startWatchdog } from '../watchdog.ts';
import { ensurePackages } from './apt.ts';
import { freePort } from './free-port.ts';

export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

interface Settings {
  readonly pool_size?: number;
  /** `options` lets it drop start-up options; otherwise it refuses connections that have any. */
  readonly ignore_startup_parameters?: string;
  /** Each session to the server starts with it. */
  readonly connect_query?: string;
}

const WAIT_TIMEOUT_MS = 30_000;

/** Why there is none here; null when it can be started. */
export async function whyNoPgBouncer(): Promise<string | null> {
  return reportMissing('PgBouncer', await ensurePackages(['pgbouncer']));
}

/** `databaseUrl` leads to a server on a Unix socket, as those of tests do. */
export async function startPgBouncer(databaseUrl: string, settings: Settings = {}): Promise<PgBouncer> {
  const to = new URL(databaseUrl.replace('@/', '@localhost/'));
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'seine-pgbouncer-'));
  const config = join(folder, 'pgbouncer.ini');
  const log = join(folder, 'log');
  const { pool_size = 5, ignore_startup_parameters = '', connect_query = 'select 1' } = settings;
  const database = `host=${to.searchParams.get('host')} user=${to.username} password=${to.password}`;
  writeFileSync(
    config,
    `[databases]
* = ${database} pool_size=${pool_size} connect_query='${connect_query}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
server_lifetime = 2
logfile = ${log}
${ignore_startup_parameters && `ignore_startup_parameters = ${ignore_startup_parameters}`}
`,
  );
  // It refuses to run as root, and only the account of the server may enter the folder of its socket.
  const { uid, gid } = statSync(to.searchParams.get('host')!);
  const asRoot = process.getuid?.() === 0;
  if (asRoot) for (const path of [folder, config]) chownSync(path, uid, gid);
  else chmodSync(folder, 0o700);
  const watchdog = startWatchdog(folder);
  const bouncer = spawn('/usr/sbin/pgbouncer', ['-q', config], {
    stdio: 'ignore',
    ...(asRoot && { uid, gid }),
  });
  if (bouncer.pid !== undefined) watchdog.watch(bouncer.pid);
  const ended = new Promise<void>((resolve) => {
    bouncer.once('exit', () => resolve()).once('error', () => resolve());
  });
  const url = `postgres://${to.username}@127.0.0.1:${port}${to.pathname}`;
  const answers = async () => {
    if (bouncer.exitCode !== null) throw new Error(`PgBouncer exited with ${bouncer.exitCode}.`);
    return acceptsConnections(url);
  };
  await waitUntil('PgBouncer', answers, { forMs: WAIT_TIMEOUT_MS }).catch(async (error: Error) => {
    const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
    await watchdog.stop();
    throw new Error(`${error.message}\n${said}`);
  });
  return {
    url,
    async stop() {
      await watchdog.stop();
      await ended;
    },
  };
}

async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
