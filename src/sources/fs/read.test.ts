import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { bytesOf, expectReadError, largestOf, neverAborted } from '../source-test-helpers.ts';
import { createFsSource } from './fs-source.ts';
import { asUnprivilegedUser, type TempTree, tempTree, waitForClockTick } from './temp-tree.ts';

const large = 'x'.repeat((2 << 20) + 5);

describe('reading a file that is no longer the listed one', () => {
  const swaps: Record<string, (tree: TempTree) => void> = {
    'a pipe, without waiting for a writer': (tree) => void execFileSync('mkfifo', [`${tree.root}/file`]),
    'a link to the very same content': (tree) => {
      tree.write(keyOf('copy'), 'content');
      symlinkSync('copy', tree.at('file'));
    },
    'a folder': (tree) => mkdirSync(tree.at('file')),
    'another file of the same size': (tree) => tree.write(keyOf('file'), 'CONTENT'),
  };
  it.each(Object.keys(swaps))('is rejected if it is %s', async (what) => {
    using tree = tempTree({ file: 'content' });
    const source = createFsSource(tree.root);
    const object = await largestOf(source);
    rmSync(tree.at('file'));
    waitForClockTick();
    swaps[what]!(tree);
    await expectReadError(source, object, 'changed');
  });

  it('is rejected if it was written and its modification time reset', async () => {
    using tree = tempTree({ file: 'content' });
    utimesSync(tree.at('file'), 1e9, 1e9);
    const source = createFsSource(tree.root);
    const object = await largestOf(source);
    waitForClockTick();
    tree.write(keyOf('file'), 'CONTENT');
    utimesSync(tree.at('file'), 1e9, 1e9);
    await expectReadError(source, object, 'changed');
  });

  it('is rejected if its folder became a file', async () => {
    using tree = tempTree({ 'folder/file': 'content' });
    const source = createFsSource(tree.root);
    const object = await largestOf(source);
    rmSync(tree.at('folder'), { recursive: true });
    tree.write(keyOf('folder'), '');
    await expectReadError(source, object, 'not-found');
  });

  it.each([
    ['grows', (tree: TempTree) => appendFileSync(tree.at('file'), 'more')],
    ['shrinks', (tree: TempTree) => truncateSync(tree.at('file'), 1 << 20)],
    ['is written', (tree: TempTree) => tree.write(keyOf('file'), large)],
  ])('is refused at the end when it %s while it is read', async (_what, disturb) => {
    using tree = tempTree({ file: large });
    const source = createFsSource(tree.root);
    const chunks = source.read(await largestOf(source), null, neverAborted())[Symbol.asyncIterator]();
    await chunks.next();
    waitForClockTick();
    disturb(tree);
    const rest = async () => {
      await repeatWhile('chunks', async () => !(await chunks.next()).done);
    };
    await expect(rest()).rejects.toMatchObject({ kind: 'changed' });
  });
});

describe('reading a file', () => {
  it('without permission fails with that error kind', async () => {
    using tree = tempTree({ file: 'content' });
    chmodSync(tree.root, 0o755);
    chmodSync(tree.at('file'), 0);
    await asUnprivilegedUser(async () => {
      const source = createFsSource(tree.root);
      await expectReadError(source, await largestOf(source), 'permission');
    });
  });

  it.runIf(process.platform === 'linux')(
    'that says it is empty but is not never counts as read',
    async () => {
      const source = createFsSource('/proc/version');
      const object = await largestOf(source);
      expect(object.size).toBe(0);
      await expect(bytesOf(source, object)).rejects.toThrow('/proc/version');
      expect(() => source.readWhole(object, new Uint8Array(9))).toThrow('/proc/version');
    },
  );

  it.runIf(process.platform === 'linux')('closes its handle in all cases', async () => {
    using tree = tempTree({ 'a/file': large, 'b/file': '' });
    const source = createFsSource(tree.root);
    const object = await largestOf(source);
    const handles = () => readdirSync('/proc/self/fd').length;
    const before = handles();
    for (let i = 0; i < 20; i++) {
      for await (const _piece of source.read(object, null, neverAborted())) break;
      for await (const _batch of source.list(FULL_RANGE, neverAborted())) break;
      await source.midpoint(FULL_RANGE, neverAborted());
      await bytesOf(source, { ...object, identity: 'another' }).catch(() => {});
      await bytesOf(source, object);
    }
    expect(handles()).toBeLessThan(before + 5);
  });
});
