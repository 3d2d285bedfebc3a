/**
 * Checks the owners of a cluster's files, and what the server reads before our settings apply. A folder
 * prepared by another user can execute code: `archive_command` or `shared_preload_libraries` in a
 * configuration file are sufficient.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, SeineError } from '../../base/errors.ts';
import { type Account, isDedicated, nobodyId } from './account.ts';
import { type Cluster, clusterFolder } from './cluster.ts';

/** Required for every connection, too: the socket in it must be that of our server. */
export function checkHome(cluster: Cluster): void {
  const found = lstatSync(cluster.home, { throwIfNoEntry: false });
  if (found === undefined) return;
  const user = process.geteuid?.();
  if (!found.isDirectory()) throw untrustedHomeError(cluster, 'is a link or a file, not a folder');
  if (user === undefined) return;
  const own = user === 0 ? isServerUid(found.uid) : found.uid === user;
  if (!own) throw untrustedHomeError(cluster, `belongs to another user (${found.uid})`);
  if (found.mode & 0o022) throw untrustedHomeError(cluster, 'can be changed by other users');
}

/**
 * A folder under /tmp can be created by any user, whose server would receive the password: it must belong
 * to the owner of the home. Returns false if it does not exist, belongs to the account that earlier
 * versions used, or while another process gives the home to the server's account (`chownTree`).
 */
export function isSocketFolderOurs(cluster: Cluster): boolean {
  const [home, socket] = [cluster.home, cluster.socket].map((path) =>
    lstatSync(path, { throwIfNoEntry: false }),
  );
  if (!home || !socket) return false;
  const closed = process.platform === 'win32' || (socket.mode & 0o077) === 0;
  if (socket.isDirectory() && socket.uid === home.uid && closed) return true;
  const isBeingTakenOver = socket.uid === nobodyId() || (home.uid === 0 && isServerUid(socket.uid));
  if (process.getuid?.() === 0 && socket.isDirectory() && isBeingTakenOver) return false;
  throw new SeineError('conflict', `The folder ${cluster.socket} was made by another user.`, {
    hint: 'Remove it, then try again.',
  });
}

/** Root, the id that root chose for it, or the account that earlier versions used. */
function isServerUid(uid: number): boolean {
  return uid === 0 || isDedicated(uid) || uid === nobodyId();
}

function untrustedHomeError({ home, dataFolder }: Cluster, why: string): SeineError {
  return new SeineError(
    'permission',
    `The database folder ${home} ${why}, so it is not used: its files could run code.`,
    {
      hint: `Run as the user who created it, or choose another folder with --data. If you trust the content of ${dataFolder}, take ownership: chown -R and chmod -R go-rwx.`,
    },
  );
}

const FILES: Readonly<Record<string, string>> = {
  'postgresql.conf': '',
  'postgresql.auto.conf': '',
  'pg_ident.conf': '',
  'pg_hba.conf': 'local all all scram-sha-256\n',
};
const HEAD =
  '# Seine writes this file at each start of the server. Its settings are given on the command line.\n';

/** The caller must hold the lock of the cluster; the server must not be running yet. */
export function prepareFiles(cluster: Cluster, account: Account | null): void {
  checkHome(cluster);
  if (account) chownTree(cluster.home, account);
  for (const name of ['recovery.signal', 'standby.signal'])
    rmSync(join(clusterFolder(cluster), name), { force: true });
  for (const [name, text] of Object.entries(FILES)) {
    const path = join(clusterFolder(cluster), name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path, 'utf8') === HEAD + text)
      continue;
    rmSync(path, { force: true, recursive: true });
    writeFileSync(path, HEAD + text, { mode: 0o600, flag: 'wx' });
    if (account) lchownSync(path, account.uid, account.gid);
  }
}

/**
 * Changes the owner of everything in it, the folder itself last: if killed in between, the next start
 * repeats it. All paths are opened relative to open directories, because the former owner could replace one
 * by a link meanwhile.
 */
export function chownTree(folder: string, account: Account): void {
  const before = lstatSync(folder);
  if (before.uid === account.uid && before.gid === account.gid) return;
  if (before.uid !== 0) lchownSync(folder, 0, 0); // from now on the former owner has no access
  chmodSync(folder, 0o700);
  const root = openFolder(folder);
  try {
    chownEntries(root, account, new Set([0, before.uid, account.uid, nobodyId()]));
    fchownSync(root, account.uid, account.gid);
  } finally {
    closeSync(root);
  }
}

function chownEntries(folder: number, account: Account, owners: ReadonlySet<number>): void {
  const path = `/proc/self/fd/${folder}`;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    const found = lstatSync(inner, { throwIfNoEntry: false });
    if (found === undefined || !owners.has(found.uid)) continue;
    if (found.isDirectory()) chownSubfolder(inner, account, owners);
    else lchownSync(inner, account.uid, account.gid);
  }
}

function chownSubfolder(path: string, account: Account, owners: ReadonlySet<number>): void {
  let folder: number;
  try {
    folder = openFolder(path);
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ELOOP') return; // replaced since it was listed
    throw error;
  }
  try {
    if (!owners.has(fstatSync(folder).uid)) return;
    chownEntries(folder, account, owners);
    fchownSync(folder, account.uid, account.gid);
  } finally {
    closeSync(folder);
  }
}

function openFolder(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}
