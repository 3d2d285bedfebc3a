/** The configuration file: `--config`, SEINE_CONFIG, `seine.yaml` in the working folder, then in the data folder. */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, SeineError } from '../base/errors.ts';

export const FILE_NAME = 'seine.yaml';

export interface ConfigFile {
  readonly path: string;
  /** As people know it: short where it was found, as given where it was given. */
  readonly name: string;
  readonly folder: string;
  readonly text: string;
}

/** Null: there is none, and nobody asked for one. */
export function findConfigFile(
  given: string | undefined,
  dataFolder: string,
  env: NodeJS.ProcessEnv,
  cwd = workingFolder(),
): ConfigFile | null {
  const asked = given ?? (env.SEINE_CONFIG || undefined);
  if (asked !== undefined) return readConfigFile(asked, asked);
  if (cwd !== null && isThere(join(cwd, FILE_NAME))) {
    refuseForeign(join(cwd, FILE_NAME));
    return readConfigFile(join(cwd, FILE_NAME), FILE_NAME);
  }
  const kept = join(dataFolder, FILE_NAME);
  return isThere(kept) ? readConfigFile(kept, kept) : null;
}

/** A file that is larger is another file. */
const MOST_BYTES = 1 << 20;

function readConfigFile(file: string, name: string): ConfigFile {
  const path = resolve(file);
  const problem = (what: string, cause?: unknown) =>
    new SeineError('usage', `The configuration file ${name} ${what}.`, { cause });
  try {
    if (statSync(path).size > MOST_BYTES) throw problem('is too large to be one');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    return { path, name, folder: dirname(path), text };
  } catch (error) {
    if (error instanceof SeineError) throw error;
    if (codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw problem('is not UTF-8 text', error);
    throw problem(codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(error)})`, error);
  }
}

/**
 * Whoever scans a share from within it must not be given the share's configuration: it could send the findings elsewhere. So a file
 * that nobody named must be the user's own, or root's.
 */
function refuseForeign(path: string): void {
  const user = process.geteuid?.();
  const { uid, mode } = statSync(path);
  const foreign = user !== undefined && uid !== user && uid !== 0;
  if (!foreign && !(user !== undefined && mode & 0o002)) return;
  const why = foreign ? 'belongs to another user' : 'can be changed by every user';
  throw new SeineError(
    'usage',
    `The file ${basename(path)} in this folder ${why}, so it is not used unasked.`,
    {
      hint: `If you trust it, name it: --config ./${FILE_NAME}. To go without it: --config /dev/null.`,
    },
  );
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Null: the folder this process is in was removed. */
function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
