/**
 * The configuration files that this user trusts, by path and SHA-256 of their content: a changed file must be trusted again. Stored in
 * the user's state folder, which no checkout or share can write to.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { codeOf, SeineError } from '../../base/errors.ts';
import { findOwnershipProblem } from '../../base/ownership.ts';

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
    return false; // with a damaged list no file is trusted; `seine config trust` reports the damage
  }
}

export function trust(file: File, env: NodeJS.ProcessEnv): TrustedFile {
  const record = recordOf(file);
  write([...readTrusted(env).filter(({ path }) => path !== record.path), record], env);
  return record;
}

/** Returns false if the file was not trusted. */
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

/** Links of the folder are resolved, a link of the file is not: relative paths in it are relative to the folder of the link. */
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
    hint: 'Remove it, then trust the files you need again: seine config trust FILE',
    cause,
  });
}
