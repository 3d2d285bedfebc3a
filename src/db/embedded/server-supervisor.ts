/**
 * Keeps one PostgreSQL running for all processes of a data folder, and stops it when it is unused. A separate, detached
 * process, so that `kill -9` of a user process neither kills the server nor leaves it running for long.
 *
 *   unreachable     → starts the server → reachable
 *   reachable       → takes SUPERVISOR_LOCK → watches; if another process has it: exits
 *   watches         → unused for SEINE_IDLE_STOP seconds (10) → exclusive CLIENT_LOCK → fast shutdown → exits
 *                   → the connection broke (the server crashed) → from the top
 *
 * Killed while watching: the server continues; its users detect within seconds that SUPERVISOR_LOCK is free and start a supervisor,
 * which finds the server reachable and takes over. Before it starts a server it must have the lock of the cluster (server-lock.ts), which
 * hosts and containers that share the folder respect; a supervisor that loses that lock to another host kills the server at once.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Cluster, findCluster, stillOwned } from './cluster.ts';
import type { HeldLock } from './held-lock.ts';
import { hostIdentity, sameKernel } from './host-identity.ts';
import { removeAbandonedDrafts } from './initialize.ts';
import { isLocalStorage } from './local-storage.ts';
import { dropServerLock, killServer, serverPid, spawnServer, stopServer } from './server.ts';
import type { LockRecord } from './server-lock.ts';
import { openLog, rotateLog } from './server-log.ts';
import { CLIENT_LOCK, type ConnectResult, SUPERVISOR_LOCK, tryConnect, tryLock } from './session.ts';
import { TAKEN_EXIT } from './spawn-supervisor.ts';
import { adoptLock, TAKEOVER, type Takeover, takeLock } from './take-lock.ts';

const MAX_STARTS = 5;
/** Time for the process that started the supervisor to connect. */
const FIRST_CLIENT_MS = 2_000;

/** How long a server of this machine may be visible but unreachable. A starting server is reachable soon. */
const UNREACHABLE_MS = 3_000;

async function superviseServer(cluster: Cluster, idleStopMs: number): Promise<void> {
  const log = openLog(cluster.dataFolder);
  const held = new SupervisorLock(cluster);
  let starts = 0;
  let child: ChildProcess | null = null;
  while (!stopping && stillOwned(cluster)) {
    const found = await tryConnectThroughErrors(cluster);
    if (typeof found !== 'string') {
      if (!(await tryLock(found, SUPERVISOR_LOCK).catch(() => true))) return found.end();
      // If the data folder was deleted, so was its lock file: then it is our child.
      held.server = serverPid(cluster) ?? child?.pid ?? null;
      // It runs in another container: it can only be stopped from there.
      if (held.server === null) return found.end();
      await held.adopt();
      const since = Date.now();
      if ((await waitUntilUnused(found, cluster, idleStopMs)) === 'unused') break;
      if (Date.now() - since > 60_000) starts = 0;
    } else if (
      found === 'closed' &&
      !isRunning(child) &&
      serverPid(cluster) === null &&
      (await held.take())
    ) {
      if (starts === MAX_STARTS) process.exit(1);
      // After a crash orphaned processes may hold the shared memory for a moment.
      await sleep(150 * starts++);
      rotateLog(cluster.dataFolder);
      dropServerLock(cluster);
      child = spawnServer(cluster, log).on('error', () => {});
      held.server = child.pid ?? null;
    }
    await sleep(10);
  }
  await stopServer(serverPid(cluster) ?? held.server);
  held.release();
}

/**
 * The lock of the cluster and the server that runs under it. A process that can't get the lock, or loses
 * it, exits.
 */
