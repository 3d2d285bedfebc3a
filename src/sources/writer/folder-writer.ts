/**
 * Writes to a folder: each file is written next to its name as `.NAME.RANDOM.partial`, synced to disk and renamed. A crash leaves at most
 * a partial file, which the next sweep deletes. Files and new folders are accessible to their owner only.
 */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf, type ErrorKind, SeineError } from '../../base/errors.ts';
import type { Content, ObjectWriter } from './writer.ts';

export function createFolderWriter(root: string): ObjectWriter {
  return {
    async put(name, content, signal) {
      const path = join(root, name);
      await mapFolderErrors(path, () => putFile(path, content, signal));
    },
    async sweep(folder) {
      const path = join(root, folder);
      await mapFolderErrors(path, () => sweepFolder(path));
    },
  };
}

async function putFile(path: string, content: Content, signal: AbortSignal): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = path.slice(folder.length + 1);
  const partial = join(folder, `.${name}.${randomBytes(4).toString('hex')}.partial`);
  try {
    const file = createWriteStream(partial, { flags: 'wx', flush: true, mode: 0o600 });
    await pipeline(Readable.from(content, { objectMode: true, highWaterMark: 1 }), file, { signal });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** So that the new name survives a power failure. Not every file system supports it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().catch(() => {});
  await handle.close();
}

async function sweepFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error) =>
    codeOf(error) === 'ENOENT' ? [] : Promise.reject(error),
  );
  const partial = /^\..+\.[0-9a-f]{8}\.partial$/;
  for (const name of names) if (partial.test(name)) await rm(join(folder, name), { force: true });
}

const PROBLEMS: Readonly<Record<string, readonly [ErrorKind, problem: string]>> = {
  ENOSPC: ['limit', 'the disk is full'],
  EDQUOT: ['limit', 'the disk quota is used up'],
  EFBIG: ['limit', 'the file would be larger than this disk allows'],
  ENOTDIR: ['usage', 'part of its path is a file, not a folder'],
  EEXIST: ['usage', 'part of its path is a file, not a folder'],
  EISDIR: ['usage', 'it is a folder'],
  ENAMETOOLONG: ['usage', 'the name is too long'],
  EACCES: ['permission', 'Seine may not write there'],
  EPERM: ['permission', 'Seine may not write there'],
  EROFS: ['permission', 'the disk is read-only'],
  EIO: ['unavailable', 'the disk reports an error'],
  ESTALE: ['unavailable', 'the share went away'],
  ENOENT: ['unavailable', 'the folder went away'],
};

/** Errors of the content are passed through: they are unrelated to the folder. */
async function mapFolderErrors(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const problem = error instanceof SeineError ? undefined : PROBLEMS[codeOf(error) ?? ''];
    if (problem === undefined) throw error;
    const [kind, what] = problem;
    throw new SeineError(kind, `Could not write ${path}: ${what}.`, {
      hint: 'Choose another folder, or make room and rights there, then retry the export.',
      cause: error,
    });
  }
}
