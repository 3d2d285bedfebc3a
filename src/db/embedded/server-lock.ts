/**
 * Which supervisor may run the server of a cluster, by files in `<home>/lock`, for all hosts and containers that mount the folder.
 *
 *   7.json      the record of generation 7. The highest generation has the lock.
 *   7-ab12.sock its supervisor listens here: on the same kernel, an accepted connection shows that it is alive
 *
 * Invariants: a generation is created once, by `link`, so of two contenders one gets it, also on NFS. Only its supervisor writes the
 * record afterwards: a heartbeat each second, and `released` once the server has stopped. A holder that finds a higher generation has
 * lost the lock. Records of lower generations are removed; the highest is kept for ever, so no generation is reused.
 *
 * A supervisor that crashes leaves its record; `take-lock.ts` decides when it counts as dead. A power failure may leave a record empty
 * or truncated: its host is unknown, and it is treated like any record of a host that is not visible.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, SeineError } from '../../base/errors.ts';
import { chownToFolderOwner } from './account.ts';
import type { Cluster } from './cluster.ts';
import type { HostIdentity } from './host-identity.ts';

export interface LockRecord extends HostIdentity {
  readonly generation: number;
  readonly keeper: number;
  /** Relative to the folder of the lock; null: the file system does not support sockets. */
  readonly socket: string | null;
  /**
   * `fencing`: waiting until the server of a supervisor that seems dead has detected that its lock file is
   * gone.
   */
  readonly state: 'held' | 'fencing' | 'released';
  readonly beat: number;
  /** By the clock of that host. */
  readonly beatAt: number;
}

export function lockFolder(cluster: Cluster): string {
  return join(cluster.home, 'lock');
}

/** Created on demand: clusters of earlier versions have none. */
export function openLockFolder(cluster: Cluster): void {
  if (mkdirSync(lockFolder(cluster), { recursive: true, mode: 0o700 }))
    chownToFolderOwner(lockFolder(cluster), cluster.home);
}

/** Returns null if it was never held. An invalid record counts as one of an unknown host: see `isUnknown`. */
export function readLock(cluster: Cluster): LockRecord | null {
  for (;;) {
    const generation = highestGeneration(cluster);
    if (generation === 0) return null;
    try {
      // Opened instead of only checked: that makes NFS revalidate its cache.
      return parseRecord(readFileSync(recordPath(cluster, generation), 'utf8'), generation);
    } catch (error) {
      // A higher generation was created meanwhile, and this one removed.
      if (codeOf(error) !== 'ENOENT') throw cannotRead(recordPath(cluster, generation), error);
    }
  }
}

function parseRecord(text: string, generation: number): LockRecord {
  try {
    const record = JSON.parse(text) as LockRecord;
    const texts = [record.host, record.machine, record.boot, record.pidNamespace];
    const whole = texts.every((value) => typeof value === 'string') && typeof record.keeper === 'number';
    if (whole && ['held', 'fencing', 'released'].includes(record.state)) return { ...record, generation };
  } catch {}
  return unknownRecord(generation);
}

/** Its `boot` matches no kernel, so it is never considered to be of this host. */
export function unknownRecord(generation: number): LockRecord {
  const nowhere = { host: 'unknown', machine: '', boot: 'unknown', pidNamespace: '' };
  return { ...nowhere, generation, keeper: 0, socket: null, state: 'held', beat: 0, beatAt: 0 };
}

/** The record was damaged: only its generation is known. */
export function isUnknown(record: LockRecord): boolean {
  return record.boot === 'unknown';
}

function cannotRead(path: string, error: unknown): SeineError {
  return new SeineError(
    'unavailable',
    `The lock of the database, ${path}, cannot be read: ${codeOf(error) ?? error}.`,
    {
      hint: 'Make it readable for this user. If Seine uses the folder on no host, you can remove it instead.',
      retry: false,
    },
  );
}

/**
 * Names of the sockets of contenders for this generation; one of them is its supervisor's, if the file
 * system supports sockets.
 */
export function socketsOf(cluster: Cluster, generation: number): string[] {
  return readdirSync(lockFolder(cluster)).filter(
    (name) => name.startsWith(`${generation}-`) && name.endsWith('.sock'),
  );
}

/** Returns false if another process was first. */
export function createRecord(cluster: Cluster, record: LockRecord): boolean {
  const draft = writeDraft(cluster, record, 'durable');
  try {
    linkSync(draft, recordPath(cluster, record.generation));
  } catch (error) {
    // A missing draft means that we were too late: a higher generation exists, and its holder has cleaned
    // up.
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
 * Replaced by `rename`, which is atomic for readers, and makes NFS revalidate the directory. On a full disk
 * at least its modification time changes.
 */
export function rewriteRecord(cluster: Cluster, record: LockRecord): void {
  const path = recordPath(cluster, record.generation);
  try {
    renameSync(writeDraft(cluster, record, 'soon'), path);
  } catch {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // The folder was removed or is not writable. The lock is only lost to a higher generation.
    }
  }
}

/** Differs after each heartbeat of the holder. */
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

export function recordPath(cluster: Cluster, generation: number): string {
  return join(lockFolder(cluster), `${generation}.json`);
}

/**
 * Removes the draft if it could not be written: with a heartbeat each second, a full disk would fill up
 * with empty files.
 */
function writeDraft(cluster: Cluster, record: LockRecord, written: 'durable' | 'soon'): string {
  const draft = join(lockFolder(cluster), `${record.generation}-${randomBytes(4).toString('hex')}.new`);
  try {
    const file = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(file, JSON.stringify(record));
      if (written === 'durable') fsyncSync(file);
    } finally {
      closeSync(file);
    }
    chownToFolderOwner(draft, cluster.home);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return draft;
}

/** Includes sockets and drafts of crashed processes. */
function removeBelow(cluster: Cluster, generation: number): void {
  for (const name of readdirSync(lockFolder(cluster))) {
    if (Number.parseInt(name, 10) < generation) rmSync(join(lockFolder(cluster), name), { force: true });
  }
}
