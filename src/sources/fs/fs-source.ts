import { closeSync, opendirSync, openSync, realpathSync, statSync } from 'node:fs';
import { codeOf, SeineError } from '../../base/errors.ts';
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { Access } from '../access.ts';
import { UNLIMITED_GATE } from '../request-gate.ts';
import type { ScopeOptions } from '../scope-options.ts';
import type { ByteRange, InitialState, ObjectError, Source, SourceObject } from '../source.ts';
import type { BytePath } from './byte-path.ts';
import { createYieldTimer } from './cooperative.ts';
import { mapFsError } from './failure.ts';
import { findMidpoint } from './midpoint.ts';
import { createMounts } from './mounts.ts';
import { readFile, readWholeFile } from './read.ts';
import { createScope, type ExcludedCounts, type ExclusionReason } from './scope.ts';
import type { Tree } from './tree.ts';
import { findFile, walk } from './walk.ts';

export type FsOptions = ScopeOptions;

export interface FsSource extends Source {
  readWhole(object: SourceObject, into: Uint8Array): number;
  midpoint(range: Range, signal: AbortSignal): Promise<Key | null>;
  /** What this source's listings have excluded so far. */
  excludedCounts(): ExcludedCounts;
}

const BATCH = 512;

/** A folder with everything below it, or a single file. Links are never followed, except that the root itself may be one. */
export function createFsSource(
  root: string,
  options: FsOptions = {},
  { gate = UNLIMITED_GATE, initialState }: Access = {},
): FsSource {
  const path = realPathOf(root);
  const tree = treeAt(path, options, initialState);
  const leftOut: ExcludedCounts = { ignored: 0, excluded: 0, sampledOut: 0, older: 0 };

  async function* list(range: Range, signal: AbortSignal): AsyncGenerator<(SourceObject | ObjectError)[]> {
    const pace = createYieldTimer(signal);
    const countExcluded = (absence: ExclusionReason) => void leftOut[absence]++;
    let batch: (SourceObject | ObjectError)[] = [];
    for (const item of walk({ tree, range, countExcluded, work: { folders: 0 } })) {
      if (item !== null) batch.push(item);
      if (batch.length < BATCH && (item !== null || !pace.isDue())) continue;
      if (batch.length > 0) yield batch;
      batch = [];
      await pace.yieldNow();
    }
    if (batch.length > 0) yield batch;
  }

  async function* read(object: SourceObject, bytes: ByteRange | null, signal: AbortSignal) {
    await gate.admit('read', lengthOf(object, bytes), signal);
    yield* readFile(tree, object, bytes, signal);
  }

  return {
    id: `fs:${keyBytes(path as Key).toString('utf8')}`,
    capabilities: { rangeRead: true, splittable: true, remote: false },
    list,
    read: gate.free ? (...request) => readFile(tree, ...request) : read,
    find: async (key, signal) => {
      signal.throwIfAborted();
      return findFile(tree, key);
    },
    // Blocking reads are only possible without limits, because admission is asynchronous.
    readWhole: (object, into) => (gate.free ? readWholeFile(tree, object, into) : -1),
    midpoint: (range, signal) => findMidpoint(tree, range, signal),
    excludedCounts: () => ({ ...leftOut }),
    ignored: () => leftOut.ignored,
    initialState: () => ({
      mounts: tree.only === null ? tree.mounts.list() : [],
      hasEntries: tree.wasEmpty === false,
    }),
  };
}

function lengthOf({ size }: SourceObject, bytes: ByteRange | null): number {
  return bytes === null ? size : Math.max(0, Math.min(bytes.to, size) - bytes.from);
}

function realPathOf(root: string): BytePath {
  try {
    return keyFromBytes(realpathSync.native(root, { encoding: 'buffer' }));
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? ''))
      throw mapFsError(error, keyFromBytes(Buffer.from(root)));
    throw new SeineError('not-found', `No such file or folder: ${root}`, {
      hint: 'Check the path; a relative one starts at the folder you are in.',
      cause: error,
    });
  }
}

function treeAt(path: BytePath, options: FsOptions, before?: InitialState): Tree {
  const place = keyBytes(path as Key);
  const scope = createScope(options);
  try {
    // Opens it to test the permissions: access(2) would check the real instead of the effective user.
    const stats = statSync(place, { bigint: true });
    if (stats.isDirectory()) {
      const wasEmpty = isEmpty(place);
      const base = path === '/' ? '' : path;
      const mounts = createMounts(base, before && { expected: before.mounts });
      const heldEntries = before?.hasEntries ?? false;
      return { root: base, only: null, rootId: stats, wasEmpty, heldEntries, scope, mounts };
    }
    if (stats.isFile()) {
      closeSync(openSync(place, 'r'));
      const slash = path.lastIndexOf('/');
      const base = path.slice(0, slash);
      const only = path.slice(slash + 1) as Key;
      return { root: base, only, rootId: stats, scope, mounts: createMounts(base) };
    }
  } catch (error) {
    throw mapFsError(error, path);
  }
  throw new SeineError('usage', `${place} is neither a file nor a folder.`, {
    hint: 'Name a folder to scan everything in it, or a regular file.',
  });
}

function isEmpty(folder: Buffer): boolean {
  const entries = opendirSync(folder);
  try {
    return entries.readSync() === null;
  } finally {
    entries.closeSync();
  }
}
