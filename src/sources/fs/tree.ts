/**
 * The tree that a source lists and reads, and whether it is still there. A share that is away for a moment takes
 * everything below its root with it. So "there is no such file" is believed only while the root is the one that the
 * source was opened with; else the listing fails and is tried again, instead of going past what it cannot see.
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
  /** The folder that keys are relative to, without a slash at the end: '' is the root of the machine. */
  readonly root: BytePath;
  /** The only name that counts, when the root is a single file; else null. */
  readonly only: Key | null;
  /** What the root was when the source was opened. */
  readonly rootId: Pick<BigIntStats, 'dev' | 'ino'>;
  /** There was nothing in it then: it may be the place where a share is to be mounted. */
  readonly wasEmpty?: boolean;
  /** There was something in it when the scan began, perhaps in another process. */
  readonly heldEntries?: boolean;
  readonly scope: Scope;
  readonly mounts: Mounts;
}

/** Of an object or a folder (`a/b/`). */
export function pathOf(tree: Tree, key: Key): BytePath {
  return `${tree.root}/${key.endsWith('/') ? key.slice(0, -1) : key}`;
}

/** The root's device. Throws when the root is missing or another one: the place where a share was mounted is a folder as well. */
export function checkRoot(tree: Tree): bigint {
  const path = rootPath(tree);
  let stats: BigIntStats | undefined;
  try {
    stats = callWithPath(path, lstatEntry);
  } catch (error) {
    throw isExhaustion(error) ? mapFsError(error, path) : rootUnavailable(tree, error);
  }
  if (stats === undefined) throw rootUnavailable(tree);
  // Programs save a file by putting a new one in its place. That is an object that changed, not a disk that is away.
  if (tree.only === null && (stats.dev !== tree.rootId.dev || stats.ino !== tree.rootId.ino))
    throw rootUnavailable(tree);
  return stats.dev;
}

/**
 * For a caller that knows, from another process, that the root held something. In a folder that was empty from the beginning nothing has been
 * deleted since: the share that was mounted there is away, or was never mounted on this machine.
 */
export function checkNotEmptied(tree: Tree): void {
  if (!tree.wasEmpty) return;
  const message = `The folder ${displayKey(rootPath(tree) as Key)} is empty now, but held objects when the scan began.`;
  const hint = 'If it is a network share or a removable disk, mount it and resume the scan.';
  throw new SeineError('unavailable', message, { hint, retry: true });
}

/**
 * Why what was not found may still exist: a share below the root is away. Null: it is really gone. Throws when that can't be said now,
 * because the root is away, or has come back before we looked at it.
 */
export function absenceUncertain(tree: Tree, key: Key): SeineError | null {
  checkRoot(tree);
  checkNotEmptied(tree);
  // A folder may be gone together with the shares that were mounted in it.
  const [missing = key] = key.endsWith('/') ? tree.mounts.missingIn(key) : [];
  const unmounted = tree.mounts.changeAbove(missing);
  if (unmounted !== null) return unmounted;
  const path = pathOf(tree, key);
  if (pathExists(path, key.endsWith('/'))) throw rootUnstable(path);
  return null;
}

/** The reason, if it is about the object or a share below the root; throws if it is about the root. */
export function reasonUnlessAway(tree: Tree, key: Key, reason: SeineError): SeineError {
  if (reason.kind === 'not-found') return absenceUncertain(tree, key) ?? reason;
  if (reason.kind !== 'changed' && reason.kind !== 'unavailable') return reason;
  checkRoot(tree);
  return reason.kind === 'changed' ? (tree.mounts.changeAbove(key) ?? reason) : reason;
}

export function rootUnavailable(tree: Tree, cause?: unknown): SeineError {
  const what = tree.only === null ? 'folder' : 'file';
  const message = `The ${what} ${displayKey(rootPath(tree) as Key)} is not there any more.`;
  const hint =
    'If it is a network share or a removable disk, connect it again; the scan goes on where it was.';
  return new SeineError('unavailable', message, { hint, retry: true, cause });
}

export function rootUnstable(path: BytePath): SeineError {
  return new SeineError('unavailable', `${displayKey(path as Key)} came and went while it was looked at.`, {
    hint: 'Check that the disk or the share is there and healthy.',
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
    // A folder on a long way to it is gone.
    return false;
  }
}
