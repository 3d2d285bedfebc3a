import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayKey, keyOf } from '../../src/base/key.ts';
import { FULL_RANGE } from '../../src/base/range.ts';
import { createAzureSource } from '../../src/sources/azure/azure-source.ts';
import { sourceConformance } from '../../src/sources/conformance.ts';
import type { ScopeOptions } from '../../src/sources/scope-options.ts';
import type { SourceSettings } from '../../src/sources/settings.ts';
import {
  bytesOf,
  compareBytes,
  expectReadError,
  keysOf,
  neverAborted,
  objectsOf,
} from '../../src/sources/source-test-helpers.ts';
import { textOf } from '../../src/sources/store/key-text.ts';
import { type Azurite, type Container, freshContainer, startAzurite } from '../support/servers/azurite.ts';

let azurite: Azurite;
beforeAll(async () => {
  azurite = await startAzurite();
});
afterAll(() => azurite.stop());

sourceConformance('Azure (Azurite)', async (expected) => {
  const container = await freshContainer(azurite);
  // Azure's names are text without control characters.
  const held = [...expected].flatMap(([key, bytes]) => {
    const name = textOf(key);
    return name === null || name.includes('\u0001') ? [] : [{ key, name, bytes }];
  });
  await container.putAll(new Map(held.map(({ name, bytes }) => [name, bytes])));
  return {
    source: sourceOf(container),
    objects: new Map(held.map(({ key, bytes }) => [key, bytes])),
    change: (key) => container.put(textOf(key)!, Buffer.alloc(expected.get(key)!.length, 'other ')),
    remove: async (key) => void (await container.client.deleteBlob(textOf(key)!)),
  };
});

describe('names of every kind in Azure (Azurite)', () => {
  // Not among them: what its own clients change (\ becomes /, ./x becomes x) and control characters.
  const names = [
    ...['a b', 'a+b', 'a%2Bb', 'a%20b', '%', '%zz', 'a&<>"\'b', '&amp;', 'a?b=c#d', 'a;b', 'a:b@c', '*'],
    ...[
      '//x',
      'a//b',
      'p',
      'p/',
      'p//',
      '_x',
      '__y',
      ' ',
      '  x  ',
      '\t',
      'line\nbreak',
      'r\rr',
      '.x',
      '..x',
      'x.',
    ],
    ...[
      '\u007f',
      '\u0085',
      '\u2028',
      '\ufeffx',
      'é',
      'e\u0301',
      '東京/東',
      '\ue000',
      '\uff21',
      '\uffee',
      '😀',
    ],
    ...['\u{10fffd}', 'a😀', 'a\uff21', 'a\uff21b', 'a😀/\uff21', 'a😀/😀', 'a😀b'],
  ];
  let container: Container;
  beforeAll(async () => {
    container = await freshContainer(azurite);
    await container.putAll(new Map(names.map((name) => [name, `I am ${JSON.stringify(name)}`])));
  });

  it('are all listed, in byte order, and what is in them is read', async () => {
    const source = sourceOf(container);
    const keys = names.map(keyOf).sort(compareBytes);
    expect((await keysOf(source)).map(displayKey)).toEqual(keys.map(displayKey));
    for (const object of await objectsOf(source)) {
      const content = (await bytesOf(source, object)).toString();
      expect(content).toBe(`I am ${JSON.stringify(textOf(object.key))}`);
      expect(await source.find(object.key, neverAborted())).toEqual(object);
    }
  });

  it('may be a prefix, to the letter', async () => {
    for (const prefix of names) {
      const source = sourceOf(container, { prefix });
      const expected = names.filter((name) => name.startsWith(prefix)).map(keyOf);
      expect(await keysOf(source), prefix).toEqual(expected.sort(compareBytes));
      expect(source.id).toBe(`${container.target}/${prefix}`);
    }
  });
});

describe('thousands of blobs in Azure (Azurite)', () => {
  const names = Array.from(
    { length: 5432 },
    (_, i) => `${i % 7}/${String(i).padStart(5, '0')}-（${i % 3}）.csv`,
  );
  const sorted = names.map(keyOf).sort(compareBytes);
  let container: Container;
  beforeAll(async () => {
    container = await freshContainer(azurite);
    await container.putAll(new Map(names.map((name) => [name, name])));
  });

  it('are listed page after page, none of them twice and none left out', async () => {
    expect(await keysOf(sourceOf(container))).toEqual(sorted);
    const [after, upTo] = [sorted[777]!, sorted[4999]!];
    expect(await keysOf(sourceOf(container), { after, upTo })).toEqual(sorted.slice(778, 5000));
  });

  it('are returned a thousand at a time, until there are no more', async () => {
    const source = sourceOf(container);
    for (let at = 0; at < sorted.length; at += 1000) {
      const after = at === 0 ? FULL_RANGE.after : sorted[at - 1]!;
      const { keys, bytes, more } = await source.page!({ after, upTo: null }, 1000, neverAborted());
      expect(keys).toEqual(sorted.slice(at, at + 1000));
      expect(bytes).toBe(keys.reduce((sum, key) => sum + key.length, 0));
      expect(more).toBe(at + 1000 < sorted.length);
    }
  });

  it('are asked for once each', async () => {
    let passed = 0;
    const gate = { admit: async () => void passed++, throttled: () => {} };
    const source = createAzureSource(container.target, {}, { settings: container.settings, gate });
    await keysOf(source);
    // The kind of the namespace, and two pages.
    expect(passed).toBe(3);
    const [object] = await objectsOf(source);
    passed = 0;
    await bytesOf(source, object!);
    expect(passed).toBe(1);
  });
});

