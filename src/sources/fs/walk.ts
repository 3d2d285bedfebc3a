import type { BigIntStats } from 'node:fs';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import type { ObjectError, SourceObject } from '../source.ts';
import { type BytePath, callWithPath } from './byte-path.ts';
import { changed, isExhaustion, mapFsError } from './failure.ts';
import { fileObject, lstatEntry } from './file-object.ts';
import { AFTER_ALL_NAMES, IGNORE_FILE, mayHold, readFolder } from './folder.ts';
import { type IgnoreRules, MAX_RULE_BYTES } from './ignore-rules.ts';
import { readIgnoreFile } from './read.ts';
import type { ExclusionReason, FolderScope } from './scope.ts';
import {
  absenceUncertain,
  checkNotEmptied,
  checkRoot,
  pathOf,
  reasonUnlessAway,
  rootUnavailable,
  rootUnstable,
  type Tree,
} from './tree.ts';

/** One look at a range of the tree. */
export interface WalkContext {
  readonly tree: Tree;
  readonly range: Range;
  /** Told of everything in the range that the scope leaves out. */
  countExcluded(absence: ExclusionReason): void;
  /** Folders read so far, in this visit and in those that share the count. */
  readonly work: { folders: number };
}

export interface OpenFolder {
  readonly prefix: Key;
  readonly names: readonly string[];
  readonly scope: FolderScope;
  /** Of the folder itself; null when it is not known. */
  readonly device: bigint | null;
  /** Why its ignore file is not obeyed. */
  readonly refused?: SeineError;
}

type Item = SourceObject | ObjectError;

/**
 * Depth first in byte order of the keys, entering no folder that lies outside the range. A `null` means that some
 * work was done and nothing found: the caller decides when to let others work. The stack is our own, so depth costs
 * nothing but its names.
 */
export function* walk(visit: WalkContext): Generator<Item | null> {
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
      const { refused } = top.folder;
      yield name === IGNORE_FILE && refused ? { key, error: refused } : statEntry(visit, scope, key);
      continue;
    }
    const inner = tree.scope.folder(scope, key);
    if (typeof inner === 'string') {
      // Its shard alone counts it, though other shards pass by.
      if (contains(range, key)) visit.countExcluded(inner);
      yield null;
      continue;
    }
    const opened = yield* openFolder(visit, key, inner, top.folder.device);
    if (opened !== null && 'error' in opened) {
      if (beginsWithin(range, key)) throw opened.error;
      yield contains(range, key) ? opened : null;
    } else if (opened !== null) stack.push({ folder: opened, next: 0 });
  }
  checkRoot(tree);
}

/**
 * The folder was listed up to here, so its own key lies before the range and its error would not be counted: what is left of it would be
 * missing without an error. Then it is an error of the listing.
 */
function beginsWithin({ after }: Range, folder: Key): boolean {
  return after.startsWith(folder) && after !== folder && after !== folder + AFTER_ALL_NAMES;
}

/** Without its root there is no source, so that is an error of the listing, not of an object. */
export function* openRoot(visit: WalkContext): Generator<null, OpenFolder> {
  const { tree } = visit;
  const { root, only, scope } = tree;
  if (only !== null) {
    return {
      prefix: '' as Key,
      names: mayHold(visit.range, only) ? [only] : [],
      scope: scope.root,
      device: null,
    };
  }
  // A listing that begins behind a key has seen that key before.
  if (visit.range.after !== '' || tree.heldEntries) checkNotEmptied(tree);
  try {
    return yield* read(visit, '' as Key, scope.root, null);
  } catch (error) {
    const reason = mapFsError(error, root || '/');
    throw reason.kind === 'not-found' ? rootUnavailable(tree, error) : reason;
  }
}

/** Null when the folder is gone, though the root is there. What has taken its place was not listed, so it counts as changed. */
export function* openFolder(
  visit: WalkContext,
  prefix: Key,
  scope: FolderScope,
  outerDevice: bigint | null,
): Generator<null, OpenFolder | ObjectError | null> {
  try {
    return yield* read(visit, prefix, scope, outerDevice);
  } catch (error) {
    if (error instanceof UnmountedError) return { key: prefix, error: error.reason };
    if (error instanceof SeineError) throw error;
    const failed = mapFsError(error, pathOf(visit.tree, prefix));
    if (isExhaustion(error)) throw failed;
    const reason = reasonUnlessAway(visit.tree, prefix, failed);
    if (reason.kind !== 'not-found' && reason.kind !== 'changed') return { key: prefix, error: reason };
    const path = pathOf(visit.tree, prefix);
    return isReplaced(path) ? { key: prefix, error: changed(path) } : null;
  }
}

