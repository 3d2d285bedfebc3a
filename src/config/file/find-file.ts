/** The configuration file: `--config`, SEINE_CONFIG, `seine.yaml` in the working folder, then in the data folder. */
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { codeOf, SeineError } from '../../base/errors.ts';
import { findFolderOwnershipProblem, findOwnershipProblem } from '../../base/ownership.ts';
import { chooseDataFolder } from '../../db/data-folder.ts';
import { trustHint } from '../problem.ts';
import { isTrusted } from './trust-store.ts';

export const FILE_NAME = 'seine.yaml';

export interface ConfigFile {
  readonly path: string;
  /** The name shown in messages: relative if found in the working folder, as given if given. */
  readonly name: string;
  readonly folder: string;
  readonly text: string;
  /** False if it was found where others may have put it (a checkout, a share); then only its harmless settings are allowed. */
  readonly trusted: boolean;
}

/** Returns null if there is no file and none was requested. */
export function findConfigFile(
  given: string | undefined,
  dataFolder: string,
  env: NodeJS.ProcessEnv,
  cwd = workingFolder(),
): ConfigFile | null {
  const requested = given ?? (env.SEINE_CONFIG || undefined);
  if (requested !== undefined) return { ...readConfigFile(requested, requested), trusted: true };
  const here = cwd === null ? null : findFile(join(cwd, FILE_NAME), FILE_NAME, false, env);
  if (here !== null) return here;
  const kept = join(dataFolder, FILE_NAME);
  return findFile(kept, kept, isOwnDataFolder(dataFolder, cwd, env), env);
}

/** Reads a configuration file. Throws a usage error if it is missing, unreadable, too large or not UTF-8. */
export function readConfigFile(file: string, name: string): Omit<ConfigFile, 'trusted'> {
  const path = resolve(file);
  const problem = (what: string, cause?: unknown) =>
    new SeineError('usage', `The configuration file ${name} ${what}.`, { cause });
  try {
    if (statSync(path).size > MAX_BYTES) throw problem('is too large');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    return { path, name, folder: dirname(path), text };
  } catch (error) {
    if (error instanceof SeineError) throw error;
    if (codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw problem('is not UTF-8 text', error);
    throw problem(codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(error)})`, error);
  }
}

/** A larger file is not a configuration. */
const MAX_BYTES = 1 << 20;

function findFile(path: string, name: string, own: boolean, env: NodeJS.ProcessEnv): ConfigFile | null {
  const found = statEntry(path, name);
  if (found === null) return null;
  // Reading a named pipe would block for ever.
  if (!found.isRegularFile) throw untrustedFileError(name, 'is not a regular file');
  const file = readConfigFile(path, name);
  if (isTrusted(file, env)) return { ...file, trusted: true };
  const why = findOwnershipProblem(path);
  if (why !== null) throw untrustedFileError(name, why);
  // A link could point to any file of the user, whose content would appear in error messages.
  if (!own && found.isLink) throw untrustedFileError(name, 'is a symbolic link');
  return { ...file, trusted: own };
}

/** Also returns null for a data folder that is a file or not accessible: opening the folder reports that. */
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
 * Whether the content of the data folder comes from its user: it is the default data folder, or at least not inside the working folder,
 * which may be a checkout.
 */
function isOwnDataFolder(dataFolder: string, cwd: string | null, env: NodeJS.ProcessEnv): boolean {
  if (statEntry(`${dataFolder}/.`, dataFolder) === null) return false; // the dot makes it fail unless it is an accessible folder
  const why = findFolderOwnershipProblem(dataFolder, dirname(dataFolder));
  if (why !== null) return false;
  if (dataFolder === chooseDataFolder(undefined, { ...env, SEINE_DATA: undefined })) return true;
  return cwd === null || !`${dataFolder}${sep}`.startsWith(cwd === sep ? sep : `${cwd}${sep}`);
}

function untrustedFileError(name: string, why: string): SeineError {
  return new SeineError('usage', `The configuration file ${name} was found automatically, and it ${why}.`, {
    hint: trustHint(name),
  });
}

/** Returns null if the working folder was deleted. */
function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
