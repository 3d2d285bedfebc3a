import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { sourceConformance } from '../conformance.ts';
import { createRequestGateLog } from '../request-gate.fixture.ts';
import { isObjectError } from '../source.ts';
import { bytesOf, itemsOf, keysOf, neverAborted, objectsOf } from '../source-test-helpers.ts';
import { createFsSource } from './fs-source.ts';
import { asUnprivilegedUser, tempTree, waitForClockTick, writeIfPossible } from './temp-tree.ts';

sourceConformance('fs', (expected) => {
  const tree = tempTree();
  const objects = new Map([...expected].filter(([key, bytes]) => writeIfPossible(tree, key, bytes)));
  return {
    source: createFsSource(tree.root),
    objects,
    change(key) {
      waitForClockTick();
      writeFileSync(tree.at(key), Buffer.alloc(expected.get(key)!.length, 'other'));
    },
    remove: (key) => rmSync(tree.at(key)),
    close: () => tree[Symbol.dispose](),
  };
});

describe('a folder source with a request gate', () => {
  it('calls the gate before every read with the exact number of bytes', async () => {
    using tree = tempTree({ a: 'twelve bytes', b: '' });
    const gate = createRequestGateLog();
    const source = createFsSource(tree.root, {}, { gate });
    const [a, b] = await objectsOf(source);
    await bytesOf(source, a!);
    await bytesOf(source, a!, { from: 2, to: 5 });
    await bytesOf(source, a!, { from: 10, to: 50 });
    await bytesOf(source, b!);
    expect(gate.passed.map(({ kind, bytes }) => `${kind} ${bytes}`)).toEqual([
      'read 12',
      'read 3',
      'read 2',
      'read 0',
    ]);
    expect(source.readWhole(a!, new Uint8Array(100))).toBe(-1);
  });

  it('reads nothing if the gate is closed', async () => {
    using tree = tempTree({ a: 'twelve bytes' });
    const gate = createRequestGateLog(() => {
      throw new Error('closed');
    });
    const source = createFsSource(tree.root, {}, { gate });
    await expect(bytesOf(source, (await objectsOf(source))[0]!)).rejects.toThrow('closed');
  });

  it('skips a gate without limits', async () => {
    using tree = tempTree({ a: 'twelve bytes' });
    const gate = { ...createRequestGateLog(), free: true };
    const source = createFsSource(tree.root, {}, { gate });
    expect(source.readWhole((await objectsOf(source))[0]!, new Uint8Array(100))).toBe(12);
    expect(gate.passed).toEqual([]);
  });
});

