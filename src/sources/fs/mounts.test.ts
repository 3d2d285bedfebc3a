import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { isObjectError, type ObjectError, type SourceObject } from '../source.ts';
import { expectReadError, keysOf, neverAborted, objectsOf } from '../source-test-helpers.ts';
import { createFsSource } from './fs-source.ts';
import { createMounts } from './mounts.ts';
import { canMount, mountBind, mountOverlay, mountTmpfs, unmount } from './temp-mount.ts';
import { type TempTree, tempTree } from './temp-tree.ts';

const line = (device: string, place: string) => `36 35 ${device} / ${place} rw,noatime - nfs server:/x rw`;

describe('the mount table', () => {
  const before = [line('0:1', '/'), line('0:40', '/srv/root'), line('0:50', '/srv/root/a\\040b'), ''].join(
    '\n',
  );

  it.each<[string, string, string, RegExp | null]>([
    ['nothing has changed', before, 'a b/x', null],
    ['a mount is gone', line('0:1', '/'), 'a b/x', /^\/srv\/root\/a b was unmounted/],
    ['a mount is gone, seen at its own folder', line('0:1', '/'), 'a b/', /was unmounted/],
    ['a mount is missing, the key is elsewhere', line('0:1', '/'), 'a c/x', null],
    ['another device is mounted', before.replace('0:50', '0:51'), 'a b/x', /Something else was mounted/],
    ['a mount appeared', `${before}${line('0:60', '/srv/root/c')}`, 'c/x', /Something else was mounted/],
    ['the system has no table any more', '', 'other', null],
  ])('says why a key is not found: %s', (_what, now, key, message) => {
    let table = before;
    const mounts = createMounts('/srv/root', { readTable: () => table });
    table = now;
    const reason = mounts.changeAbove(key as Key);
    if (message === null) expect(reason).toBeNull();
    else expect(reason).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(message) });
  });

  it('contains a mount that appeared before its folder was entered', () => {
    let table = before;
    const mounts = createMounts('/srv/root', { readTable: () => table });
    table += line('0:60', '/srv/root/c');
    mounts.enter('c/' as Key);
    expect(mounts.changeAbove('c/x' as Key)).toBeNull();
    table = before;
    expect(mounts.changeAbove('c/x' as Key)).not.toBeNull();
  });
});

describe('mounts that existed when the scan began', () => {
  const root = line('0:40', '/srv/root');
  const expected = ['a/share/' as Key];
  const both = `${root}\n${line('0:50', '/srv/root/a/share')}`;

  it.each<[string, string, string, RegExp | null]>([
    ['it is mounted, whatever its device', both, 'a/share/x', null],
    ['it is not mounted', root, 'a/share/x', /^\/srv\/root\/a\/share was unmounted since the scan started/],
    ['it is not mounted, seen at its own folder', root, 'a/share/', /was unmounted/],
    ['it is not mounted, the key is elsewhere', root, 'a/x', null],
    ['the system has no table', '', 'a/share/x', null],
  ])('are expected by another process: %s', (_what, table, key, message) => {
    const mounts = createMounts('/srv/root', { expected, readTable: () => table, open: () => {} });
    expect(mounts.has(expected[0]!)).toBe(table !== '');
    const reason = mounts.changeAbove(key as Key);
    if (message === null) expect(reason).toBeNull();
    else
      expect(reason).toMatchObject({
        kind: 'unavailable',
        retry: true,
        message: expect.stringMatching(message),
      });
  });

  it('are opened first, in case an automounter manages them', () => {
    let table = root;
    const opened: string[] = [];
    const open = (path: string) => {
      opened.push(path);
      table = both;
    };
    const mounts = createMounts('/srv/root', { expected, readTable: () => table, open });
    expect(mounts.missingIn('a/' as Key)).toEqual(expected);
    expect(mounts.changeAbove('a/share/x' as Key)).toBeNull();
    expect(opened).toEqual(['/srv/root/a/share']);
    expect(mounts.missingIn('a/' as Key)).toEqual([]);
    table = root;
    expect(mounts.changeAbove('a/share/x' as Key)).toMatchObject({
      message: expect.stringContaining('was unmounted during the scan'),
    });
  });

  // Works without the right to mount: the folder is not a mount point here, so a record that says so describes an unmounted share.
  const initialState = { mounts: expected, hasEntries: true };
  const unmounted = { kind: 'unavailable', retry: true, message: expect.stringContaining('was unmounted') };

  it.runIf(process.platform === 'linux').each<[string, Record<string, string>, string]>([
    ['an empty folder', { 'a/share/': '', 'a/x': '', b: '' }, 'a/share/'],
    ['a folder with other files', { 'a/share/other': '', 'a/x': '', b: '' }, 'a/share/'],
    ['no folder', { 'a/x': '', b: '' }, 'a/share/'],
    ['no folder around it either', { b: '' }, 'a/'],
  ])('and are away leave an error in the listing: %s', async (_what, files, key) => {
    using tree = tempTree(files);
    const source = createFsSource(tree.root, {}, { initialState });
    const items: (SourceObject | ObjectError)[] = [];
    for await (const batch of source.list(FULL_RANGE, neverAborted())) items.push(...batch);
    expect(items.filter(isObjectError)).toEqual([{ key, error: expect.objectContaining(unmounted) }]);
    const left = Object.keys(files).filter((name) => !name.startsWith('a/share/'));
    expect(items.flatMap((item) => (isObjectError(item) ? [] : [item.key]))).toEqual(left);
    expect(await source.find('a/share/x' as Key, neverAborted())).toMatchObject({ error: unmounted });
    await expect(keysOf(source, { after: 'a/share/s300' as Key, upTo: null })).rejects.toMatchObject(
      unmounted,
    );
    expect(await keysOf(createFsSource(tree.root))).toEqual(
      Object.keys(files).filter((f) => !f.endsWith('/')),
    );
  });

  it('are ignored if they are missing outside of the scope', async () => {
    using tree = tempTree({ b: '' });
    const source = createFsSource(tree.root, { exclude: ['a'] }, { initialState });
    expect(await keysOf(source)).toEqual(['b']);
  });
});

