import { mkdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { type Key, keyFromBytes, keyOf } from '../../base/key.ts';
import { FULL_RANGE, type Range } from '../../base/range.ts';
import type { ScopeOptions } from '../scope-options.ts';
import { keysOf } from '../source-test-helpers.ts';
import { namesByLstat, readFolder } from './folder.ts';
import { createFsSource } from './fs-source.ts';
import { createMounts } from './mounts.ts';
import { createScope } from './scope.ts';
import { type TempTree, tempTree } from './temp-tree.ts';
import { type WalkContext, walk } from './walk.ts';

function visitOf(tree: TempTree, range: Range, options: ScopeOptions): WalkContext {
  const scope = createScope(options);
  return {
    tree: {
      root: keyOf(tree.root),
      only: null,
      rootId: statSync(tree.root, { bigint: true }),
      scope,
      mounts: createMounts(keyOf(tree.root)),
    },
    range,
    countExcluded: () => {},
    work: { folders: 0 },
  };
}

describe('walking a tree', () => {
  it.each<[string, string, string | null, string[], number]>([
    ['everything', '', null, ['a/x', 'b/c/y', 'b/x', 'z'], 4],
    ['one folder', 'b/', 'b0', ['b/c/y', 'b/x'], 3],
    ['within a folder', 'b/c/y', 'b/x', ['b/x'], 3],
    ['after a folder', 'b0', null, ['z'], 1],
    ['up to the folder itself', '', 'a/', [], 2],
  ])('enters only the folders that can hold keys of the range: %s', (_what, after, upTo, keys, folders) => {
    using tree = tempTree({ 'a/x': '', 'b/c/y': '', 'b/x': '', 'skipped/x': '', z: '' });
    const visit = visitOf(tree, { after: after as Key, upTo: upTo as Key | null }, { exclude: ['skipped'] });
    expect([...walk(visit)].flatMap((item) => item?.key ?? [])).toEqual(keys);
    expect(visit.work.folders).toBe(folders);
  });

  it('skips folders in which no include pattern can match', () => {
    using tree = tempTree({ 'a/x': '', 'b/c/y': '', 'b/d/y': '', 'b/x': '', 'bb/c/y': '' });
    const visit = visitOf(tree, FULL_RANGE, { include: ['b/c/*'] });
    expect([...walk(visit)].flatMap((item) => item?.key ?? [])).toEqual(['b/c/y']);
    expect(visit.work.folders).toBe(3);
  });

  it('does not follow a link that replaced a folder after its name was read', () => {
    using outside = tempTree({ 'secret/x': '' });
    using tree = tempTree({ 'a/x': '', 'b/x': '', z: '' });
    const items = walk(visitOf(tree, FULL_RANGE, {}));
    const keys: string[] = [];
    for (const item of items) {
      if (item === null) continue;
      keys.push(item.key);
      if (item.key !== 'a/x') continue;
      renameSync(tree.at('b'), `${outside.root}/b`);
      symlinkSync(`${outside.root}/secret`, tree.at('b'));
    }
    expect(keys).toEqual(['a/x', 'b/', 'z']); // `b/` as an error: what took its place was not listed
  });

  describe('a folder that can no longer be read', () => {
    const reason = new SeineError('unavailable', 'b was unmounted.');
    const items = (after: string) => {
      using tree = tempTree({ 'a/x': '', 'b/x': '', 'b/y': '', z: '' });
      const visit = visitOf(tree, { after: after as Key, upTo: null }, {});
      const mounts = {
        has: (folder: Key) => folder === 'b/',
        changeAbove: (key: Key) => (key.startsWith('b/') ? reason : null),
        enter: () => {},
        list: () => [],
        missingIn: () => [],
      };
      return [...walk({ ...visit, tree: { ...visit.tree, mounts } })].filter((item) => item !== null);
    };

    it('is an error of its own if its key is in the range, and no error if it was reported before', () => {
      expect(items('a/x')).toMatchObject([{ key: 'b/', error: reason }, { key: 'z' }]);
      expect(items('b/')).toMatchObject([{ key: 'z' }]);
      expect(items(`b/${'\xff'.repeat(256)}`)).toMatchObject([{ key: 'z' }]);
    });

    it('is an error of the listing that continues inside it', () => {
      expect(() => items('b/x')).toThrow(reason);
    });
  });

  it('preserves every byte of names that are not valid UTF-8', async () => {
    using tree = tempTree();
    const folder = keyFromBytes(Uint8Array.from([0x61, 0xff, 0xfe]));
    mkdirSync(tree.at(folder));
    tree.write(`${folder}/\xc3\x28` as Key, '');
    tree.write(keyOf('😀'), '');
    expect(await keysOf(createFsSource(tree.root))).toEqual(['a\xff\xfe/\xc3\x28', '\xf0\x9f\x98\x80']);
  });
});

describe('a folder on a file system that does not report entry types', () => {
  it('has the same names', () => {
    using tree = tempTree({ 'a/x': '', 'a.txt': '', a0: '', 'größe/x': '', é: '' });
    const reading = readFolder(keyOf(tree.root), '' as Key, FULL_RANGE);
    const names = reading.next();
    expect(names.done).toBe(true);
    expect(names.value?.names).toEqual(['a.txt', 'a/', 'a0', `${keyOf('größe')}/`, keyOf('é')]);
    expect([...namesByLstat(keyOf(tree.root))].sort()).toEqual(names.value?.names);
  });
});