describe('the root of a folder source', () => {
  it('uses the real path in the id, even if it is a link', () => {
    using tree = tempTree({ 'real/a': '' });
    symlinkSync('real', tree.at('link'));
    expect(createFsSource(`${tree.root}/link`).id).toBe(`fs:${realpathSync(tree.root)}/real`);
  });

  it('may be a single file: a source of one object', async () => {
    using tree = tempTree({ 'größe.txt': 'text', other: '' });
    const source = createFsSource(`${tree.root}/größe.txt`);
    const objects = await objectsOf(source);
    expect(objects.map(({ key }) => key)).toEqual([keyOf('größe.txt')]);
    expect(String(await bytesOf(source, objects[0]!))).toBe('text');
    expect(await keysOf(source, { after: keyOf('größe.txt'), upTo: null })).toEqual([]);
    expect(await source.midpoint(FULL_RANGE, neverAborted())).toBeNull();
  });

  it('may be empty', async () => {
    using tree = tempTree();
    expect(await keysOf(createFsSource(tree.root))).toEqual([]);
    expect(await createFsSource(tree.root).midpoint(FULL_RANGE, neverAborted())).toBeNull();
  });

  it('must exist', () => {
    using tree = tempTree({ file: '' });
    symlinkSync('loop', tree.at('loop'));
    for (const name of ['nothing', 'file/below', 'loop']) {
      const missing = () => createFsSource(`${tree.root}/${name}`);
      expect(missing).toThrow(expect.objectContaining({ kind: 'not-found', hint: expect.any(String) }));
    }
    expect(() => createFsSource('a\0b')).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  it('must not be a pipe or a device', () => {
    expect(() => createFsSource('/dev/null')).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  it('must be readable', async () => {
    using tree = tempTree({ 'locked/a': '', file: '' });
    chmodSync(tree.root, 0o755);
    chmodSync(tree.at('locked'), 0);
    chmodSync(tree.at('file'), 0);
    await asUnprivilegedUser(async () => {
      for (const name of ['locked', 'file', 'locked/a']) {
        const open = () => createFsSource(`${tree.root}/${name}`);
        expect(open).toThrow(expect.objectContaining({ kind: 'permission' }));
      }
    });
  });

  it('may disappear: then the listing fails instead of ending early', async () => {
    using tree = tempTree({ 'root/a': '' });
    const source = createFsSource(`${tree.root}/root`);
    rmSync(tree.at('root'), { recursive: true });
    await expect(keysOf(source)).rejects.toMatchObject({ kind: 'unavailable', retry: true });
  });
});

describe('entries other than files', () => {
  it('links, pipes and sockets are listed as unreadable, and links are not followed', async () => {
    using tree = tempTree({ 'folder/file': 'x' });
    symlinkSync('folder/file', tree.at('to-file'));
    symlinkSync('folder', tree.at('to-folder'));
    symlinkSync('.', tree.at('to-itself'));
    symlinkSync('nowhere', tree.at('to-nothing'));
    execFileSync('mkfifo', [`${tree.root}/pipe`]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(`${tree.root}/socket`, resolve));
    const listed = (await objectsOf(createFsSource(tree.root))).map((o) => [o.key, o.unreadable]);
    server.close();
    expect(listed).toEqual([
      ['folder/file', undefined],
      ['pipe', 'not a regular file'],
      ['socket', 'not a regular file'],
      ['to-file', 'symbolic link'],
      ['to-folder', 'symbolic link'],
      ['to-itself', 'symbolic link'],
      ['to-nothing', 'symbolic link'],
    ]);
  });

  it('an unreadable folder is one error, in exactly one part of any partition', async () => {
    using tree = tempTree({ 'a/x': '', 'locked/x': '', 'locked/y': '', z: '' });
    chmodSync(tree.root, 0o755);
    chmodSync(tree.at('locked'), 0);
    await asUnprivilegedUser(async () => {
      const source = createFsSource(tree.root);
      const items = await itemsOf(source);
      expect(items.map(({ key }) => key)).toEqual(['a/x', 'locked/', 'z']);
      expect(items.filter(isObjectError)[0]!.error).toMatchObject({ kind: 'permission' });
      for (const cut of ['a/x', 'locked', 'locked/', 'locked0'] as Key[]) {
        const left = await keysOf(source, { after: '' as Key, upTo: cut });
        const right = await keysOf(source, { after: cut, upTo: null });
        expect([...left, ...right], cut).toEqual(['a/x', 'locked/', 'z']);
      }
      // A split inside it requires that it was readable: the other part may have been listed before it was locked.
      for (const cut of ['locked/\0', 'locked/x'] as Key[]) {
        const rest = keysOf(source, { after: cut, upTo: null });
        await expect(rest, cut).rejects.toMatchObject({ kind: 'permission' });
      }
    });
  });

  it('files in a folder that can be listed but not entered are individual errors', async () => {
    using tree = tempTree({ 'dim/x': '', 'dim/y': '' });
    chmodSync(tree.root, 0o755);
    chmodSync(tree.at('dim'), 0o444);
    await asUnprivilegedUser(async () => {
      const items = await itemsOf(createFsSource(tree.root));
      expect(items.map((item) => isObjectError(item) && [item.key, item.error.kind])).toEqual([
        ['dim/x', 'permission'],
        ['dim/y', 'permission'],
      ]);
    });
  });
});

describe('a tree that changes while it is listed', () => {
  it('files that are deleted after their names were read are not objects', async () => {
    using tree = tempTree();
    for (let i = 0; i < 1200; i++) tree.write(keyOf(`f/${String(i).padStart(4, '0')}`), '');
    const seen: Key[] = [];
    for await (const batch of createFsSource(tree.root).list(FULL_RANGE, neverAborted())) {
      if (seen.length === 0) rmSync(tree.at('f'), { recursive: true });
      seen.push(...batch.map(({ key }) => key));
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(1200);
  });

  it('the event loop runs between the batches', async () => {
    using tree = tempTree();
    for (let i = 0; i < 1200; i++) tree.write(keyOf(`${i}`), '');
    let turns = 0;
    let immediate = setImmediate(function turn() {
      turns++;
      immediate = setImmediate(turn);
    });
    await keysOf(createFsSource(tree.root));
    clearImmediate(immediate);
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});

describe('a tree deeper than PATH_MAX', () => {
  it.runIf(process.platform === 'linux')('is walked and read completely', async () => {
    using tree = tempTree();
    const name = 'twenty-letters-long-';
    const home = process.cwd();
    const depth = 500;
    process.chdir(tree.root);
    for (let i = 0; i < depth; i++) {
      mkdirSync(name);
      process.chdir(name);
    }
    writeFileSync('bottom', 'deep');
    process.chdir(home);
    const source = createFsSource(tree.root);
    const objects = await objectsOf(source);
    expect(objects.map(({ key }) => key)).toEqual([`${`${name}/`.repeat(depth)}bottom`]);
    expect(String(await bytesOf(source, objects[0]!))).toBe('deep');
    expect(await source.midpoint(FULL_RANGE, neverAborted())).toBeNull();
  });
});
