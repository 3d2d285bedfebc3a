import type { Key } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import type { ObjectError, SourceObject } from '../source.ts';
import { type BytePath, reach } from './byte-path.ts';
import { failure, isExhaustion } from './failure.ts';
import { fileObject, lstatEntry } from './file-object.ts';
import { mayHold, readFolder } from './folder.ts';
import { readIgnoreFile } from './read.ts';
import type { Absence, FolderScope, Scope } from './scope.ts';

export interface Tree {
  /** The folder that keys are relative to, without a slash at the end: '' is the root of the machine. */
  readonly root: BytePath;
  /** The only name that counts, when the root is a single file; else null. */
  readonly only: Key | null;
  readonly scope: Scope;
}

/** One look at a range of the tree. */
export interface Visit {
  readonly tree: Tree;
  readonly range: Range;
  /** Told of everything in the range that the scope leaves out. */
  leaveOut(absence: Absence): void;
  /** Folders read so far, in this visit and in those that share the count. */
  readonly work: { folders: number };
}

export interface OpenFolder {
  readonly prefix: Key;
  readonly names: readonly string[];
  readonly scope: FolderScope;
}

type Item = SourceObject | ObjectError;

/**
 * Depth first in byte order of the keys, entering no folder that lies outside the range. A `null` means that some
 * work was done and nothing found: the caller decides when to let others work. The stack is our own, so depth costs
 * nothing but its names.
 */
export function* walk(visit: Visit): Generator<Item | null> {
  const { tree, range } = visit;
  const stack = [{ folder: yield* openRoot(visit), next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { prefix, names, scope } = top.folder;
    const name = names[top.next++];
    if (name === undefined) {
      stack.pop();
      continue;
    }
    const key = (prefix + name) as Key;
    if (!name.endsWith('/')) {
      yield look(visit, scope, key);
      continue;
    }
    const inner = tree.scope.folder(scope, key);
    if (typeof inner === 'string') {
      // Its shard alone counts it, though other shards pass by.
      if (contains(range, key)) visit.leaveOut(inner);
      yield null;
      continue;
    }
    const opened = yield* openFolder(visit, key, inner);
    if (opened !== null && 'error' in opened) yield contains(range, key) ? opened : null;
    else if (opened !== null) stack.push({ folder: opened, next: 0 });
  }
}

/** Without its root there is no source, so that is an error of the listing, not of an object. */
export function* openRoot(visit: Visit): Generator<null, OpenFolder> {
  const { root, only, scope } = visit.tree;
  if (only !== null) {
    return { prefix: '' as Key, names: mayHold(visit.range, only) ? [only] : [], scope: scope.root };
  }
  try {
    return yield* read(visit, '' as Key, scope.root);
  } catch (error) {
    throw failure(error, root || '/');
  }
}

/** Null when the folder is gone, or is no folder any more. */
export function* openFolder(
  visit: Visit,
  prefix: Key,
  scope: FolderScope,
): Generator<null, OpenFolder | ObjectError | null> {
  try {
    return yield* read(visit, prefix, scope);
  } catch (error) {
    const reason = failure(error, pathOf(visit.tree, prefix));
    if (isExhaustion(error)) throw reason;
    return reason.kind === 'not-found' || reason.kind === 'changed' ? null : { key: prefix, error: reason };
  }
}

function* read(visit: Visit, prefix: Key, scope: FolderScope): Generator<null, OpenFolder> {
  visit.work.folders++;
  yield null;
  const path = pathOf(visit.tree, prefix);
  const folder = yield* readFolder(path, prefix, visit.range);
  const lines = visit.tree.scope.ignoreFile && folder.hasIgnoreFile ? readIgnoreFile(path) : null;
  const inner = lines === null ? scope : { ...scope, rules: scope.rules.plus(prefix, lines) };
  return { prefix, names: folder.names, scope: inner };
}

/** The object of that key; null when the scope leaves it out or it vanished since its name was read. */
export function look(visit: Visit, parent: FolderScope, key: Key): Item | null {
  const { scope } = visit.tree;
  const path = pathOf(visit.tree, key);
  const absence = scope.name(parent, key);
  if (absence !== null) {
    visit.leaveOut(absence);
    return null;
  }
  try {
    const stats = reach(path, lstatEntry);
    // A folder by now: another thing than the one whose name was read, and created since.
    if (stats === undefined || stats.isDirectory()) return null;
    if (!scope.isOlder(stats)) return fileObject(key, stats, scope.maxSize);
    visit.leaveOut('older');
    return null;
  } catch (error) {
    if (isExhaustion(error)) throw failure(error, path);
    return { key, error: failure(error, path) };
  }
}

/** Of an object or a folder (`a/b/`). */
export function pathOf(tree: Tree, key: Key): BytePath {
  return `${tree.root}/${key.endsWith('/') ? key.slice(0, -1) : key}`;
}