describe('what a container of Azure (Azurite) holds', () => {
  it('is listed without snapshots, unfinished uploads and marks of folders', async () => {
    const container = await freshContainer(azurite);
    await container.putAll(
      new Map(['a', 'folder/b', 'empty'].map((name) => [name, name === 'empty' ? '' : name])),
    );
    await container.client.getBlobClient('a').createSnapshot();
    await container.client.getBlockBlobClient('unfinished').stageBlock('MDAx', 'x', 1);
    const mark = { metadata: { hdi_isfolder: 'true' } };
    await container.client.getBlockBlobClient('folder').upload('', 0, mark);
    const source = sourceOf(container);
    expect(await keysOf(source)).toEqual(['a', 'empty', 'folder/b']);
    expect(await source.find(keyOf('folder'), neverAborted())).toBeNull();
  });

  it('is marked when it is archived, and not read', async () => {
    const container = await freshContainer(azurite);
    await container.putAll(
      new Map([
        ['cold', 'x'],
        ['cool', 'x'],
        ['hot', 'x'],
      ]),
    );
    await container.client.getBlobClient('cold').setAccessTier('Archive');
    await container.client.getBlobClient('cool').setAccessTier('Cool');
    const source = sourceOf(container);
    const objects = await objectsOf(source);
    expect(objects.map(({ key, unreadable }) => [key, unreadable])).toEqual([
      ['cold', 'archived'],
      ['cool', undefined],
      ['hot', undefined],
    ]);
    await expect(bytesOf(source, objects[0]!)).rejects.toMatchObject({
      message: 'cold is archived.',
      hint: expect.any(String),
      retry: false,
    });
    expect(String(await bytesOf(source, objects[1]!))).toBe('x');
  });

  it('is read as it is stored, whatever encoding it claims', async () => {
    const container = await freshContainer(azurite);
    const packed = gzipSync('packed '.repeat(1000));
    const blobHTTPHeaders = { blobContentEncoding: 'gzip' };
    await container.client.getBlockBlobClient('packed').upload(packed, packed.length, { blobHTTPHeaders });
    const source = sourceOf(container);
    const [object] = await objectsOf(source);
    expect((await bytesOf(source, object!)).equals(packed)).toBe(true);
    expect((await bytesOf(source, object!, { from: 2, to: 7 })).equals(packed.subarray(2, 7))).toBe(true);
  });

  it('is refused when it is written while it is read', async () => {
    const container = await freshContainer(azurite);
    const size = 8 << 20;
    await container.put('big', Buffer.alloc(size, 'one '));
    const source = sourceOf(container);
    const [object] = await objectsOf(source);
    expect(await bytesOf(source, object!, { from: 0, to: size / 2 })).toHaveLength(size / 2);
    await container.put('big', Buffer.alloc(size, 'two '));
    const rest = bytesOf(source, object!, { from: size / 2, to: size });
    await expect(rest).rejects.toMatchObject({ kind: 'changed' });
    await expectReadError(source, object!, 'changed');
  });

  it('keeps to the scope', async () => {
    const container = await freshContainer(azurite);
    await container.putAll(
      new Map([
        ['a.csv', 'x'],
        ['a.log', 'x'],
        ['logs/b.csv', 'x'.repeat(99)],
      ]),
    );
    const scoped = (scope: ScopeOptions) => sourceOf(container, { scope });
    expect(await keysOf(scoped({ include: ['*.csv'] }))).toEqual(['a.csv', 'logs/b.csv']);
    expect(await keysOf(scoped({ exclude: ['logs'] }))).toEqual(['a.csv', 'a.log']);
    const [, , large] = await objectsOf(scoped({ maxSize: 10 }));
    expect(large?.unreadable).toBe('larger than the size limit');
  });
});

interface More {
  readonly scope?: ScopeOptions;
  readonly settings?: SourceSettings;
  readonly prefix?: string;
}

function sourceOf(
  container: Container,
  { scope = {}, settings = container.settings, prefix = '' }: More = {},
) {
  return createAzureSource(`${container.target}/${prefix}`, scope, { settings });
}
