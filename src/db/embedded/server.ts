import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../base/errors.ts';
import { type Account, serverAccount } from './account.ts';
import { postgresBinaries } from './binaries.ts';
import { type Cluster, clusterFolder, SOCKET_NAME } from './cluster.ts';
import { isSocketFolderOurs, prepareFiles } from './home-files.ts';

/**
 * Settings for a laptop: small, durable, and without values in logs. Errors of statements are not logged at
 * all (`log_min_messages=log` ranks above `error`), because their text can quote data; messages about the
 * server itself still are.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '64MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  jit: 'off',
  io_method: 'sync', // saves three processes that a small server does not need
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
};

export function spawnServer(cluster: Cluster, log: number): ChildProcess {
  const account = serverAccount(cluster.id, cluster.home);
  prepareFiles(cluster, account);
  const { bin } = postgresBinaries(cluster.dataFolder, account);
  openSocketFolder(cluster, account);
  const settings = { ...SETTINGS, unix_socket_directories: socketFolders(cluster) };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(join(bin, 'postgres'), ['-D', clusterFolder(cluster), ...args], {
    ...account,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['ignore', log, log],
  });
}

/**
 * Always includes the home, where other containers find it under whatever path they have mounted it: that
 * is how they detect that it is alive. Relative to the folder of the cluster, so that it is short enough.
 */
function socketFolders(cluster: Cluster): string {
  const inside = join(cluster.home, 'socket');
  return cluster.socket === inside ? `"${inside}"` : `"${cluster.socket}", "../socket"`;
}

/**
 * The process id of the running server, whichever process started it; null also when it runs in another
 * container.
 */
export function serverPid(cluster: Cluster): number | null {
  const pid = lockedBy(cluster);
  return pid !== null && isPostgres(pid) && worksIn(pid, clusterFolder(cluster)) ? pid : null;
}

/**
 * Kills at once, without a final write: the files belong to another server now. A shutdown, even an
 * immediate one, would also remove that server's lock file.
 */
export function killServer(pid: number): void {
  send(pid, 'SIGSTOP'); // prevents it from forking
  const sessions = childrenOf(pid);
  for (const each of [...sessions, pid]) send(each, 'SIGKILL');
}

/** Fast shutdown: sessions are ended, everything is written. */
export async function stopServer(pid: number | null): Promise<void> {
  if (pid === null) return;
  send(pid, 'SIGINT');
  for (let waited = 0; isPostgres(pid); waited += 20) {
    if (waited === 30_000) send(pid, 'SIGQUIT');
    await sleep(20);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

function lockedBy(cluster: Cluster): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(clusterFolder(cluster), 'postmaster.pid'), 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  return true;
}

/** The process id may belong to a server of another cluster by now. If unknown, returns true. */
function worksIn(pid: number, folder: string): boolean {
  try {
    const [at, expected] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return at.ino === expected.ino && at.dev === expected.dev;
  } catch {
    return true;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(/\s+/)
      .map(Number)
      .filter((child) => child > 0);
  } catch {
    return []; // they detect by themselves that the server is gone
  }
}

function isPostgres(pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return /^postgres\n/.test(readFileSync(`/proc/${pid}/comm`, 'utf8')) && !isZombie(pid);
  } catch {
    return false;
  }
}

function isZombie(pid: number): boolean {
  return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

export function hasServerLock(cluster: Cluster): boolean {
  return existsSync(join(clusterFolder(cluster), 'postmaster.pid'));
}

/**
 * The caller must hold the lock of the cluster (server-lock.ts): then no server runs, or it must end. After
 * a crash or a reboot the process id in the file may belong to another process; PostgreSQL would consider
 * that a running server and refuse to start.
 */
export function dropServerLock(cluster: Cluster): void {
  if (serverPid(cluster) !== null) return; // it was just started by a supervisor that was killed
  rmSync(join(clusterFolder(cluster), 'postmaster.pid'), { force: true });
  for (const folder of [cluster.socket, join(cluster.home, 'socket')])
    rmSync(join(folder, `${SOCKET_NAME}.lock`), { force: true });
}

/** Under /tmp the folder may have been cleaned up, or created by another user. */
function openSocketFolder(cluster: Cluster, account: Account | null): void {
  if (isSocketFolderOurs(cluster)) return;
  if (account && existsSync(cluster.socket)) removeSocketFolder(cluster);
  makeSocketFolder(cluster.socket, account);
  isSocketFolderOurs(cluster);
}

/**
 * Created under another name and renamed once it has its owner: a process that waits for the server rejects
 * a folder of another user.
 */
function makeSocketFolder(socket: string, account: Account | null): void {
  const draft = `${socket}.${randomBytes(4).toString('hex')}`;
  mkdirSync(draft, { mode: 0o700 });
  try {
    if (account) lchownSync(draft, account.uid, account.gid);
    renameSync(draft, socket);
  } catch (error) {
    rmdirSync(draft);
    throw error;
  }
}

/** Removes a folder left by a server that ran under the account of earlier versions. */
function removeSocketFolder({ socket }: Cluster): void {
  for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) rmSync(join(socket, name), { force: true });
  rmdirSync(socket);
}
