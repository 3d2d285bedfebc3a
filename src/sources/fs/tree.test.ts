import { mkdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import type { Source } from '../source.ts';
import { expectReadError, keysOf, largestOf, neverAborted } from '../source-test-helpers.ts';
import { createFsSource } from './fs-source.ts';
import { createMounts } from './mounts.ts';
import { createScope } from './scope.ts';
import { type TempTree, tempTree } from './temp-tree.ts';
import { absenceUncertain, type Tree } from './tree.ts';
import { walk } from './walk.ts';

const AWAY = { kind: 'unavailable', retry: true, hint: expect.stringContaining('reconnect it') };

const share = { 'share/a/1': '', 'share/a/2': '', 'share/b/c/3': '', 'share/b/d/4': '', 'share/z': 'text' };
const keys = ['a/1', 'a/2', 'b/c/3', 'b/d/4', 'z'];

const leave = (tree: TempTree) => renameSync(tree.at('share'), tree.at('elsewhere'));
const comeBack = (tree: TempTree) => renameSync(tree.at('elsewhere'), tree.at('share'));

function unmount(tree: TempTree): void {
  leave(tree);
  mkdirSync(tree.at('share'));
}

/** Replaces the tree by one with a subset of the names. */
function exchange(tree: TempTree): void {
  leave(tree);
  tree.write(keyOf('share/z'), 'text');
}

function mount(tree: TempTree): void {
  rmSync(tree.at('share'), { recursive: true });
  comeBack(tree);
}

function treeOf(tree: TempTree): Tree {
  const root = `${tree.root}/share`;
  return {
    root: keyOf(root),
    only: null,
    rootId: statSync(root, { bigint: true }),
    scope: createScope({}),
    mounts: createMounts(keyOf(root)),
  };
}

/** The keys of a walk, with an action before its n-th step; null if the walk reports that the root is unavailable. */
function walkWith(tree: Tree, disturb: (step: number) => void): Key[] | null {
  const steps = walk({ tree, range: FULL_RANGE, countExcluded: () => {}, work: { folders: 0 } });
  const seen: Key[] = [];
  for (let step = 0; ; step++) {
    disturb(step);
    try {
      const { done, value } = steps.next();
      if (done) return seen;
      if (value !== null) seen.push(value.key);
    } catch (error) {
      expect(error).toMatchObject({ kind: 'unavailable', retry: true });
      return null;
    }
  }
}

/** Lists more than one batch, with an action after the first; `seen` then contains the keys listed. */
async function listWith(source: Source, disturb: () => void, seen: Key[]): Promise<void> {
  for await (const batch of source.list(FULL_RANGE, neverAborted())) {
    if (seen.length === 0) disturb();
    seen.push(...batch.map(({ key }) => key));
  }
}

function largeShare(): TempTree {
  const tree = tempTree({ 'share/b/x': '', 'share/c/y': '' });
  for (let i = 0; i < 600; i++) tree.write(keyOf(`share/a/${String(i).padStart(3, '0')}`), '');
  return tree;
}

describe('a root that is unavailable for a moment', () => {
  it.each([
    [1, 'nothing', leave, comeBack],
    [3, 'nothing', leave, comeBack],
    [1, 'an empty folder', unmount, mount],
    [3, 'an empty folder', unmount, mount],
    [1, 'another folder', exchange, mount],
    [3, 'another folder', exchange, mount],
  ])('never makes a walk miss anything: for %i steps, with %s in its place', (length, _place, go, back) => {
    using tree = tempTree(share);
    const whole = treeOf(tree);
    let steps = 0;
    expect(walkWith(whole, () => void steps++)).toEqual(keys);
    let refused = 0;
    for (let from = 0; from < steps; from++) {
      let isAway = false;
      const seen = walkWith(whole, (step) => {
        if (step === from) go(tree);
        if (step === from + length) back(tree);
        isAway = step >= from && step < from + length;
      });
      if (isAway) back(tree);
      if (seen === null) refused++;
      else expect(seen, `away before step ${from}`).toEqual(keys);
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('ends the listing with an error, and the next listing continues where it was', async () => {
    using tree = largeShare();
    const source = createFsSource(`${tree.root}/share`);
    const seen: Key[] = [];
    await expect(listWith(source, () => leave(tree), seen)).rejects.toMatchObject(AWAY);
    expect(seen.length).toBeGreaterThan(0);
    comeBack(tree);
    const rest = await keysOf(source, { after: seen.at(-1)!, upTo: null });
    expect([...seen, ...rest]).toEqual(await keysOf(source));
    expect(seen.length + rest.length).toBe(602);
  });

  it('is not taken for an object deleted before it was read', async () => {
    using tree = tempTree(share);
    const source = createFsSource(`${tree.root}/share`);
    const object = await largestOf(source);
    leave(tree);
    await expectReadError(source, object, 'unavailable');
    comeBack(tree);
    rmSync(tree.at('share/z'));
    await expectReadError(source, object, 'not-found');
  });

  it('is not split meanwhile', async () => {
    using tree = tempTree(share);
    const source = createFsSource(`${tree.root}/share`);
    expect(await source.midpoint(FULL_RANGE, neverAborted())).not.toBeNull();
    leave(tree);
    expect(await source.midpoint(FULL_RANGE, neverAborted())).toBeNull();
  });

  it('is noticed even if it is back before the check, by the entries that exist again', () => {
    using tree = tempTree(share);
    const whole = treeOf(tree);
    for (const key of ['z', 'b/'] as Key[]) {
      expect(() => absenceUncertain(whole, key)).toThrow(expect.objectContaining({ kind: 'unavailable' }));
    }
    for (const key of ['y', 'z/', 'a/1/x', 'b'] as Key[]) expect(absenceUncertain(whole, key)).toBeNull();
  });
});

describe('another root in place of the first', () => {
  it.each<[string, (tree: TempTree) => void]>([
    ['an empty folder, as where a share was mounted', (tree) => mkdirSync(tree.at('share'))],
    ['a folder that holds the same names', (tree) => renameSync(tree.at('copy'), tree.at('share'))],
    ['a link to the first', (tree) => symlinkSync('elsewhere', tree.at('share'))],
    ['a file', (tree) => tree.write(keyOf('share'), '')],
  ])('is not listed and not read: %s', async (what, replace) => {
    using tree = tempTree({ ...share, 'copy/a/1': '', 'copy/z': 'text' });
    const source = createFsSource(`${tree.root}/share`);
    const object = await largestOf(source);
    leave(tree);
    replace(tree);
    await expect(keysOf(source)).rejects.toMatchObject(AWAY);
    if (what.startsWith('a link')) return; // the same file: nothing to reject
    await expectReadError(source, object, 'unavailable');
  });

  it('is noticed at the end if it appeared after the last folder was read', () => {
    using tree = tempTree({ 'share/a': '', 'copy/a': '' });
    const seen = walkWith(treeOf(tree), (step) => {
      if (step !== 2) return;
      leave(tree);
      renameSync(tree.at('copy'), tree.at('share'));
    });
    expect(seen).toBeNull();
  });
});

describe('a stable root with entries that disappear', () => {
  it('is listed completely, without a folder that was removed', async () => {
    using tree = largeShare();
    const seen: Key[] = [];
    const removeFolder = () => rmSync(tree.at('share/b'), { recursive: true });
    await listWith(createFsSource(`${tree.root}/share`), removeFolder, seen);
    expect(seen.length).toBe(601);
    expect(seen.at(-1)).toBe('c/y');
  });

  it('is listed completely if a folder became a file', () => {
    using tree = tempTree(share);
    const seen = walkWith(treeOf(tree), (step) => {
      if (step !== 2) return;
      rmSync(tree.at('share/b'), { recursive: true });
      tree.write(keyOf('share/b'), '');
    });
    expect(seen).toEqual(['a/1', 'a/2', 'b/', 'z']); // `b/` as an error: the file was not listed
  });

  it('is listed again if a file became a folder, instead of losing its content', () => {
    using tree = tempTree(share);
    const whole = treeOf(tree);
    const seen = walkWith(whole, (step) => {
      if (step !== 2) return;
      rmSync(tree.at('share/z'));
      tree.write(keyOf('share/z/5'), '');
    });
    expect(seen).toBeNull();
    expect(walkWith(whole, () => {})).toEqual([...keys.slice(0, -1), 'z/5']);
  });
});

describe('a root that is a single file', () => {
  it('is unavailable if it does not exist', async () => {
    using tree = tempTree(share);
    const source = createFsSource(`${tree.root}/share/z`);
    const object = await largestOf(source);
    leave(tree);
    await expect(keysOf(source)).rejects.toMatchObject({
      ...AWAY,
      message: expect.stringMatching(/^The file/),
    });
    await expectReadError(source, object, 'unavailable');
  });

  it('may be saved again: it is listed in its new state, and what was listed before has changed', async () => {
    using tree = tempTree({ ...share, new: 'more text' });
    const source = createFsSource(`${tree.root}/share/z`);
    const before = await largestOf(source);
    renameSync(tree.at('new'), tree.at('share/z'));
    expect((await largestOf(source)).size).toBe(9);
    await expectReadError(source, before, 'changed');
  });
});
