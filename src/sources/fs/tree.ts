/**
 * The tree that a source lists and reads, and the check that it is still there. When a share is unavailable for a moment, everything
 * below its root seems deleted. So "no such file" is trusted only while the root is the one that the source was opened with; otherwise
 * the listing fails and is retried, instead of skipping what it cannot see.
 */
import type { BigIntStats } from 'node:fs';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import { type BytePath, callWithPath } from './byte-path.ts';
import { isExhaustion, mapFsError } from './failure.ts';
import { lstatEntry } from './file-object.ts';
import type { Mounts } from './mounts.ts';
import type { Scope } from './scope.ts';

export interface Tree {
  /** The folder that keys are relative to, without a trailing slash: '' is the file system root. */
  readonly root: BytePath;
  /** If the root is a single file, its name; else null. */
  readonly only: Key | null;
  /** Device and inode of the root when the source was opened. */
  readonly rootId: Pick<BigIntStats, 'dev' | 'ino'>;
  /** The root was empty then: it may be the mount point of an unmounted share. */
  readonly wasEmpty?: boolean;
  /** The root was not empty when the scan began, perhaps in another process. */
  readonly heldEntries?: boolean;
  readonly scope: Scope;
  readonly mounts: Mounts;
}

/** The path of an object or a folder (`a/b/`). */
export function pathOf(tree: Tree, key: Key): BytePath {
  return `${tree.root}/${key.endsWith('/') ? key.slice(0, -1) : key}`;
}

/** Returns the root's device. Throws if the root is missing or another one: the mount point of an unmounted share is a folder too. */
export function checkRoot(tree: Tree): bigint {
  const path = rootPath(tree);
  let stats: BigIntStats | undefined;
  try {
    stats = callWithPath(path, lstatEntry);
  } catch (error) {
    throw isExhaustion(error) ? mapFsError(error, path) : rootUnavailable(tree, error);
  }
  if (stats === undefined) throw rootUnavailable(tree);
  // Programs save a file by replacing it. That is a changed object, not an unavailable disk.
  if (tree.only === null && (stats.dev !== tree.rootId.dev || stats.ino !== tree.rootId.ino))
    throw rootUnavailable(tree);
  return stats.dev;
}

/**
 * Called if another process found the root not empty. A root that has been empty since this process opened it cannot have been emptied by
 * deletions: the share has been unmounted, or was never mounted on this machine.
 */
export function checkNotEmptied(tree: Tree): void {
  if (!tree.wasEmpty) return;
  const message = `The folder ${displayKey(rootPath(tree) as Key)} is empty now, but contained objects when the scan started.`;
  const hint = 'If it is a network share or a removable disk, mount it and resume the scan.';
  throw new SeineError('unavailable', message, { hint, retry: true });
}

/**
 * The reason if a missing entry may still exist, because a share below the root is unmounted. Null: it is deleted. Throws if that cannot
 * be decided now, because the root is unavailable, or was unavailable until this check.
 */
export function absenceUncertain(tree: Tree, key: Key): SeineError | null {
  checkRoot(tree);
  checkNotEmptied(tree);
  // The mount points of the missing shares may themselves be missing with their parent folder.
  const [missing = key] = key.endsWith('/') ? tree.mounts.missingIn(key) : [];
  const unmounted = tree.mounts.changeAbove(missing);
  if (unmounted !== null) return unmounted;
  const path = pathOf(tree, key);
  if (pathExists(path, key.endsWith('/'))) throw rootUnstable(path);
  return null;
}

/** Returns the reason if it concerns the object or a share below the root; throws if it concerns the root. */
export function reasonUnlessAway(tree: Tree, key: Key, reason: SeineError): SeineError {
  if (reason.kind === 'not-found') return absenceUncertain(tree, key) ?? reason;
  if (reason.kind !== 'changed' && reason.kind !== 'unavailable') return reason;
  checkRoot(tree);
  return reason.kind === 'changed' ? (tree.mounts.changeAbove(key) ?? reason) : reason;
}

export function rootUnavailable(tree: Tree, cause?: unknown): SeineError {
  const what = tree.only === null ? 'folder' : 'file';
  const message = `The ${what} ${displayKey(rootPath(tree) as Key)} no longer exists.`;
  const hint = 'If it is a network share or a removable disk, reconnect it and resume the scan.';
  return new SeineError('unavailable', message, { hint, retry: true, cause });
}

export function rootUnstable(path: BytePath): SeineError {
  return new SeineError('unavailable', `${displayKey(path as Key)} came and went while it was looked at.`, {
    hint: 'Check that the disk or the share is connected and healthy.',
    retry: true,
  });
}

function rootPath({ root, only }: Tree): BytePath {
  return only === null ? root || '/' : `${root}/${only}`;
}

function pathExists(path: BytePath, asFolder: boolean): boolean {
  try {
    return callWithPath(path, lstatEntry)?.isDirectory() === asFolder;
  } catch {
    // A parent folder on a long path is missing.
    return false;
  }
}
