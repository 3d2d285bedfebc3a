/**
 * A private PostgreSQL for a data folder, shared by every Seine process that uses the folder. This is the users' side;
 * `server-supervisor.ts` is the other.
 *
 *   no cluster → initdb into a draft, renamed when complete → cluster → keeper starts the server → answers
 *
 * Killed at any moment, the next start goes on from what it finds: a draft is not a cluster (and swept later); a cluster
 * without a server gets a keeper, which decides whether a lock file is stale; a server without a keeper is used and gets one. Only when
 * the keeper and all users are killed within seconds does a server stay, until the next start.
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
  /** Makes sure the server is there; for a process that found it gone. */
  ensureRunning(): Promise<void>;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const SUPERVISOR_CHECK_MS = 3_000;

export async function startEmbeddedServer(dataFolder: string): Promise<EmbeddedServer> {
  const cluster = locateCluster(dataFolder);
  let { presence, keeper } = await reachServer(cluster);
  let reviving: Promise<void> | null = null;

  async function reconnect(): Promise<void> {
    presence.end().catch(() => {});
    ({ presence, keeper } = await reachServer(cluster));
  }
  /** A keeper that was killed is replaced by whoever uses the server, or it would run for ever. */
  async function replaceKeeper(): Promise<void> {
    const kept = keeper?.state === 'runs' || (await isSupervisorRunning(presence).catch(() => true));
    if (!kept) keeper = spawnSupervisor(cluster);
  }
  const rounds = setInterval(replaceKeeper, SUPERVISOR_CHECK_MS).unref();

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
      await replaceKeeper();
      await presence.end().catch(() => {});
    },
  };
}

/** The session says "I am here"; the process may end without closing it. The keeper is null when it was there before. */
async function reachServer(
  cluster: Cluster,
): Promise<{ presence: pg.Client; keeper: SupervisorHandle | null }> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let keeper: SupervisorHandle | null = null;
  for (;;) {
    const found = await tryConnect(cluster, 'seine presence');
    if (typeof found !== 'string') {
      const kept = await joinAsClient(found);
      if (kept !== null) {
        if (!kept && keeper?.state !== 'runs') keeper = spawnSupervisor(cluster);
        return { presence: found, keeper };
      }
    } else if (keeper?.state === 'taken') {
      throw inUseElsewhereError(cluster);
    } else if (keeper?.state === 'failed' || (Date.now() > deadline && !isFencing(cluster))) {
      readLock(cluster); // a keeper that cannot read it leaves only a stack trace: this names the file
      throw startError(cluster);
    } else if (found === 'closed' && keeper?.state !== 'runs') {
      await initializeCluster(cluster);
      keeper = spawnSupervisor(cluster);
    }
    await sleep(10);
  }
}

/** Whether there is a keeper; null when the server is just about to stop, so this visit does not count. */
async function joinAsClient(client: pg.Client): Promise<boolean | null> {
  try {
    if (await tryLock(client, CLIENT_LOCK, '_shared')) return await isSupervisorRunning(client);
  } catch {
    // Stopped under our hands: the same as being refused.
  }
  client.end().catch(() => {});
  return null;
}

/** The keeper waits until a server of another host has ended for certain. That takes longer than any start. */
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
      `The database in ${cluster.dataFolder} seems to be in use on another host; which one cannot be told, for its lock ${recordPath(cluster, owner.generation)} is damaged.`,
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
  // Node spells it otherwise than PostgreSQL.
  if (/no space left on device/i.test(tail)) return diskFull(cluster.home);
  return new SeineError('unavailable', `The private PostgreSQL of ${cluster.dataFolder} did not start.`, {
    hint: `Its log, ${logPath(cluster.dataFolder)}, ends with:\n${tail}`,
    retry: false,
  });
}
