import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  read as readAsync,
  readSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import type { ByteRange, SourceObject } from '../source.ts';
import { type BytePath, callWithPath } from './byte-path.ts';
import { changed, mapFsError } from './failure.ts';
import { isListedAs, wasModified } from './file-object.ts';
import { IGNORE_FILE } from './folder.ts';
import { MAX_RULE_BYTES } from './ignore-rules.ts';
import { pathOf, reasonUnlessAway, type Tree } from './tree.ts';

const CHUNK_BYTES = 1 << 20;
/** A link or a pipe that replaced the file must not redirect or block the read. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const readChunk = promisify(readAsync);

/**
 * The content in chunks of 1 MiB. A chunk is valid until the next one is requested, because the buffer is reused. Checks before the first
 * byte and after the last that the file is still the listed one.
 */
export async function* readFile(
  tree: Tree,
  object: SourceObject,
  bytes: ByteRange | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const { file, path, stats } = openListed(tree, object);
  try {
    const end = Math.min(bytes?.to ?? object.size, object.size);
    let at = bytes?.from ?? 0;
    const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(CHUNK_BYTES, end - at)));
    while (at < end) {
      const { bytesRead } = await readChunk(file, buffer, 0, Math.min(buffer.length, end - at), at);
      signal.throwIfAborted();
      if (bytesRead === 0) throw tooShort(file, path, stats);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    checkAgain(file, path, stats);
  } catch (error) {
    throw signal.aborted ? signal.reason : reasonUnlessAway(tree, object.key, mapFsError(error, path));
  } finally {
    closeSync(file);
  }
}

/** Reads the whole file by blocking calls: about 6 µs for a small one. Returns -1 if it doesn't fit. */
export function readWholeFile(tree: Tree, object: SourceObject, into: Uint8Array): number {
  if (object.size > into.length) return -1;
  const { file, path, stats } = openListed(tree, object);
  try {
    let length = 0;
    // The buffer is larger than the file, so that the read which reaches the end returns short and no further call is needed.
    for (let got = -1; got !== 0 && length < object.size; length += got) {
      got = readSync(file, into, length, into.length - length, null);
    }
    if (length !== object.size) throw tooShort(file, path, stats);
    checkAgain(file, path, stats);
    return length;
  } catch (error) {
    throw reasonUnlessAway(tree, object.key, mapFsError(error, path));
  } finally {
    closeSync(file);
  }
}

/** The lines as a byte string. Null if there is no such file or it may not be read (then the listing reports it). */
export function readIgnoreFile(folder: BytePath): string | null {
  let file: number;
  try {
    file = open(`${folder}/${IGNORE_FILE}`);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return null;
    // One byte over the limit is enough to reject it.
    const buffer = Buffer.alloc(Math.min(stats.size, MAX_RULE_BYTES + 1));
    return buffer.toString('latin1', 0, readSync(file, buffer));
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

function openListed(tree: Tree, object: SourceObject): { file: number; path: BytePath; stats: BigIntStats } {
  const path = pathOf(tree, object.key);
  let file: number;
  try {
    file = open(path);
  } catch (error) {
    throw reasonUnlessAway(tree, object.key, mapFsError(error, path));
  }
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!isListedAs(object.identity, stats)) throw changed(path);
    return { file, path, stats };
  } catch (error) {
    closeSync(file);
    throw reasonUnlessAway(tree, object.key, mapFsError(error, path));
  }
}

function open(path: BytePath): number {
  return callWithPath(path, openToRead);
}

function openToRead(path: string | Buffer): number {
  return openSync(path, FLAGS);
}

/** Files of /sys claim 4096 bytes and contain fewer: they have not changed. */
function tooShort(file: number, path: BytePath, before: BigIntStats): SeineError {
  if (wasModified(before, fstatSync(file, { bigint: true }))) return changed(path);
  return new SeineError('corrupt', `${displayKey(path as Key)} has fewer bytes than its size says.`);
}

function checkAgain(file: number, path: BytePath, before: BigIntStats): void {
  if (wasModified(before, fstatSync(file, { bigint: true }))) throw changed(path);
  if (before.size > 0n || readSync(file, Buffer.alloc(1), 0, 1, 0) === 0) return;
  // Virtual files (/proc, /sys) have size 0 but contain data: they must not be reported as "empty, therefore clean".
  throw new SeineError('corrupt', `${displayKey(path as Key)} says it is empty, but holds data.`);
}
