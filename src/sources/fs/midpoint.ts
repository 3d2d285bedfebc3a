import { SeineError } from '../../base/errors.ts';
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { runCooperatively } from './cooperative.ts';
import { AFTER_ALL_NAMES } from './folder.ts';
import type { Tree } from './tree.ts';
import { type OpenFolder, openFolder, openRoot, statEntry, type WalkContext, walk } from './walk.ts';

/** Bounds the search: after this many folders the result is "don't split". */
const MAX_FOLDERS = 128;
/** With more subfolders than this each counts as one; later splits will find the heavy ones. */
const MAX_WEIGHED = 16;

type CooperativeTask<T> = Generator<null, T>;

/** A split point: approximately in the middle of the range, judged by a bounded search, with objects on both sides guaranteed. */
export async function findMidpoint(tree: Tree, range: Range, signal: AbortSignal): Promise<Key | null> {
  try {
    return await runCooperatively(
      splitRoot({ tree, range, countExcluded: () => {}, work: { folders: 0 } }),
      signal,
    );
  } catch (error) {
    // An unavailable share cannot be split now; the listing will report that it is unavailable.
    if (error instanceof SeineError && error.kind === 'unavailable') return null;
    throw error;
  }
}

function* splitRoot(visit: WalkContext): CooperativeTask<Key | null> {
  const folder = yield* openRoot(visit);
  return yield* split(visit, folder, yield* namesInScope(visit, folder));
}

/** `names` are all entries of the folder in the range, and the folder contains all of the range. */
function* split(
  visit: WalkContext,
  folder: OpenFolder,
  names: readonly string[],
): CooperativeTask<Key | null> {
  if (names.length === 0 || isOverBudget(visit)) return null;
  if (names.length === 1) return yield* splitInside(visit, folder, names[0]!);
  const { cutAt, heavy } = splitIndexOf(yield* weigh(visit, folder, names));
  const inside = heavy === null ? null : yield* splitInside(visit, folder, names[heavy]!);
  if (inside !== null) return inside;

  const cut = cutAfter(folder.prefix, names[cutAt]!, names[cutAt + 1]!);
  const left = { ...visit, range: { after: visit.range.after, upTo: cut } };
  const right = { ...visit, range: { after: cut, upTo: visit.range.upTo } };
  const leftNames = names.slice(0, cutAt + 1);
  const rightNames = names.slice(cutAt + 1);
  const leftHolds = yield* holdsObject(left, folder, leftNames);
  const rightHolds = yield* holdsObject(right, folder, rightNames);
  if (leftHolds && rightHolds) return cut;
  // One side has no objects, for instance only empty folders: split the other.
  if (leftHolds) return yield* split(left, folder, leftNames);
  if (rightHolds) return yield* split(right, folder, rightNames);
  return null;
}

function* splitInside(visit: WalkContext, folder: OpenFolder, name: string): CooperativeTask<Key | null> {
  const inner = yield* openBelow(visit, folder, name);
  return inner === null ? null : yield* split(visit, inner, yield* namesInScope(visit, inner));
}

function* openBelow(
  visit: WalkContext,
  folder: OpenFolder,
  name: string,
): CooperativeTask<OpenFolder | null> {
  const key = (folder.prefix + name) as Key;
  const scope = name.endsWith('/') ? visit.tree.scope.folder(folder.scope, key) : null;
  if (scope === null || typeof scope === 'string') return null;
  const inner = yield* openFolder(visit, key, scope, folder.device);
  return inner === null || 'error' in inner ? null : inner;
}

function* namesInScope(visit: WalkContext, folder: OpenFolder): CooperativeTask<string[]> {
  const { scope } = visit.tree;
  const names: string[] = [];
  for (const [at, name] of folder.names.entries()) {
    if (at % 1024 === 1023) yield null;
    const key = (folder.prefix + name) as Key;
    const absence = name.endsWith('/') ? scope.folder(folder.scope, key) : scope.name(folder.scope, key);
    if (typeof absence !== 'string') names.push(name);
  }
  return names;
}

function* weigh(visit: WalkContext, folder: OpenFolder, names: readonly string[]): CooperativeTask<number[]> {
  const folders = names.filter((name) => name.endsWith('/')).length;
  const weights: number[] = [];
  for (const name of names) {
    const closed = !name.endsWith('/') || folders > MAX_WEIGHED || isOverBudget(visit);
    const inner = closed ? null : yield* openBelow(visit, folder, name);
    weights.push(Math.max(1, inner?.names.length ?? 1));
  }
  return weights;
}

/** The index after which to split (never the last), and the entry that weighs more than all others together. */
function splitIndexOf(weights: readonly number[]): { cutAt: number; heavy: number | null } {
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2;
  let before = 0;
  let at = 0;
  while (before + weights[at]! < half) before += weights[at++]!;
  const closerBefore = at > 0 && half - before < before + weights[at]! - half;
  return {
    cutAt: Math.min(closerBefore ? at - 1 : at, weights.length - 2),
    heavy: weights[at]! > half ? at : null,
  };
}

/** `a0` is the first key after everything in `a/`, unless it is the key of the next entry. */
function cutAfter(prefix: Key, name: string, next: string): Key {
  if (!name.endsWith('/')) return (prefix + name) as Key;
  const after = `${name.slice(0, -1)}0`;
  return (prefix + (after === next ? name + AFTER_ALL_NAMES : after)) as Key;
}

function* holdsObject(
  visit: WalkContext,
  folder: OpenFolder,
  names: readonly string[],
): CooperativeTask<boolean> {
  // One of the first files is nearly always an object, and testing it avoids reading the folder again.
  const files = names.slice(0, 8).filter((name) => !name.endsWith('/'));
  if (files.some((name) => statEntry(visit, folder.scope, (folder.prefix + name) as Key) !== null))
    return true;
  for (const item of walk(visit)) {
    if (item !== null) return true;
    if (isOverBudget(visit)) return false;
    yield null;
  }
  return false;
}

function isOverBudget(visit: WalkContext): boolean {
  return visit.work.folders > MAX_FOLDERS;
}
