/**
 * A private PostgreSQL for a data folder, shared by all Seine processes that use the folder. This is the client side;
 * `server-supervisor.ts` is the other.
 *
 *   no cluster → initdb into a draft, renamed when complete → cluster → supervisor starts the server → reachable
 *
 * Killed at any moment, the next start continues from the state it finds: a draft is not a cluster (and removed later); a cluster
 * without a server gets a supervisor, which decides whether a lock file is stale; a server without a supervisor is used and gets one.
 * Only when the supervisor and all clients are killed within seconds does a server keep running, until the next start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { SeineError } from '../../base/errors.ts';
import { type Cluster, connectionString, locateCluster } from './cluster.ts';
import { hostIdentity, sameKernel } from './host-identity.ts';
import { diskFull, initializeCluster } from './initialize.ts';
import { isUnknown, readLock, recordPath } from './server-lock.ts';
import { logPath, tailLog } from './server-log.ts';
import { CLIENT_LOCK, isSupervisorRunning, tryConnect, tryLock } from './session.ts';
import { type SupervisorHandle, spawnSupervisor } from './spawn-supervisor.ts';

export interface EmbeddedServer {
  readonly connectionString: string;
  /** Starts the server if needed; for a process that found it unreachable. */
  ensureRunning(): Promise<void>;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const SUPERVISOR_CHECK_MS = 3_000;

export async function startEmbeddedServer(dataFolder: string): Promise<EmbeddedServer> {
  const cluster = locateCluster(dataFolder);
  let { presence, supervisor } = await reachServer(cluster);
  let reviving: Promise<void> | null = null;

  async function reconnect(): Promise<void> {
    presence.end().catch(() => {});
    ({ presence, supervisor } = await reachServer(cluster));
  }
  /** A supervisor that was killed is replaced by the clients of the server, or it would run for ever. */
  async function replaceSupervisor(): Promise<void> {
    const kept = supervisor?.state === 'runs' || (await isSupervisorRunning(presence).catch(() => true));
    if (!kept) supervisor = spawnSupervisor(cluster);
  }
  const rounds = setInterval(replaceSupervisor, SUPERVISOR_CHECK_MS).unref();

  return {
    connectionString: connectionString(cluster),
    ensureRunning() {
      reviving ??= reconnect().finally(() => {
        reviving = null;
      });
      return reviving;
    },
    async close() {
      clearInterval(rounds);
      await replaceSupervisor();
      await presence.end().catch(() => {});
    },
  };
}

/**
 * The session registers the client; the process may end without closing it. The supervisor is null when it
 * was already running.
 */
async function reachServer(
  cluster: Cluster,
): Promise<{ presence: pg.Client; supervisor: SupervisorHandle | null }> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let supervisor: SupervisorHandle | null = null;
  for (;;) {
    const found = await tryConnect(cluster, 'seine presence');
    if (typeof found !== 'string') {
      const kept = await joinAsClient(found);
      if (kept !== null) {
        if (!kept && supervisor?.state !== 'runs') supervisor = spawnSupervisor(cluster);
        return { presence: found, supervisor };
      }
    } else if (supervisor?.state === 'taken') {
      throw inUseElsewhereError(cluster);
    } else if (supervisor?.state === 'failed' || (Date.now() > deadline && !isFencing(cluster))) {
      readLock(cluster); // a supervisor that cannot read it only leaves a stack trace: this error names the file
      throw startError(cluster);
    } else if (found === 'closed' && supervisor?.state !== 'runs') {
      await initializeCluster(cluster);
      supervisor = spawnSupervisor(cluster);
    }
    await sleep(10);
  }
}

/**
 * Returns whether there is a supervisor; null when the server is about to stop, so that this connection
 * does not count.
 */
async function joinAsClient(client: pg.Client): Promise<boolean | null> {
  try {
    if (await tryLock(client, CLIENT_LOCK, '_shared')) return await isSupervisorRunning(client);
  } catch {
    // Stopped while connected: the same as a rejected connection.
  }
  client.end().catch(() => {});
  return null;
}

/**
 * The supervisor waits until a server of another host has certainly ended. That takes longer than any
 * start.
 */
function isFencing(cluster: Cluster): boolean {
  return readLock(cluster)?.state === 'fencing';
}

function inUseElsewhereError(cluster: Cluster): SeineError {
  const owner = readLock(cluster);
  const here = hostIdentity();
  const instead =
    'or set DATABASE_URL to a PostgreSQL server that both can reach, or choose another folder with --data.';
  if (owner && sameKernel(owner, here)) {
    return new SeineError(
      'conflict',
      `The database in ${cluster.dataFolder} is in use in another container of this machine (${owner.host}), and its socket cannot be reached from here.`,
      {
        hint: `Mount the folder at a shorter path, as there, so that both can use it at the same time, ${instead}`,
      },
    );
  }
  if (owner && isUnknown(owner)) {
    return new SeineError(
      'conflict',
      `The database in ${cluster.dataFolder} seems to be in use on another host; which one is unknown, because its lock ${recordPath(cluster, owner.generation)} is damaged.`,
      { hint: `Stop Seine wherever it uses this folder and try again, ${instead}` },
    );
  }
  return new SeineError(
    'conflict',
    `The database in ${cluster.dataFolder} is in use on another host: ${owner?.host ?? 'unknown'} (process ${owner?.keeper ?? 'unknown'}).`,
    { hint: `Stop Seine there, ${instead}` },
  );
}

export function startError(cluster: Cluster, tail = tailLog(cluster.dataFolder)): SeineError {
  // Node's spelling differs from PostgreSQL's.
  if (/no space left on device/i.test(tail)) return diskFull(cluster.home);
  return new SeineError('unavailable', `The private PostgreSQL of ${cluster.dataFolder} did not start.`, {
    hint: `Its log, ${logPath(cluster.dataFolder)}, ends with:\n${tail}`,
    retry: false,
  });
}
