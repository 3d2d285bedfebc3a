import { opendirSync, readdirSync } from 'node:fs';
import type { Key } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import { type BytePath, callWithPath } from './byte-path.ts';
import { lstatEntry } from './file-object.ts';
import { createSorter } from './sorter.ts';

export const IGNORE_FILE = '.seineignore';
/** A name has at most 255 bytes, so this sorts after all keys of a folder. */
export const AFTER_ALL_NAMES = '\xff'.repeat(256);

/**
 * A folder's names in byte order. The name of a subfolder ends in '/'. That encodes the type, so that a million names cost a million
 * short strings and nothing else, and it gives the right order: `a.txt`, `a/`, `a0` is the order of the keys below.
 */
export interface Folder {
  readonly names: readonly string[];
  readonly hasIgnoreFile: boolean;
}

/** After this many names the generator yields, so that the caller can yield to the event loop. */
const NAMES_PER_TURN = 4096;

/**
 * The names that can contain keys of the range; `prefix` is the folder's own key ('' or `a/b/`). `expected`: subfolders that are included
 * even if they are missing.
 */
export function* readFolder(
  path: BytePath,
  prefix: Key,
  range: Range,
  expected: readonly string[] = [],
): Generator<null, Folder> {
  const requested = rangeInFolder(range, prefix);
  const sorter = createSorter();
  let hasIgnoreFile = false;
  let seen = 0;
  const missing = new Set(expected);
  for (const name of namesOf(path)) {
    if (name === IGNORE_FILE) hasIgnoreFile = true;
    if (mayHold(requested, name)) sorter.add(name);
    if (missing.size > 0) missing.delete(name.endsWith('/') ? name : `${name}/`);
    if (++seen % NAMES_PER_TURN === 0) yield null;
  }
  for (const name of missing) if (mayHold(requested, name)) sorter.add(name);
  return { names: yield* sorter.finish(), hasIgnoreFile };
}

/** The range relative to the folder. The caller has checked that the folder overlaps the range. */
function rangeInFolder(range: Range, prefix: Key): Range {
  const { after, upTo } = range;
  return {
    after: (after.startsWith(prefix) ? after.slice(prefix.length) : '') as Key,
    upTo: upTo?.startsWith(prefix) ? (upTo.slice(prefix.length) as Key) : null,
  };
}

/** Whether the name can be in the range; for a subfolder (`a/`), anything below it or its own error. */
export function mayHold(range: Range, name: string): boolean {
  if (!name.endsWith('/')) return contains(range, name as Key);
  return (name >= range.after || range.after.startsWith(name)) && (range.upTo === null || name <= range.upTo);
}

function* namesOf(path: BytePath): Generator<string> {
  const folder = callWithPath(path, (p) => opendirSync(p, { encoding: 'latin1' }));
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      yield entry.isDirectory() ? `${entry.name}/` : entry.name;
    }
  } catch (error) {
    if ((error as { syscall?: string }).syscall !== 'lstat') throw error;
    // This file system doesn't report entry types, and Node's fallback fails for names that are not ASCII.
    yield* namesByLstat(path);
  } finally {
    folder.closeSync();
  }
}

/** The same names, with the types determined by lstat. */
export function* namesByLstat(path: BytePath): Generator<string> {
  for (const name of callWithPath(path, (p) => readdirSync(p, { encoding: 'latin1' }))) {
    yield isFolder(`${path}/${name}`) ? `${name}/` : name;
  }
}

function isFolder(path: BytePath): boolean {
  try {
    return callWithPath(path, lstatEntry)?.isDirectory() ?? false;
  } catch {
    // The next access meets the same error and reports it.
    return false;
  }
}
