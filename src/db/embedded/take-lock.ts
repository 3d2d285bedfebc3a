/**
 * When a keeper may start the server, although a record says that another one has it.
 *
 *   released, or nobody ever had it            → at once
 *   same kernel (or a disk that only one kernel
 *   can have), neither keeper nor server
 *   accepts a connection                       → at once: the kernel closes the sockets of the dead, in all containers
 *   same machine, which has booted since       → at once
 *   damaged: of a host that cannot be told     → by the sockets of its generation on a disk that only one kernel can have
 *   any other                                  → heartbeat changes: refused, somebody has it
 *                                              → unchanged for STALE_MS of our own monotonic clock: the keeper is dead or stopped
 *                                                → next generation, `fencing` → postmaster.pid removed → FENCE_MS → start
 *
 * A dead keeper does not prove a dead server. PostgreSQL looks after its lock file at most every 60 s, waking at least every 60 s, and
 * shuts down at once when the file is gone: after FENCE_MS a server that still runs has done so. A machine that was suspended meanwhile
 * comes back with a keeper that sees the higher generation and kills the server. Killed while fencing: the record says so, and whoever
 * comes next waits for all of it again.
 */
import { connect } from 'node:net';
import { chdir } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../base/errors.ts';
import { type Cluster, SOCKET_NAME } from './cluster.ts';
import { HeldLock } from './held-lock.ts';
import {
  bootedAt,
  type HostIdentity,
  hostIdentity,
  sameKernel,
  sameMachine,
  sameProcesses,
} from './host-identity.ts';
import { isLocalStorage } from './local-storage.ts';
import { dropServerLock, hasServerLock, isAlive } from './server.ts';
import {
  heartbeat,
  isUnknown,
  type LockRecord,
  lockFolder,
  openLockFolder,
  readLock,
  socketsOf,
} from './server-lock.ts';

export interface Takeover {
  readonly staleMs: number;
  readonly fenceMs: number;
  /** Taken for shared with other hosts, whatever the file system. */
  readonly shared: boolean;
}

export const TAKEOVER: Takeover = { staleMs: 15_000, fenceMs: 125_000, shared: false };
const POLL_MS = 200;

/** `busy`: a keeper of this kernel has it, look again. `unreachable`: so has a server, but at no path that can be reached from here. `taken`: another host has it. */
export type LockDenial = 'busy' | 'unreachable' | 'taken';
type LockAssessment = 'free' | 'fence' | 'watch' | 'busy' | 'unreachable';

export async function takeLock(
  cluster: Cluster,
  takeover: Takeover,
  isStopping: () => boolean,
  onLost: (to: LockRecord) => void,
): Promise<HeldLock | LockDenial> {
  const here = hostIdentity();
  const found = readLock(cluster);
  const after = found?.generation ?? 0;
  const local = !takeover.shared && isLocalStorage(cluster.home);
  const verdict = await assessLock(cluster, found, here, local);
  if (verdict === 'busy' || verdict === 'unreachable') return verdict;
  if (verdict === 'free')
    return (await HeldLock.claim(cluster, here, { after, state: 'held' }, onLost)) ?? 'busy';
  if (verdict === 'watch' && (await heartbeatChanges(cluster, takeover.staleMs, isStopping))) return 'taken';
  const lock = await HeldLock.claim(cluster, here, { after, state: 'fencing' }, onLost);
  if (!lock) return 'busy';
  if (!(await fence(cluster, takeover.fenceMs, isStopping))) return 'busy';
  lock.confirm();
  return lock;
}

/** For a server that runs already and whose keeper was killed. `taken`: another host has taken the cluster over since; this server must end. */
export async function adoptLock(
  cluster: Cluster,
  { shared }: Takeover,
  onLost: (to: LockRecord) => void,
): Promise<HeldLock | 'busy' | 'taken'> {
  const here = hostIdentity();
  const found = readLock(cluster);
  const local = !shared && isLocalStorage(cluster.home);
  if (found !== null && !local && !sameKernel(found, here)) return 'taken';
  const after = found?.generation ?? 0;
  return (await HeldLock.claim(cluster, here, { after, state: 'held' }, onLost)) ?? 'busy';
}

async function assessLock(
  cluster: Cluster,
  found: LockRecord | null,
  here: HostIdentity,
  local: boolean,
): Promise<LockAssessment> {
  if (found?.state === 'released') return 'free';
  const unseen = !local && (found === null || !sameKernel(found, here));
  const dead: LockAssessment = found?.state === 'fencing' ? 'fence' : 'free';
  if (unseen) {
    // Of a version without records, which may run on another host.
    if (found === null) return hasServerLock(cluster) ? 'fence' : 'free';
    return hasBootedSince(found, here) ? dead : 'watch';
  }
  openLockFolder(cluster);
  chdir(lockFolder(cluster));
  if (await isListening(`../socket/${SOCKET_NAME}`)) return 'unreachable';
  if (found === null) return 'free';
  if (isUnknown(found)) return assessBySockets(socketsOf(cluster, found.generation));
  if (found.socket === null && !sameProcesses(found, here)) return 'watch';
  const keeper = found.socket === null ? isAlive(found.keeper) : await isListening(found.socket);
  return keeper ? 'busy' : dead;
}

/** The record does not say which of them is its keeper's. Without any, the file system may have no sockets. */
async function assessBySockets(sockets: readonly string[]): Promise<LockAssessment> {
  for (const socket of sockets) if (await isListening(socket)) return 'busy';
  return sockets.length > 0 ? 'free' : 'watch';
}

/** The machine of that keeper is this one. A clone with the same names has not booted after its last heartbeat. */
function hasBootedSince(found: LockRecord, here: HostIdentity): boolean {
  return sameMachine(found, here) && found.boot !== here.boot && found.beatAt < bootedAt();
}

/** True as soon as it changes. Only our own clock counts: those of two hosts may differ by hours. */
async function heartbeatChanges(
  cluster: Cluster,
  staleMs: number,
  isStopping: () => boolean,
): Promise<boolean> {
  const before = heartbeat(cluster);
  for (const since = performance.now(); performance.now() - since < staleMs; ) {
    await sleep(POLL_MS);
    if (heartbeat(cluster) !== before || isStopping()) return true;
  }
  return false;
}

/** From the beginning when the lock file comes back: then a server was just starting. False: we are to stop before its end. */
async function fence(cluster: Cluster, fenceMs: number, isStopping: () => boolean): Promise<boolean> {
  dropServerLock(cluster);
  for (let since = performance.now(); performance.now() - since < fenceMs; ) {
    await sleep(POLL_MS);
    if (isStopping()) return false;
    if (!hasServerLock(cluster)) continue;
    dropServerLock(cluster);
    since = performance.now();
  }
  return true;
}

/** Whether a process of this kernel listens there, in whatever container. What cannot be told counts as yes. */
async function isListening(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const visitor = connect(path);
  visitor.on('connect', () => resolve(true));
  visitor.on('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(codeOf(error) ?? '')));
  try {
    return await promise;
  } finally {
    visitor.destroy();
  }
}
