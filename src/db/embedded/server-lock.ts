/**
 * Which keeper may run the server of a cluster, told by files in `<home>/lock`, for all hosts and containers that mount the folder.
 *
 *   7.json      the record of generation 7. The highest generation has the lock.
 *   7-ab12.sock its keeper listens here: on the same kernel, whether it accepts a connection tells whether the keeper lives
 *
 * Invariants: a generation is made once, by `link`, so of two contenders one gets it, also on NFS. Only its keeper writes a record
 * afterwards: a heartbeat each second, and `released` once the server has stopped. Whoever sees a higher generation has lost the lock.
 * Records of lower generations are removed; the highest stays for ever, so no generation comes twice.
 *
 * A keeper that dies leaves its record as it is; `take-lock.ts` decides what it takes to believe that it is dead.
 */
import { randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.ts';
import { giveToOwner } from './account.ts';
import type { Cluster } from './cluster.ts';
import type { HostIdentity } from './host-identity.ts';

export interface LockRecord extends HostIdentity {
  readonly generation: number;
  readonly keeper: number;
  /** In the folder of the lock; null: this file system has no sockets. */
  readonly socket: string | null;
  /** `fencing`: the server of a keeper that seems dead gets the time to notice that its lock file is gone. */
  readonly state: 'held' | 'fencing' | 'released';
  readonly beat: number;
  /** By the clock of that host. */
  readonly beatAt: number;
}

export function lockFolder(cluster: Cluster): string {
  return join(cluster.home, 'lock');
}

/** Made on demand: clusters are older than locks. */
export function openLockFolder(cluster: Cluster): void {
  if (mkdirSync(lockFolder(cluster), { recursive: true, mode: 0o700 }))
    giveToOwner(lockFolder(cluster), cluster.home);
}

/** Null: nobody ever had it. */
export function readLock(cluster: Cluster): LockRecord | null {
  for (;;) {
    const generation = highestGeneration(cluster);
    if (generation === 0) return null;
    try {
      // Opened, not only looked at: that makes NFS ask its server.
      return JSON.parse(readFileSync(recordPath(cluster, generation), 'utf8')) as LockRecord;
    } catch (error) {
      // A higher generation was made meanwhile, and this one removed.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

/** False: somebody else was first. */
export function createRecord(cluster: Cluster, record: LockRecord): boolean {
  const draft = writeDraft(cluster, record);
  try {
    linkSync(draft, recordPath(cluster, record.generation));
  } catch (error) {
    // Without its draft it was late: somebody has a higher generation, and has cleaned up.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  if (highestGeneration(cluster) > record.generation) return false;
  removeBelow(cluster, record.generation);
  return true;
}

/**
 * Replaced by `rename`: readers see all of it, and a directory that we have just changed is one that NFS does not answer for from memory.
 * On a full disk at least its time changes.
 */
export function rewriteRecord(cluster: Cluster, record: LockRecord): void {
  const path = recordPath(cluster, record.generation);
  try {
    renameSync(writeDraft(cluster, record), path);
  } catch {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // The folder is gone or cannot be written. The lock is lost by a higher generation, by nothing else.
    }
  }
}

/** Another text after each heartbeat of whoever has the lock. */
export function heartbeat(cluster: Cluster): string {
  const record = readLock(cluster);
  const path = record && recordPath(cluster, record.generation);
  return JSON.stringify([record, path && statSync(path, { throwIfNoEntry: false })?.mtimeMs]);
}

export function highestGeneration(cluster: Cluster): number {
  return Math.max(0, ...generations(cluster));
}

function generations(cluster: Cluster): number[] {
  try {
    return readdirSync(lockFolder(cluster))
      .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
      .map(Number);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function recordPath(cluster: Cluster, generation: number): string {
  return join(lockFolder(cluster), `${generation}.json`);
}

function writeDraft(cluster: Cluster, record: LockRecord): string {
  const draft = join(lockFolder(cluster), `${record.generation}-${randomBytes(4).toString('hex')}.new`);
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
  giveToOwner(draft, cluster.home);
  return draft;
}

/** Sockets and drafts of those who died, too. */
function removeBelow(cluster: Cluster, generation: number): void {
  for (const name of readdirSync(lockFolder(cluster))) {
    if (Number.parseInt(name, 10) < generation) rmSync(join(lockFolder(cluster), name), { force: true });
  }
}
