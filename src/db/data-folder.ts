import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { codeOf, SeineError } from '../base/errors.ts';
import { findFolderOwnershipProblem, findUntrustedAncestor } from '../base/ownership.ts';
import { MACHINE_FOLDER, machineFolder } from './embedded/machine-folder.ts';

/**
 * The folder of Seine's own data: `--data`, then SEINE_DATA, then the default of the user (or for root that
 * of the machine).
 */
export function chooseDataFolder(flag: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  if (flag) return resolve(flag);
  if (env.SEINE_DATA) return resolve(env.SEINE_DATA);
  if (process.getuid?.() === 0) return join(MACHINE_FOLDER, 'data');
  const shared = env.XDG_DATA_HOME;
  // The XDG Base Directory Specification requires that relative paths are ignored.
  const base = shared && isAbsolute(shared) ? shared : join(env.HOME || homedir(), '.local/share');
  return join(base, 'seine');
}

/**
 * Creates the folder if needed, accessible by its owner only. Root's folder can be traversed by all (711),
 * because the database inside runs under another account; the files in it are private.
 */
export function openDataFolder(folder: string): string {
  try {
    if (folder.startsWith(`${MACHINE_FOLDER}/`)) machineFolder();
    const existed = statSync(folder, { throwIfNoEntry: false }) !== undefined;
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    if (!existed) chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    checkOwner(folder);
    return folder;
  } catch (error) {
    if (error instanceof SeineError) throw error;
    throw dataFolderFailure(folder, error);
  }
}

/** Its files are executed and trusted: the database, its jobs, the key. */
function checkOwner(folder: string): void {
  const why = findFolderOwnershipProblem(folder);
  if (why !== null) throw untrustedFolderError(folder, why, suggestFolder(folder));
  const above = findUntrustedAncestor(folder);
  if (above === null) return;
  const { uid } = statSync(above);
  const isOpen = uid === 0 || uid === process.geteuid?.();
  throw untrustedFolderError(
    folder,
    `is in ${above}, which other users can change`,
    isOpen ? `chmod +t ${above}` : `run as the user ${uid}`,
  );
}

/** Volumes of containers often belong to root and are writable by all: suggests a subfolder. */
function suggestFolder(folder: string): string {
  const { uid } = statSync(folder);
  if (uid === process.geteuid?.()) return `chmod go-w ${folder}`;
  return uid === 0 ? `one in it: ${join(folder, 'seine')}` : `run as the user ${uid}`;
}

function untrustedFolderError(folder: string, why: string, otherwise: string): SeineError {
  return new SeineError('permission', `The data folder ${folder} ${why}, so it is not used.`, {
    hint: `Choose another folder with --data or SEINE_DATA, or ${otherwise}.`,
  });
}

function dataFolderFailure(folder: string, cause: unknown): SeineError {
  const code = codeOf(cause);
  const hint = 'Choose another folder with --data or SEINE_DATA.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new SeineError('permission', `The data folder ${folder} cannot be written.`, { hint, cause });
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return new SeineError('usage', `The data folder ${folder} is not a folder.`, { hint, cause });
  }
  if (code === 'ENOSPC')
    return new SeineError('limit', `The disk of the data folder ${folder} is full.`, { hint, cause });
  return new SeineError('unavailable', `The data folder ${folder} cannot be used.`, { hint, cause });
}
