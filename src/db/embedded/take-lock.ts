/**
 * When a supervisor may start the server, although a record says that another one has it.
 *
 *   released, or never held                    → at once
 *   same kernel (or a disk that only one kernel
 *   can mount), neither supervisor nor server
 *   accepts a connection                       → at once: the kernel closes the sockets of dead processes, in all containers
 *   same machine, rebooted since               → at once
 *   damaged: of an unknown host                → by the sockets of its generation on a disk that only one kernel can mount
 *   any other                                  → heartbeat changes: rejected, it is held
 *                                              → unchanged for STALE_MS of our own monotonic clock: the supervisor is dead or stopped
 *                                                → next generation, `fencing` → postmaster.pid removed → FENCE_MS → start
 *
 * A dead supervisor does not imply a dead server. PostgreSQL checks its lock file at least every 60 s, and shuts down at once when it is
 * gone: after FENCE_MS a server that was still running has done so. A machine that was suspended meanwhile resumes with a supervisor
 * that finds the higher generation and kills the server. Killed while fencing: the record shows it, and the next contender waits for
 * the full time again.
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
  /** Considered shared with other hosts, whatever the file system. */
  readonly shared: boolean;
}

export const TAKEOVER: Takeover = { staleMs: 15_000, fenceMs: 125_000, shared: false };
const POLL_MS = 200;

/**
 * `busy`: a supervisor on this kernel has it; check again. `unreachable`: so has a server, but not at a
 * path that is reachable from here. `taken`: another host has it.
 */
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
  const assessment = await assessLock(cluster, found, here, local);
  if (assessment === 'busy' || assessment === 'unreachable') return assessment;
  if (assessment === 'free')
    return (await HeldLock.claim(cluster, here, { after, state: 'held' }, onLost)) ?? 'busy';
  if (assessment === 'watch' && (await heartbeatChanges(cluster, takeover.staleMs, isStopping)))
    return 'taken';
  const lock = await HeldLock.claim(cluster, here, { after, state: 'fencing' }, onLost);
  if (!lock) return 'busy';
  if (!(await fence(cluster, takeover.fenceMs, isStopping))) return 'busy';
  lock.confirm();
  return lock;
}

/**
 * For a server that is running and whose supervisor was killed. `taken`: another host has claimed the
 * cluster since; this server must end.
 */
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
  const isHeld = found.socket === null ? isAlive(found.keeper) : await isListening(found.socket);
  return isHeld ? 'busy' : dead;
}

/**
 * The record does not contain which of them is its supervisor's. Without any, the file system may not
 * support sockets.
 */
async function assessBySockets(sockets: readonly string[]): Promise<LockAssessment> {
  for (const socket of sockets) if (await isListening(socket)) return 'busy';
  return sockets.length > 0 ? 'free' : 'watch';
}

/**
 * The supervisor ran on this machine before its last boot. A clone with the same ids has not booted after
 * its last heartbeat.
 */
function hasBootedSince(found: LockRecord, here: HostIdentity): boolean {
  return sameMachine(found, here) && found.boot !== here.boot && found.beatAt < bootedAt();
}

/** Returns true as soon as it changes. Only our own clock is used: those of two hosts may differ by hours. */
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

/**
 * Restarts the wait when the lock file reappears: then a server was just starting. Returns false if aborted
 * before its end.
 */
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

/** Whether a process of this kernel listens there, in any container. If unknown, returns true. */
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
