/**
 * Checks which users could have written a file. A configuration, a key or a database acts with the rights
 * of the user who runs Seine, so only files that this user or root alone can write are used implicitly.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, SeineError } from './errors.ts';

export const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/**
 * Returns null if there is no problem. Otherwise the end of the sentence "The file …". `bits`: the modes
 * that it must not have.
 */
export function findOwnershipProblem(path: string, bits = WRITABLE_BY_OTHERS): string | null {
  const user = process.geteuid?.();
  if (user === undefined) return null; // platforms without user ids
  const found = lstatSync(path);
  // A link must not belong to another user either: it would choose which of our files is used.
  const target = found.isSymbolicLink() ? statSync(path) : found;
  if ([found, target].some((stats) => isOwnedByOther(stats, user))) return 'belongs to another user';
  const wrong = target.mode & bits & (isPrivateGroup(target, user) ? ~0o020 : ~0);
  if (wrong === 0) return null;
  return wrong & 0o022 ? 'can be changed by other users' : 'can be read by other users';
}

/**
 * The same for a folder. Its group may write if this process belongs to it, as on volumes of containers;
 * its files are then checked individually. Users who can write the parent folder, if it is given, can
 * replace the folder, unless the sticky bit is set.
 */
export function findFolderOwnershipProblem(folder: string, parent?: string): string | null {
  const user = process.geteuid?.();
  if (user === undefined) return null;
  const stats = statSync(folder);
  if (isOwnedByOther(stats, user)) return 'belongs to another user';
  const isShared = stats.mode & 0o020 && !process.getgroups!().includes(stats.gid);
  if (stats.mode & 0o002 || isShared) return 'can be changed by other users';
  const above = parent === undefined ? null : statSync(parent);
  if (above && above.mode & 0o002 && !(above.mode & STICKY))
    return 'is in a folder that every user can change';
  return null;
}

/**
 * Every ancestor must belong to root or the user: its owner can replace what is below. For root it must
 * also not be writable by all users, because root writes and deletes there. A user namespace shows all
 * owners from outside it as one id.
 */
export function findUntrustedAncestor(folder: string): string | null {
  const user = process.geteuid?.();
  if (user === undefined) return null;
  for (const from of new Set([folder, realpathSync(folder)])) {
    for (let at = dirname(from), below = from; at !== below; below = at, at = dirname(at)) {
      const stats = statSync(at);
      const open = user === 0 && stats.mode & 0o002 && !(stats.mode & STICKY);
      if (open || (isOwnedByOther(stats, user) && stats.uid !== UNMAPPED_UID)) return at;
    }
  }
  return null;
}

/** The id of owners that this user namespace does not map. */
const UNMAPPED_UID = 65_534;

/**
 * Reads a file that contains a secret or decides what is executed: it must not be a link, must belong to
 * this user or root, and be inaccessible to all others. Checked on the open file, so that it cannot be
 * replaced in between. Null: there is none.
 */
export function readPrivateFile(path: string, name: string): Buffer | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (codeOf(error) === 'ELOOP' || codeOf(error) === 'EMLINK')
      throw rejectedFileError(path, name, ['is a symbolic link', 'Put the file itself there.']);
    throw error;
  }
  try {
    const why = findPrivacyProblem(fstatSync(file));
    if (why !== null) throw rejectedFileError(path, name, why);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

type Reason = readonly [why: string, hint: string];

function findPrivacyProblem(stats: Stats): Reason | null {
  const user = process.geteuid?.();
  if (!stats.isFile()) return ['is not a regular file', 'Move it away.'];
  if (user === undefined) return null;
  if (isOwnedByOther(stats, user))
    return [
      `belongs to another user (${stats.uid})`,
      'Run as that user, or choose another folder with --data.',
    ];
  // A mounted secret belongs to root and is readable by its group.
  const wrong = stats.mode & (stats.uid === user ? 0o077 : 0o027);
  if (wrong === 0) return null;
  return [
    `can be ${wrong & 0o022 ? 'changed' : 'read'} by other users`,
    'If no other user has touched it, close it: chmod 600',
  ];
}

function rejectedFileError(path: string, name: string, [why, hint]: Reason): SeineError {
  return new SeineError('permission', `${name} ${path} ${why}, so it is not used.`, {
    hint: hint.endsWith('chmod 600') ? `${hint} ${path}` : hint,
  });
}

function isOwnedByOther({ uid }: Stats, user: number): boolean {
  return uid !== user && uid !== 0;
}

/** On many systems each user has a group with the same id, which can write new files. */
function isPrivateGroup({ gid }: Stats, user: number): boolean {
  return gid === user;
}
