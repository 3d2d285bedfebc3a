import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { codeOf, SeineError } from '../base/errors.ts';
import { MACHINE_FOLDER, machineFolder } from './embedded/machine-folder.ts';

/** Where Seine keeps its own data: `--data`, then SEINE_DATA, then the user's (or for root the machine's) usual place. */
export function chooseDataFolder(flag: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  if (flag) return resolve(flag);
  if (env.SEINE_DATA) return resolve(env.SEINE_DATA);
  if (process.getuid?.() === 0) return join(MACHINE_FOLDER, 'data');
  const shared = env.XDG_DATA_HOME;
  // The XDG rules: a relative path is to be ignored.
  const base = shared && isAbsolute(shared) ? shared : join(env.HOME || homedir(), '.local/share');
  return join(base, 'seine');
}

/**
 * Makes the folder if need be, for its owner alone. Root's folder lets others pass through (711), because the database
 * inside runs under another account; every file in it is private itself.
 */
export function openDataFolder(folder: string): string {
  try {
    if (folder.startsWith(`${MACHINE_FOLDER}/`)) machineFolder();
    const existed = statSync(folder, { throwIfNoEntry: false }) !== undefined;
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    if (!existed) chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    throw dataFolderFailure(folder, error);
  }
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
