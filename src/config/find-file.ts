/** The configuration file: `--config`, SEINE_CONFIG, `seine.yaml` in the working folder, then in the data folder. */
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { codeOf, SeineError } from '../base/errors.ts';
import { findFolderOwnershipProblem, findOwnershipProblem } from '../base/ownership.ts';
import { chooseDataFolder } from '../db/data-folder.ts';
import { trustHint } from './problem.ts';
import { isTrusted } from './trust-store.ts';

export const FILE_NAME = 'seine.yaml';

export interface ConfigFile {
  readonly path: string;
  /** As people know it: short where it was found, as given where it was given. */
  readonly name: string;
  readonly folder: string;
  readonly text: string;
  /** False: it was found where others may have put it (a checkout, a share), so only harmless settings of it are used. */
  readonly trusted: boolean;
}

/** Null: there is none, and none was asked for. */
export function findConfigFile(
  given: string | undefined,
  dataFolder: string,
  env: NodeJS.ProcessEnv,
  cwd = workingFolder(),
): ConfigFile | null {
  const asked = given ?? (env.SEINE_CONFIG || undefined);
  if (asked !== undefined) return { ...readConfigFile(asked, asked), trusted: true };
  const here = cwd === null ? null : findFile(join(cwd, FILE_NAME), FILE_NAME, false, env);
  if (here !== null) return here;
  const kept = join(dataFolder, FILE_NAME);
  return findFile(kept, kept, isOwnDataFolder(dataFolder, cwd, env), env);
}

/** The file that `seine config trust` is about. */
export function readConfigFile(file: string, name: string): Omit<ConfigFile, 'trusted'> {
  const path = resolve(file);
  const problem = (what: string, cause?: unknown) =>
    new SeineError('usage', `The configuration file ${name} ${what}.`, { cause });
  try {
    if (statSync(path).size > MAX_BYTES) throw problem('is too large to be one');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    return { path, name, folder: dirname(path), text };
  } catch (error) {
    if (error instanceof SeineError) throw error;
    if (codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw problem('is not UTF-8 text', error);
    throw problem(codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(error)})`, error);
  }
}

/** A file that is larger is another file. */
const MAX_BYTES = 1 << 20;

function findFile(path: string, name: string, own: boolean, env: NodeJS.ProcessEnv): ConfigFile | null {
  const found = statEntry(path, name);
  if (found === null) return null;
  // Reading a named pipe would wait for ever.
  if (!found.isRegularFile) throw untrustedFileError(name, 'is not a file');
  const file = readConfigFile(path, name);
  if (isTrusted(file, env)) return { ...file, trusted: true };
  const why = findOwnershipProblem(path);
  if (why !== null) throw untrustedFileError(name, why);
  // It could lead to any file of the user, whose content would appear in messages about its mistakes.
  if (!own && found.isLink) throw untrustedFileError(name, 'is a symbolic link');
  return { ...file, trusted: own };
}

/** Null also for a data folder that is a file or may not be entered: what opens the folder says what is wrong with it. */
function statEntry(path: string, name: string): { isLink: boolean; isRegularFile: boolean } | null {
  try {
    const isLink = lstatSync(path).isSymbolicLink();
    return { isLink, isRegularFile: statSync(path, { throwIfNoEntry: false })?.isFile() ?? false };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return null;
    throw untrustedFileError(name, `cannot be read (${code})`);
  }
}

/**
 * Whether what lies in the data folder was put there by its user: it is the usual one, or at least not part of the working folder, which may
 * be a checkout.
 */
function isOwnDataFolder(dataFolder: string, cwd: string | null, env: NodeJS.ProcessEnv): boolean {
  if (statEntry(`${dataFolder}/.`, dataFolder) === null) return false; // with the dot only a folder that may be entered is there
  const why = findFolderOwnershipProblem(dataFolder, dirname(dataFolder));
  if (why !== null) return false;
  if (dataFolder === chooseDataFolder(undefined, { ...env, SEINE_DATA: undefined })) return true;
  return cwd === null || !`${dataFolder}${sep}`.startsWith(cwd === sep ? sep : `${cwd}${sep}`);
}

function untrustedFileError(name: string, why: string): SeineError {
  return new SeineError('usage', `The configuration file ${name} was found here, not named, and it ${why}.`, {
    hint: trustHint(name),
  });
}

/** Null: the folder this process is in was removed. */
function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
