/** A scan that continues in another process, or on another machine, where the share is not mounted: its mount point is an empty folder. */
import { mkdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { bytesOf, keysOf, neverAborted, objectsOf } from '../source-test-helpers.ts';
import { createFsSource } from './fs-source.ts';
import { type TempTree, tempTree } from './temp-tree.ts';

const EMPTIED = { kind: 'unavailable', retry: true, message: expect.stringContaining('is empty now') };
const rest = { after: keyOf('share/a'), upTo: null };

function unmounted(tree: TempTree): string {
  rmSync(tree.root, { recursive: true });
  mkdirSync(tree.root);
  return tree.root;
}

it('is not listed as empty', async () => {
  using tree = tempTree({ 'share/a': '', 'share/b': '' });
  const source = createFsSource(unmounted(tree));
  await expect(keysOf(source, rest)).rejects.toMatchObject(EMPTIED);
  expect(await source.midpoint(rest, neverAborted())).toBeNull();
});

it('does not lose objects that are checked again or read', async () => {
  using tree = tempTree({ 'share/a': '', 'share/b': 'text' });
  const [, object] = await objectsOf(createFsSource(tree.root));
  const source = createFsSource(unmounted(tree));
  await expect(source.find(keyOf('share/b'), neverAborted())).rejects.toMatchObject(EMPTIED);
  await expect(bytesOf(source, object!)).rejects.toMatchObject(EMPTIED);
});

it('is an empty source for a new scan', async () => {
  using tree = tempTree();
  expect(await keysOf(createFsSource(tree.root), FULL_RANGE)).toEqual([]);
});

it('is accepted as empty if it was emptied while this process was watching', async () => {
  using tree = tempTree({ 'share/a': '', 'share/b': '' });
  const source = createFsSource(tree.root);
  rmSync(tree.at('share'), { recursive: true });
  expect(await keysOf(source, rest)).toEqual([]);
  expect(await source.find(keyOf('share/b'), neverAborted())).toBeNull();
});

it('is not listed from its beginning either, if the scan knows that it was not empty', async () => {
  using tree = tempTree({ 'share/a': '', 'share/b': '' });
  const initialState = createFsSource(tree.root).initialState!();
  const source = createFsSource(unmounted(tree), {}, { initialState });
  await expect(keysOf(source, FULL_RANGE)).rejects.toMatchObject(EMPTIED);
  expect(await source.midpoint(FULL_RANGE, neverAborted())).toBeNull();
  await expect(source.find(keyOf('share/b'), neverAborted())).rejects.toMatchObject(EMPTIED);
});

it('is an empty source for a scan that knows that it was empty', async () => {
  using tree = tempTree();
  const initialState = createFsSource(tree.root).initialState!();
  expect(await keysOf(createFsSource(tree.root, {}, { initialState }), FULL_RANGE)).toEqual([]);
});
