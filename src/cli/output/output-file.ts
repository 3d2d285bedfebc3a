/**
 * An output appears under its name when it is whole, or not at all: it is written beside it under another name, forced
 * to disk and renamed. A crash or a full disk leaves at most a `.partial` file and never half a report, nor does
 * it cost the report that was there before. A new file is for its owner alone (mode 600): a report says where sensitive data is. A file of
 * ours that is replaced keeps its mode.
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

/** What can be known before there is anything to write. Every problem is one of the name that was given. */
export function checkOutputFile(path: string): void {
  if (path === '-') return;
  try {
    refuseLink(path);
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw Object.assign(new Error(path), { code: 'EISDIR' });
    // A file is replaced, so its folder decides; a device or a named pipe is written to.
    if (there !== undefined && !there.isFile()) accessSync(path, constants.W_OK);
    else {
      accessSync(`${dirname(path)}/.`, constants.W_OK | constants.X_OK); // the dot: a file in its place is no folder
    }
  } catch (error) {
    const told = explained(error, path);
    if (!(told instanceof SeineError)) throw told;
    throw new SeineError('usage', told.message, { ...(told.hint && { hint: told.hint }), cause: error });
  }
}

/**
 * A checkout may contain `report.sarif` as a link to any file of the user, which would be replaced by a text in which names of the checkout
 * stand. The links of the system (`/dev/stdout`, `/dev/fd/63`) are meant.
 */
function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  if (/^\/(?:dev|proc)(?:\/|$)/.test(realpathSync(dirname(path)))) return;
  throw new SeineError('usage', `Could not write "${path}": it is a symbolic link.`, {
    hint: 'Remove the link, or give the path of the file itself.',
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
  // Until it is awaited below: the error comes out of `write` first.
  done.catch(() => {});
  try {
    await write(file);
    file.end();
    await done;
  } finally {
    file.destroy();
  }
}

/** Renaming over /dev/null or a named pipe would replace the device by a file. */
async function isSpecial(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats !== null && !stats.isFile();
}

const PROBLEMS: Readonly<Record<string, readonly [ErrorKind, problem: string, hint: string]>> = {
  ENOSPC: ['limit', 'the disk is full', 'Free some space or write to another disk.'],
  EDQUOT: ['limit', 'your disk quota is used up', 'Free some space or write to another disk.'],
  EFBIG: ['limit', 'the file would be larger than this disk allows', 'Write to another disk.'],
  ENOENT: ['not-found', 'its folder does not exist', 'Create the folder first, or choose another.'],
  ENOTDIR: ['usage', 'part of its path is a file, not a folder', 'Choose another path.'],
  EISDIR: ['usage', 'it is a folder', 'Give the name of a file in it.'],
  ENAMETOOLONG: ['usage', 'the name is too long', 'Choose a shorter name.'],
  EACCES: ['permission', 'you may not write there', 'Choose a folder you may write to.'],
  EPERM: ['permission', 'you may not write there', 'Choose a folder you may write to.'],
  EROFS: ['permission', 'the disk is read-only', 'Choose a folder you may write to.'],
  EIO: ['unavailable', 'the disk reports an error', 'Check the disk, or write to another one.'],
};

/** Errors of the findings behind the file pass as they are: they are not the file's fault. */
function explained(error: unknown, path: string): unknown {
  const problem = PROBLEMS[codeOf(error) ?? ''];
  if (problem === undefined) return error;
  const [kind, what, hint] = problem;
  return new SeineError(kind, `Could not write "${path}": ${what}.`, { hint, cause: error });
}
