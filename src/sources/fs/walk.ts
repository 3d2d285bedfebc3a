import type { BigIntStats } from 'node:fs';
import { SeineError } from '../../base/errors.ts';
import type { Key } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import type { ObjectError, SourceObject } from '../source.ts';
import { reach } from './byte-path.ts';
import { failure, isExhaustion } from './failure.ts';
import { fileObject, lstatEntry } from './file-object.ts';
import { mayHold, readFolder } from './folder.ts';
import { readIgnoreFile } from './read.ts';
import type { Absence, FolderScope } from './scope.ts';
import { away, cameAndWent, checkGone, checkRoot, pathOf, reasonUnlessAway, type Tree } from './tree.ts';

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
  checkRoot(tree);
}

/** Without its root there is no source, so that is an error of the listing, not of an object. */
export function* openRoot(visit: Visit): Generator<null, OpenFolder> {
  const { tree } = visit;
  const { root, only, scope } = tree;
  if (only !== null) {
    return { prefix: '' as Key, names: mayHold(visit.range, only) ? [only] : [], scope: scope.root };
  }
  try {
    return yield* read(visit, '' as Key, scope.root);
  } catch (error) {
    const reason = failure(error, root || '/');
    throw reason.kind === 'not-found' ? away(tree, error) : reason;
  }
}

/** Null when the folder is gone, or is no folder any more, though the root is there. */
export function* openFolder(
  visit: Visit,
  prefix: Key,
  scope: FolderScope,
): Generator<null, OpenFolder | ObjectError | null> {
  try {
    return yield* read(visit, prefix, scope);
  } catch (error) {
    if (error instanceof SeineError) throw error;
    const failed = failure(error, pathOf(visit.tree, prefix));
    if (isExhaustion(error)) throw failed;
    const reason = reasonUnlessAway(visit.tree, prefix, failed);
    return reason.kind === 'not-found' || reason.kind === 'changed' ? null : { key: prefix, error: reason };
  }
}

function* read(visit: Visit, prefix: Key, scope: FolderScope): Generator<null, OpenFolder> {
  visit.work.folders++;
  yield null;
  // Right before it is opened: the empty folder where a share was mounted must not pass for an empty source.
  if (prefix === '') checkRoot(visit.tree);
  const path = pathOf(visit.tree, prefix);
  const folder = yield* readFolder(path, prefix, visit.range);
  if (!visit.tree.scope.ignoreFile || !folder.hasIgnoreFile) return { prefix, names: folder.names, scope };
  const lines = readIgnoreFile(path);
  if (lines === null) checkRoot(visit.tree);
  const inner = lines === null ? scope : { ...scope, rules: scope.rules.plus(prefix, lines) };
  return { prefix, names: folder.names, scope: inner };
}

/** The object of that key; null when the scope leaves it out or it vanished since its name was read. */
export function look(visit: Visit, parent: FolderScope, key: Key): Item | null {
  const { tree } = visit;
  const { scope } = tree;
  const path = pathOf(tree, key);
  const absence = scope.name(parent, key);
  if (absence !== null) {
    visit.leaveOut(absence);
    return null;
  }
  let stats: BigIntStats | undefined;
  try {
    stats = reach(path, lstatEntry);
  } catch (error) {
    if (isExhaustion(error)) throw failure(error, path);
    return { key, error: reasonUnlessAway(tree, key, failure(error, path)) };
  }
  if (stats === undefined) {
    checkGone(tree, key);
    return null;
  }
  // Created since, or not seen as a folder while the share was away: to go past it could lose all that it holds.
  if (stats.isDirectory()) throw cameAndWent(path);
  if (!scope.isOlder(stats)) return fileObject(key, stats, scope.maxSize);
  visit.leaveOut('older');
  return null;
}

/** The object of that key, also one that the scope leaves out. A folder that could not be entered was listed under its own key. */
export function findFile(tree: Tree, key: Key): Item | null {
  const path = pathOf(tree, key);
  let stats: BigIntStats | undefined;
  try {
    stats = reach(path, lstatEntry);
  } catch (error) {
    const reason = reasonUnlessAway(tree, key, failure(error, path));
    return reason.kind === 'not-found' ? null : { key, error: reason };
  }
  if (stats === undefined) checkGone(tree, key);
  return stats === undefined || stats.isDirectory() ? null : fileObject(key, stats, tree.scope.maxSize);
}