class SupervisorLock {
  server: number | null = null;
  readonly #cluster: Cluster;
  #held: HeldLock | null = null;
  #unreachableSince: number | null = null;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Returns false if another process is starting the server; the caller must check again. */
  async take(): Promise<boolean> {
    if (this.#held) return true;
    const isStopping = () => stopping || !stillOwned(this.#cluster);
    const taken = await takeLock(this.#cluster, takeoverTimeouts(), isStopping, (to) => this.#onLost(to));
    if (typeof taken !== 'string') this.#held = taken;
    if (isStopping()) return false;
    const now = performance.now();
    this.#unreachableSince = taken === 'unreachable' ? (this.#unreachableSince ?? now) : null;
    const unreachable = this.#unreachableSince !== null && now - this.#unreachableSince > UNREACHABLE_MS;
    if (taken === 'taken' || unreachable) process.exit(TAKEN_EXIT);
    return this.#held !== null;
  }

  async adopt(): Promise<void> {
    if (this.#held) return;
    const adopted = await adoptLock(this.#cluster, takeoverTimeouts(), (to) => this.#onLost(to));
    if (adopted === 'taken') {
      killServer(this.server!);
      process.exit(TAKEN_EXIT);
    }
    if (adopted !== 'busy') this.#held = adopted;
  }

  release(): void {
    this.#held?.release();
  }

  /** A new supervisor on this host takes over the server; to another host the lock goes without it. */
  #onLost(to: LockRecord): void {
    const beside =
      sameKernel(to, hostIdentity()) || (!takeoverTimeouts().shared && isLocalStorage(this.#cluster.home));
    if (beside) process.exit(0);
    if (this.server !== null) killServer(this.server);
    process.exit(TAKEN_EXIT);
  }
}

/**
 * SEINE_TAKEOVER: seconds until a heartbeat is stale and until a server has ended, on storage that is
 * considered shared; for tests.
 */
function takeoverTimeouts(): Takeover {
  const seconds = process.env.SEINE_TAKEOVER?.split(',').map(Number);
  return seconds ? { staleMs: seconds[0]! * 1000, fenceMs: seconds[1]! * 1000, shared: true } : TAKEOVER;
}

/** A server whose files are being deleted returns errors of all kinds; a moment later it is gone. */
async function tryConnectThroughErrors(cluster: Cluster): Promise<ConnectResult> {
  for (let left = 20; ; left--) {
    try {
      return await tryConnect(cluster, 'seine keeper');
    } catch (error) {
      if (!stillOwned(cluster)) return 'starting';
      if (left === 0) throw error;
      await sleep(100);
    }
  }
}

function isRunning(child: ChildProcess | null): boolean {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * Polls several times within the idle time, until there was no client for all of it or the server is gone.
 */
async function waitUntilUnused(
  client: pg.Client,
  cluster: Cluster,
  idleStopMs: number,
): Promise<'unused' | 'gone'> {
  let visits: string | null = null;
  let visited = false;
  let lastSeen = Date.now();
  try {
    for (;;) {
      const activity = await readActivity(client);
      // Short connections between two polls count as well.
      if (activity.there || (visits !== null && visits !== activity.visits)) {
        visited = true;
        lastSeen = Date.now();
      }
      visits = activity.visits;
      await sleep(Math.min(1_000, Math.max(50, idleStopMs / 4)));
      if (stopping || !stillOwned(cluster)) return 'unused';
      rotateLog(cluster.dataFolder);
      const timeoutMs = visited ? idleStopMs : Math.max(idleStopMs, FIRST_CLIENT_MS);
      if (Date.now() - lastSeen < timeoutMs) continue;
      if ((await tryLock(client, CLIENT_LOCK)) && !(await readActivity(client)).there) return 'unused';
      await client.query(`select pg_advisory_unlock(${CLIENT_LOCK})`);
    }
  } catch {
    client.end().catch(() => {});
    return 'gone';
  }
}

async function readActivity(client: pg.Client): Promise<{ there: boolean; visits: string }> {
  const { rows } = await client.query<{ there: boolean; visits: string }>(
    `select
       exists (select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as there,
       (select sum(sessions) from pg_stat_database) as visits`,
  );
  return rows[0]!;
}

let stopping = false;
process.on('SIGTERM', () => {
  stopping = true;
});
process.on('SIGHUP', () => {});

const [dataFolder, id] = process.argv.slice(2);
const cluster = findCluster(dataFolder!, id!);
if (cluster) {
  const seconds = Number(process.env.SEINE_IDLE_STOP ?? 10);
  removeAbandonedDrafts(cluster);
  await superviseServer(cluster, (Number.isFinite(seconds) ? seconds : 10) * 1000);
}
process.exit(0);
