import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, SeineError } from '../../base/errors.ts';
import { readPrivateFile } from '../../base/ownership.ts';
import { canAccess, chownToFolderOwner, serverAccount } from './account.ts';
import { machineFolder } from './machine-folder.ts';

/**
 * Location and password of the private PostgreSQL of a data folder: `<data>/postgres.json`, mode 600, written once.
 *
 * `home` contains `data/` (the cluster), `socket/` and `owner.json`. It is `<data>/postgres`, or, when root starts it and the
 * server's account cannot access the data folder, a folder of the machine. Both sides contain the same random id, so a data
 * folder that was deleted and recreated never uses the cluster of its predecessor, nor a copy the cluster of the original.
 */
export interface Cluster {
  readonly dataFolder: string;
  readonly id: string;
  readonly password: string;
  readonly home: string;
  readonly socket: string;
  /**
   * The home was complete once: if it is missing now it was lost, and must not silently be recreated,
   * empty.
   */
  readonly complete: boolean;
}

interface Pointer {
  readonly id: string;
  readonly password: string;
  /** Null: relative to this file, so that a moved data folder still finds it. */
  readonly home: string | null;
  readonly complete: boolean;
}

interface Owner {
  readonly id: string;
  readonly dataFolder: string;
}

/** `sun_path` of a Unix socket has 108 bytes, including the final NUL. */
const SOCKET_PATH_BYTES = 107;
export const SOCKET_NAME = '.s.PGSQL.5432';

/** Chooses a location on first use. */
export function locateCluster(folder: string): Cluster {
  const dataFolder = realpathSync(folder);
  return clusterOf(dataFolder, readPointer(dataFolder) ?? createPointer(dataFolder));
}

/** Returns null when the data folder was deleted, or replaced by another one. */
export function findCluster(dataFolder: string, id: string): Cluster | null {
  const pointer = readPointer(dataFolder);
  return pointer?.id === id ? clusterOf(dataFolder, pointer) : null;
}

function clusterOf(dataFolder: string, pointer: Pointer): Cluster {
  const { id, password, complete } = pointer;
  const home = pointer.home ?? join(dataFolder, 'postgres');
  return { dataFolder, id, password, home, socket: socketFolder(home, id), complete };
}

export function connectionString(cluster: Cluster): string {
  return `postgres://seine:${cluster.password}@/postgres?host=${encodeURIComponent(cluster.socket)}`;
}

export function clusterFolder(cluster: Cluster): string {
  return join(cluster.home, 'data');
}

export function clusterExists(cluster: Cluster): boolean {
  return existsSync(cluster.home);
}

/** Returns false once the data folder was deleted, recreated, or its pointer is no longer trusted. */
export function stillOwned(cluster: Cluster): boolean {
  try {
    return readPointer(cluster.dataFolder)?.id === cluster.id;
  } catch (error) {
    if (error instanceof SeineError && error.kind === 'permission') return false;
    throw error;
  }
}

export function writeOwner(home: string, cluster: Cluster): void {
  const owner: Owner = { id: cluster.id, dataFolder: cluster.dataFolder };
  const path = join(home, 'owner.json');
  writeFileSync(path, JSON.stringify(owner), { mode: 0o600 });
  chownToFolderOwner(path, home);
}

export function checkOwner(cluster: Cluster): void {
  const owner = readJson<Owner>(join(cluster.home, 'owner.json'));
  if (owner?.id !== cluster.id) {
    throw new SeineError(
      'conflict',
      `The database in ${cluster.home} does not belong to ${cluster.dataFolder}.`,
      {
        hint: 'Bring back the postgres.json that was made with it, or move the database folder away to start empty.',
      },
    );
  }
  if (owner.dataFolder === cluster.dataFolder || cluster.home === join(cluster.dataFolder, 'postgres'))
    return;
  if (existsSync(owner.dataFolder) && readPointer(owner.dataFolder)?.id === cluster.id) {
    throw new SeineError(
      'conflict',
      `${cluster.dataFolder} is a copy of ${owner.dataFolder}, which still has the database.`,
      {
        hint: 'Delete postgres.json in the copy to give it its own database.',
      },
    );
  }
  writeOwner(cluster.home, cluster);
}

export function markComplete(cluster: Cluster): void {
  if (cluster.complete) return;
  const pointer = readPointer(cluster.dataFolder);
  if (pointer?.id !== cluster.id) return;
  const draft = writeDraft(cluster.dataFolder, { ...pointer, complete: true });
  renameSync(draft, join(cluster.dataFolder, 'postgres.json'));
}

function readPointer(dataFolder: string): Pointer | null {
  const path = join(dataFolder, 'postgres.json');
  return readJson<Pointer>(path, () => readPrivateFile(path, 'The file')?.toString() ?? null);
}

/** For concurrent starts: `link` lets one of them win, and the other reads its file. */
function createPointer(dataFolder: string): Pointer {
  const id = randomBytes(8).toString('hex');
  const account = serverAccount(id, join(dataFolder, 'postgres'));
  const home = canAccess(dataFolder, account) ? null : join(machineFolder('clusters'), id);
  const password = randomBytes(24).toString('hex');
  const draft = writeDraft(dataFolder, { id, password, home, complete: false });
  try {
    linkSync(draft, join(dataFolder, 'postgres.json'));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readPointer(dataFolder)!;
}

function writeDraft(dataFolder: string, pointer: Pointer): string {
  const draft = join(dataFolder, `postgres.json.${randomBytes(4).toString('hex')}`);
  writeFileSync(draft, `${JSON.stringify(pointer)}\n`, { mode: 0o600, flag: 'wx' });
  chownToFolderOwner(draft, dataFolder);
  return draft;
}

/**
 * If the path is too long, uses a folder outside with an unpredictable name that only the owner can access.
 */
function socketFolder(home: string, id: string): string {
  const inside = join(home, 'socket');
  const fits = Buffer.byteLength(join(inside, SOCKET_NAME)) <= SOCKET_PATH_BYTES && !/["\\,\n]/.test(inside);
  return fits ? inside : join('/tmp', `seine-${id}`);
}

function readJson<T>(path: string, read = (): string | null => readFileSync(path, 'utf8')): T | null {
  try {
    return JSON.parse(read() ?? 'null') as T | null;
  } catch (error) {
    if (error instanceof SeineError) throw error;
    if (codeOf(error) === 'ENOENT') return null;
    if (codeOf(error) === 'EACCES') {
      throw new SeineError('permission', `The data folder ${dirname(path)} belongs to another user.`, {
        hint: 'Run as that user, or choose another folder with --data.',
        cause: error,
      });
    }
    throw new SeineError('corrupt', `${path} cannot be read.`, { cause: error });
  }
}