describe.runIf(canMount())('real mounts', () => {
  const mounted: string[] = [];
  const trees: TempTree[] = [];
  afterEach(() => {
    for (const place of mounted.splice(0).reverse()) {
      try {
        unmount(place);
      } catch {
        // The test has unmounted it already.
      }
    }
    for (const tree of trees.splice(0)) tree[Symbol.dispose]();
  });

  /** Removed after what is mounted in it. */
  function scratch(files: Readonly<Record<string, string>> = {}): TempTree {
    const tree = tempTree(files);
    trees.push(tree);
    return tree;
  }

  function keep(place: string): string {
    mounted.push(place);
    return place;
  }

  function fill(folder: string, names: readonly string[]): void {
    for (const name of names) writeFileSync(`${folder}/${name}`, 'text');
  }

  const names = (letter: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${letter}${String(i).padStart(4, '0')}`);

  /** A folder with 600 files, then a share with 700: listings come in batches of 512. */
  function treeWithShare(mount: (tree: TempTree, at: string) => void): TempTree {
    const tree = scratch({ 'root/a/': '', 'root/share/': '', 'other/': '' });
    fill(`${tree.root}/root/a`, names('f', 600));
    mount(tree, keep(`${tree.root}/root/share`));
    fill(`${tree.root}/root/share`, names('s', 700));
    return tree;
  }

  async function listDisturbed(root: string, disturbAfter: number, disturb: () => void) {
    const seen: (SourceObject | ObjectError)[] = [];
    for await (const batch of createFsSource(root).list(FULL_RANGE, neverAborted())) {
      const before = seen.length;
      seen.push(...batch);
      if (before <= disturbAfter && seen.length > disturbAfter) disturb();
    }
    return { objects: seen.filter((item) => !isObjectError(item)), errors: seen.filter(isObjectError) };
  }

  const tmpfs = (_: TempTree, at: string) => mountTmpfs(at);
  const bind = (tree: TempTree, at: string) => mountBind(`${tree.root}/other`, at);

  it.each([
    ['of another device', tmpfs],
    ['of the same device', bind],
  ])('below the root that goes before it is entered is an error: %s', async (_what, mount) => {
    const tree = treeWithShare(mount);
    const share = `${tree.root}/root/share`;
    const { objects, errors } = await listDisturbed(`${tree.root}/root`, 0, () => unmount(share));
    expect(objects.length).toBe(600);
    expect(errors).toEqual([
      { key: 'share/', error: expect.objectContaining({ kind: 'unavailable', retry: true }) },
    ]);
  });

  it.each([
    ['of another device', tmpfs],
    ['of the same device', bind],
  ])('below the root that goes while it is listed leaves no name out: %s', async (_what, mount) => {
    const tree = treeWithShare(mount);
    const share = `${tree.root}/root/share`;
    const { objects, errors } = await listDisturbed(`${tree.root}/root`, 600, () => unmount(share));
    expect(objects.length + errors.length).toBe(1300);
    expect(errors.length).toBeGreaterThan(0);
    for (const { error } of errors) expect(error).toMatchObject({ kind: 'unavailable' });
  });

  it('over a folder during its listing loses no name', async () => {
    const tree = scratch({ 'root/a/': '' });
    const folder = `${tree.root}/root/a`;
    fill(folder, names('f', 1000));
    const { objects, errors } = await listDisturbed(`${tree.root}/root`, 0, () => mountTmpfs(keep(folder)));
    expect(objects.length + errors.length).toBe(1000);
    expect(errors.length).toBeGreaterThan(0);
  });

  it('that appears before its folder is entered is listed', async () => {
    const tree = scratch({ 'root/a/': '', 'root/share/': '' });
    fill(`${tree.root}/root/a`, names('f', 600));
    const { objects, errors } = await listDisturbed(`${tree.root}/root`, 0, () => {
      mountTmpfs(keep(`${tree.root}/root/share`));
      fill(`${tree.root}/root/share`, ['x', 'y']);
    });
    expect(errors).toEqual([]);
    expect(objects.length).toBe(602);
  });

  it('at the root that disappears ends the listing with an error', async () => {
    const tree = scratch({ 'root/': '' });
    mountTmpfs(keep(`${tree.root}/root`));
    fill(`${tree.root}/root`, names('f', 1000));
    const listing = listDisturbed(`${tree.root}/root`, 0, () => unmount(`${tree.root}/root`));
    await expect(listing).rejects.toMatchObject({ kind: 'unavailable', retry: true });
  });

  it('that disappears between listing and reading makes no object look deleted', async () => {
    const tree = treeWithShare(tmpfs);
    const source = createFsSource(`${tree.root}/root`);
    const object = (await objectsOf(source)).at(-1)!;
    unmount(`${tree.root}/root/share`);
    await expectReadError(source, object, 'unavailable');
    expect(await source.find(object.key, neverAborted())).toMatchObject({ error: { kind: 'unavailable' } });
  });

  it('that disappears before another process continues the scan is an error', async () => {
    const tree = treeWithShare(tmpfs);
    const root = `${tree.root}/root`;
    const initialState = JSON.parse(JSON.stringify(createFsSource(root).initialState!()));
    expect(initialState).toEqual({ mounts: ['share/'], hasEntries: true });
    const rest = { after: keyOf('share/s0300'), upTo: null };
    expect((await keysOf(createFsSource(root, {}, { initialState }), rest)).length).toBe(399);
    unmount(`${root}/share`);
    const source = createFsSource(root, {}, { initialState });
    await expect(keysOf(source, rest)).rejects.toMatchObject({ kind: 'unavailable', retry: true });
    mountTmpfs(keep(`${root}/share`));
    fill(`${root}/share`, ['t']);
    expect(await keysOf(source, rest)).toEqual(['share/t']);
  });

  it('does not make a deleted file look unmounted', async () => {
    const tree = treeWithShare(tmpfs);
    const source = createFsSource(`${tree.root}/root`);
    const object = (await objectsOf(source)).at(-1)!;
    execFileSync('rm', [`${tree.root}/root/${object.key}`]);
    await expectReadError(source, object, 'not-found');
    expect((await keysOf(source)).length).toBe(1299);
  });

  /** Both on tmpfs: an overlay of them gets a new device number each time it is mounted. */
  function lowerFolder(tree: TempTree): string {
    mountTmpfs(keep(`${tree.root}/base`));
    mkdirSync(`${tree.root}/base/low`);
    fill(`${tree.root}/base/low`, ['a', 'b']);
    return `${tree.root}/base`;
  }

  it('of the same share at another time gives files the same identity', async () => {
    const tree = scratch();
    const base = lowerFolder(tree);
    const place = keep(`${tree.root}/mnt`);
    mountOverlay(`${base}/low`, `${base}/e1`, place);
    const before = await objectsOf(createFsSource(place));
    const device = statSync(place).dev;
    unmount(place);
    mountTmpfs(keep(`${tree.root}/spare`)); // occupies the device number
    mountOverlay(`${base}/low`, `${base}/e1`, place);
    expect(statSync(place).dev).not.toBe(device);
    expect(await objectsOf(createFsSource(place))).toEqual(before);
  });

  it('of the same share on another machine can read what the first machine listed', async () => {
    const tree = scratch();
    const base = lowerFolder(tree);
    const [one, two] = [`${tree.root}/m1`, `${tree.root}/m2`] as const;
    mountOverlay(`${base}/low`, `${base}/e1`, keep(one));
    mountOverlay(`${base}/low`, `${base}/e2`, keep(two));
    expect(statSync(`${one}/a`).dev).not.toBe(statSync(`${two}/a`).dev);
    const [listed] = await objectsOf(createFsSource(one));
    let text = '';
    for await (const chunk of createFsSource(two).read(listed!, null, neverAborted()))
      text += Buffer.from(chunk);
    expect(text).toBe('text');
    expect(listed!.key).toBe(keyOf('a'));
  });
});
