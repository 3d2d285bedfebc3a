/**
 * The configuration files that this user trusts, by path and SHA-256 of their content: a file that changed must be trusted again. Kept in
 * the user's state folder, where no checkout or share can put anything.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { codeOf, SeineError } from '../base/errors.ts';
import { findOwnershipProblem } from '../base/ownership.ts';

export interface TrustedFile {
  readonly path: string;
  readonly sha256: string;
}

interface File {
  readonly path: string;
  readonly text: string;
}

export function isTrusted(file: File, env: NodeJS.ProcessEnv): boolean {
  const record = recordOf(file);
  try {
    return readTrusted(env).some(({ path, sha256 }) => path === record.path && sha256 === record.sha256);
  } catch {
    return false; // a damaged list trusts nothing; `seine config trust` says what is wrong with it
  }
}

export function trust(file: File, env: NodeJS.ProcessEnv): TrustedFile {
  const record = recordOf(file);
  write([...readTrusted(env).filter(({ path }) => path !== record.path), record], env);
  return record;
}

/** False: it was not trusted. */
export function untrust(file: string, env: NodeJS.ProcessEnv): boolean {
  const path = canonicalPath(file);
  const before = readTrusted(env);
  const rest = before.filter((each) => each.path !== path);
  if (rest.length < before.length) write(rest, env);
  return rest.length < before.length;
}

export function readTrusted(env: NodeJS.ProcessEnv): readonly TrustedFile[] {
  const path = storePath(env);
  try {
    const why = findOwnershipProblem(path);
    if (why !== null) throw unusableStoreError(path, why);
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as { files: readonly TrustedFile[] };
    if (files.every((file) => typeof file.path === 'string' && typeof file.sha256 === 'string')) return files;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    if (error instanceof SeineError) throw error;
    throw unusableStoreError(path, 'cannot be read', error);
  }
  throw unusableStoreError(path, 'is damaged');
}

/** The folder with its links resolved, the file not: relative paths in it begin where the link is. */
function recordOf({ path, text }: File): TrustedFile {
  return { path: canonicalPath(path), sha256: createHash('sha256').update(text).digest('hex') };
}

function canonicalPath(file: string): string {
  const path = resolve(file);
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function write(files: readonly TrustedFile[], env: NodeJS.ProcessEnv): void {
  const path = storePath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  chmodSync(dirname(path), 0o700);
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify({ files }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

function storePath(env: NodeJS.ProcessEnv): string {
  const state = env.XDG_STATE_HOME;
  const base = state && isAbsolute(state) ? state : join(env.HOME || homedir(), '.local/state');
  return join(base, 'seine/trusted-configurations.json');
}

function unusableStoreError(path: string, why: string, cause?: unknown): SeineError {
  return new SeineError('usage', `The list of trusted configuration files ${path} ${why}.`, {
    hint: 'Remove it, then trust the files again that you need: seine config trust FILE',
    cause,
  });
}