function isReplaced(path: BytePath): boolean {
  try {
    return callWithPath(path, lstatEntry) !== undefined;
  } catch (error) {
    if (isExhaustion(error)) throw mapFsError(error, path);
    return false; // a folder on the way to it is gone
  }
}

/** The folder can be read, but is not the one that was mounted there. */
class UnmountedError extends Error {
  readonly reason: SeineError;

  constructor(reason: SeineError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** A link was put in the folder's place since its name was read. The system would follow it. */
class ReplacedByLink extends Error {
  readonly code = 'ELOOP';
}

function* read(
  visit: WalkContext,
  prefix: Key,
  scope: FolderScope,
  outerDevice: bigint | null,
): Generator<null, OpenFolder> {
  visit.work.folders++;
  yield null;
  const { tree } = visit;
  // Right before it is opened: the empty folder where a share was mounted must not pass for an empty source.
  const device = prefix === '' ? checkRoot(tree) : checkMount(tree, prefix, outerDevice);
  const path = pathOf(tree, prefix);
  // The folder where a share was mounted may be gone with it.
  const missing = tree.mounts.missingIn(prefix).map((mount) => firstName(mount, prefix));
  const folder = yield* readFolder(path, prefix, visit.range, missing);
  const opened = { prefix, names: folder.names, scope, device };
  if (!tree.scope.ignoreFile || !folder.hasIgnoreFile) return opened;
  const lines = readIgnoreFile(path);
  if (lines === null) checkRoot(tree);
  if (lines === null) return opened;
  const rules = scope.rules.plus(lines);
  return rules === null
    ? { ...opened, refused: tooManyRules(path) }
    : { ...opened, scope: withRules(scope, rules) };
}

/** Of the way from a folder to one in it: `b/` from `a/` to `a/b/c/`. */
function firstName(inner: Key, folder: Key): string {
  return inner.slice(folder.length, inner.indexOf('/', folder.length) + 1);
}

/** The folder's device. A folder whose device is not that of the folder around it is on another mount: is it the one that was there? */
function checkMount(tree: Tree, prefix: Key, outerDevice: bigint | null): bigint | null {
  const stats = callWithPath(pathOf(tree, prefix), lstatEntry);
  if (stats?.isSymbolicLink()) throw new ReplacedByLink();
  const device = stats?.dev ?? null;
  if (device === outerDevice && !tree.mounts.has(prefix)) return device;
  tree.mounts.enter(prefix);
  const reason = tree.mounts.changeAbove(prefix);
  if (reason !== null) throw new UnmountedError(reason);
  return device;
}

function withRules(scope: FolderScope, rules: IgnoreRules): FolderScope {
  return { ...scope, rules };
}

function tooManyRules(folder: BytePath): SeineError {
  const shown = displayKey(`${folder}/${IGNORE_FILE}` as Key);
  const most = `${MAX_RULE_BYTES >> 10} KiB`;
  const message = `${shown} is not obeyed: with the ignore files of the folders around it, it has more than ${most}.`;
  return new SeineError('limit', message, {
    hint: 'Make it shorter, or use --exclude. Everything in the folder was scanned.',
  });
}

/** The object of that key; null when the scope leaves it out or it vanished since its name was read. */
export function statEntry(visit: WalkContext, parent: FolderScope, key: Key): Item | null {
  const { tree } = visit;
  const { scope } = tree;
  const path = pathOf(tree, key);
  const absence = scope.name(parent, key);
  if (absence !== null) {
    visit.countExcluded(absence);
    return null;
  }
  let stats: BigIntStats | undefined;
  try {
    stats = callWithPath(path, lstatEntry);
  } catch (error) {
    if (isExhaustion(error)) throw mapFsError(error, path);
    return { key, error: reasonUnlessAway(tree, key, mapFsError(error, path)) };
  }
  if (stats === undefined) {
    const reason = absenceUncertain(tree, key);
    return reason && { key, error: reason };
  }
  // Created since, or not seen as a folder while the share was away: to go past it could lose all that it holds.
  if (stats.isDirectory()) throw rootUnstable(path);
  if (!scope.isOlder(stats)) return fileObject(key, stats, scope.maxSize);
  visit.countExcluded('older');
  return null;
}

/** The object of that key, also one that the scope leaves out. A folder that could not be entered was listed under its own key. */
export function findFile(tree: Tree, key: Key): Item | null {
  const path = pathOf(tree, key);
  let stats: BigIntStats | undefined;
  try {
    stats = callWithPath(path, lstatEntry);
  } catch (error) {
    const reason = reasonUnlessAway(tree, key, mapFsError(error, path));
    return reason.kind === 'not-found' ? null : { key, error: reason };
  }
  if (stats === undefined) {
    const reason = absenceUncertain(tree, key);
    return reason && { key, error: reason };
  }
  return stats.isDirectory() ? null : fileObject(key, stats, tree.scope.maxSize);
}
