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

/** One walk over a range of the tree. */
export interface WalkContext {
  readonly tree: Tree;
  readonly range: Range;
  /** Called for everything in the range that the scope excludes. */
  countExcluded(absence: ExclusionReason): void;
  /** Folders read so far, in this walk and in those that share the counter. */
  readonly work: { folders: number };
}

export interface OpenFolder {
  readonly prefix: Key;
  readonly names: readonly string[];
  readonly scope: FolderScope;
  /** Of the folder itself; null if unknown. */
  readonly device: bigint | null;
  /** Why its ignore file was rejected. */
  readonly refused?: SeineError;
}

type Item = SourceObject | ObjectError;

/**
 * Depth-first in byte order of the keys, entering no folder outside the range. Yields `null` after work without a result, so that the
 * caller decides when to yield to the event loop. Uses an explicit stack, so that depth is limited only by memory for the names.
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
      // Counted only by the shard that contains it, though the walks of other shards pass it.
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
 * The range starts inside the folder, so its own key lies before the range and an error of its key would not be recorded: its remaining
 * entries would be missing without an error. Then it is an error of the listing.
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
  // A listing that continues after a key has seen that key before.
  if (visit.range.after !== '' || tree.heldEntries) checkNotEmptied(tree);
  try {
    return yield* read(visit, '' as Key, scope.root, null);
  } catch (error) {
    const reason = mapFsError(error, root || '/');
    throw reason.kind === 'not-found' ? rootUnavailable(tree, error) : reason;
  }
}

/** Returns null if the folder is deleted while the root exists. An entry that replaced it was not listed, so it counts as changed. */
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
    return false; // a parent folder is missing
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

/** The folder was replaced by a link since its name was read. The system would follow it. */
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
  // Directly before it is opened: the empty mount point of an unmounted share must not be taken for an empty source.
  const device = prefix === '' ? checkRoot(tree) : checkMount(tree, prefix, outerDevice);
  const path = pathOf(tree, prefix);
  // The mount point may be missing together with the share.
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

/** The first step from a folder to one below it: `b/` from `a/` to `a/b/c/`. */
function firstName(inner: Key, folder: Key): string {
  return inner.slice(folder.length, inner.indexOf('/', folder.length) + 1);
}

/**
 * Returns the folder's device. If it differs from the parent's device the folder is a mount point: throws if the mount is not the
 * expected one.
 */
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

/** The object of that key; null if the scope excludes it or it was deleted since its name was read. */
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
  // Created since, or not seen as a folder while the share was unavailable: skipping it could lose everything in it.
  if (stats.isDirectory()) throw rootUnstable(path);
  if (!scope.isOlder(stats)) return fileObject(key, stats, scope.maxSize);
  visit.countExcluded('older');
  return null;
}

/** The object of that key, even if the scope excludes it. A folder that could not be entered was listed under its own key. */
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
