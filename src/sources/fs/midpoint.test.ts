import { describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import { FULL_RANGE, type Range } from '../../base/range.ts';
import { keysOf, neverAborted } from '../source-test-helpers.ts';
import { createFsSource, type FsOptions } from './fs-source.ts';
import { tempTree } from './temp-tree.ts';

/** The number of objects on either side of the split point; null if there is none. */
async function halves(names: readonly string[], options: FsOptions = {}, range: Range = FULL_RANGE) {
  using tree = tempTree(Object.fromEntries(names.map((name) => [name, ''])));
  const source = createFsSource(tree.root, options);
  const cut = await source.midpoint(range, neverAborted());
  if (cut === null) return null;
  const left = await keysOf(source, { after: range.after, upTo: cut });
  return [left.length, (await keysOf(source, { after: cut, upTo: range.upTo })).length];
}

const many = (folder: string, count: number) => Array.from({ length: count }, (_, i) => `${folder}${i}`);

describe('the midpoint of a tree', () => {
  it('halves a flat folder, and the rest of it', async () => {
    const names = many('', 100);
    expect(await halves(names)).toEqual([50, 50]);
    expect(await halves(names, {}, { after: keyOf('5'), upTo: keyOf('94') })).toEqual([25, 24]);
  });

  it('descends into a folder with more than half of the weight', async () => {
    expect(await halves(['a/1', ...many('b/', 100), 'c/1'])).toEqual([51, 51]);
  });

  it('descends if there is only one folder', async () => {
    expect(await halves(many('a/b/c/d/', 10))).toEqual([5, 5]);
  });

  it('splits between folders', async () => {
    expect(
      await halves([...many('a/', 10), ...many('b/', 10), ...many('c/', 10), ...many('d/', 10)]),
    ).toEqual([20, 20]);
  });

  it('finds the objects among many empty folders', async () => {
    const empty = many('e', 40).map((name) => `${name}/`);
    expect(await halves([...empty, 'a', 'z'])).toEqual([1, 1]);
    expect(await halves([...empty, 'a', 'b'])).toEqual([1, 1]);
    expect(await halves([...empty, 'y', 'z'])).toEqual([1, 1]);
    expect(await halves([...empty, 'z'])).toBeNull();
    expect(await halves(empty)).toBeNull();
  });

  it('separates a folder from the key that directly follows it', async () => {
    expect(await halves(['d/x', 'd0'])).toEqual([1, 1]);
    expect(await halves(['c', 'd/', 'd0'])).toEqual([1, 1]);
  });

  it('ignores what the scope excludes', async () => {
    const options = { exclude: ['node_modules', '*.log'] };
    const noise = [...many('node_modules/', 50), ...many('a/', 50).map((name) => `${name}.log`)];
    expect(await halves([...noise, ...many('z/', 6)], options)).toEqual([3, 3]);
    expect(await halves([...noise, 'z/1'], options)).toBeNull();
  });

  it('gives up after a bounded search', async () => {
    expect(await halves([`${'d/'.repeat(300)}x`, `${'d/'.repeat(300)}y`])).toBeNull();
  });

  it('stops when aborted', async () => {
    using tree = tempTree({ a: '', b: '' });
    const reason = new Error('enough');
    const midpoint = createFsSource(tree.root).midpoint(FULL_RANGE, AbortSignal.abort(reason));
    await expect(midpoint).rejects.toBe(reason);
  });

  it('of a range within one folder stays in it', async () => {
    const range = { after: 'b/' as Key, upTo: 'b0' as Key };
    expect(await halves([...many('a/', 9), ...many('b/', 4), ...many('c/', 9)], {}, range)).toEqual([2, 2]);
  });
});
