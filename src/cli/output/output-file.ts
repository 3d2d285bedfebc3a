/**
 * Output files are replaced atomically: written to a temporary file in the same folder, synced to disk and renamed. A crash or a full disk
 * leaves at most a `.partial` file, never half a report, and keeps the previous one. A new file gets mode 600, because a report lists where
 * sensitive data is. An existing file of the same owner keeps its mode.
 */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, createWriteStream, lstatSync, realpathSync, statSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { codeOf, type ErrorKind, SeineError } from '../../base/errors.ts';
import type { Finding } from '../../scans/results/finding.ts';
import type { Report } from '../../scans/results/report.ts';
import { type OutputFormat, writeOutput } from './formats.ts';

/** `-` is standard output. */
export async function writeOutputFile(
  path: string,
  format: OutputFormat,
  report: Report,
  findings: AsyncIterable<Finding>,
  stdout: Writable = process.stdout,
): Promise<void> {
  const write = (out: Writable) => writeOutput(format, report, findings, out);
  if (path === '-') return write(stdout);
  try {
    refuseLink(path);
    if (await isSpecial(path)) await writeFile(path, 'w', write);
    else await replaceFile(path, write);
  } catch (error) {
    throw explained(error, path);
  }
}

/** Checks an output path before the scan starts. Every problem is reported as a usage error. */
export function checkOutputFile(path: string): void {
  if (path === '-') return;
  try {
    refuseLink(path);
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw Object.assign(new Error(path), { code: 'EISDIR' });
    // A file is replaced, so its folder must be writable; a device or a named pipe is written to directly.
    if (there !== undefined && !there.isFile()) accessSync(path, constants.W_OK);
    else {
      accessSync(`${dirname(path)}/.`, constants.W_OK | constants.X_OK); // the dot makes it fail if the path is a file
    }
  } catch (error) {
    const mapped = explained(error, path);
    if (!(mapped instanceof SeineError)) throw mapped;
    throw new SeineError('usage', mapped.message, {
      ...(mapped.hint && { hint: mapped.hint }),
      cause: error,
    });
  }
}

/**
 * Rejects symbolic links: an untrusted checkout could contain `report.sarif` as a link to any file of the user, which would then be
 * overwritten. Links of the system (`/dev/stdout`, `/dev/fd/63`) are allowed.
 */
function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  if (/^\/(?:dev|proc)(?:\/|$)/.test(realpathSync(dirname(path)))) return;
  throw new SeineError('usage', `Could not write "${path}": it is a symbolic link.`, {
    hint: 'Remove the link, or specify the path of the file itself.',
  });
}

async function replaceFile(target: string, write: (out: Writable) => Promise<void>): Promise<void> {
  const partial = join(dirname(target), `.${basename(target)}.${randomBytes(4).toString('hex')}.partial`);
  try {
    await writeFile(partial, 'wx', write, await modeFor(target));
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

const PRIVATE = 0o600;

async function modeFor(target: string): Promise<number> {
  const there = await stat(target).catch(() => null);
  return there && there.uid === process.geteuid?.() ? there.mode & 0o666 : PRIVATE;
}

async function writeFile(
  path: string,
  flags: string,
  write: (out: Writable) => Promise<void>,
  mode = PRIVATE,
): Promise<void> {
  const file = createWriteStream(path, { flags, flush: flags === 'wx', mode });
  const done = finished(file);
  // Handled when it is awaited below; `write` rejects first.
  done.catch(() => {});
  try {
    await write(file);
    file.end();
    await done;
  } finally {
    file.destroy();
  }
}

/** Devices and named pipes: renaming over them would replace them with a file. */
async function isSpecial(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats !== null && !stats.isFile();
}

const PROBLEMS: Readonly<Record<string, readonly [ErrorKind, problem: string, hint: string]>> = {
  ENOSPC: ['limit', 'the disk is full', 'Free some space or write to another disk.'],
  EDQUOT: ['limit', 'your disk quota is exceeded', 'Free some space or write to another disk.'],
  EFBIG: ['limit', 'the file is too large for the file system', 'Write to another disk.'],
  ENOENT: ['not-found', 'its folder does not exist', 'Create the folder first, or choose another.'],
  ENOTDIR: ['usage', 'part of its path is a file, not a folder', 'Choose another path.'],
  EISDIR: ['usage', 'it is a folder', 'Specify a file in it.'],
  ENAMETOOLONG: ['usage', 'the name is too long', 'Choose a shorter name.'],
  EACCES: ['permission', 'permission denied', 'Choose a folder you can write to.'],
  EPERM: ['permission', 'permission denied', 'Choose a folder you can write to.'],
  EROFS: ['permission', 'the disk is read-only', 'Choose a folder you can write to.'],
  EIO: ['unavailable', 'the disk reports an error', 'Check the disk, or write to another one.'],
};

/** Maps file system errors; errors of reading the findings are passed on unchanged. */
function explained(error: unknown, path: string): unknown {
  const problem = PROBLEMS[codeOf(error) ?? ''];
  if (problem === undefined) return error;
  const [kind, what, hint] = problem;
  return new SeineError(kind, `Could not write "${path}": ${what}.`, { hint, cause: error });
}
