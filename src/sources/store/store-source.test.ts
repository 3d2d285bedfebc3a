import { describe, expect, it } from 'vitest';
import { keyFromBytes, keyOf } from '../../base/key.ts';
import { type MakeSourceFixture, sourceConformance } from '../conformance.ts';
import { neverAborted, objectsOf } from '../source-test-helpers.ts';
import { textOf } from './key-text.ts';
import { createMemoryStore } from './memory-store.fixture.ts';
import { identityOf, tagOf } from './store-client.ts';
import { createStoreSource } from './store-source.ts';

const storeWorld: MakeSourceFixture = (expected) => {
  const store = createMemoryStore({ pageSize: 1000 });
  const texts = [...expected].filter(([key]) => textOf(key) !== null);
  for (const [key, bytes] of texts) store.put(textOf(key)!, bytes);
  return {
    source: createStoreSource(store, {}, {}),
    objects: new Map(texts),
    change: (key) => store.put(textOf(key)!, Buffer.alloc(expected.get(key)!.length, 'other ')),
    remove: (key) => store.remove(textOf(key)!),
  };
};
sourceConformance('any store', storeWorld);

describe('a source of a store', () => {
  it('finds only its own objects, with one request at most', async () => {
    const store = createMemoryStore({ prefix: 'hr' });
    for (const name of ['hr', 'hr/a', 'hrx', 'it/a']) store.put(name, name);
    const source = createStoreSource(store, { exclude: ['*'] }, {});
    expect(await source.find(keyOf('hr/a'), neverAborted())).toMatchObject({ key: 'hr/a', size: 4 });
    expect(store.pages).toHaveLength(1);
    for (const elsewhere of ['it/a', 'h', ''])
      expect(await source.find(keyOf(elsewhere), neverAborted())).toBeNull();
    expect(await source.find(keyFromBytes(Uint8Array.of(0x68, 0x72, 0xff)), neverAborted())).toBeNull();
    expect(store.pages).toHaveLength(1);
  });

  it('marks what is too large in a listing and when it is found', async () => {
    const store = createMemoryStore();
    store.put('archived', 'x'.repeat(100), { unreadable: 'archived' });
    store.put('large', 'x'.repeat(11));
    store.put('small', 'x'.repeat(10));
    const source = createStoreSource(store, { maxSize: 10 }, {});
    const listed = await objectsOf(source);
    expect(listed.map(({ unreadable }) => unreadable)).toEqual([
      'archived',
      'larger than the size limit',
      undefined,
    ]);
    for (const object of listed) expect(await source.find(object.key, neverAborted())).toEqual(object);
  });

  it('rejects invalid patterns before any request', () => {
    expect(() => createStoreSource(createMemoryStore(), { include: [''] }, {})).toThrow(
      expect.objectContaining({ kind: 'usage' }),
    );
  });
});

describe('an identity', () => {
  it('contains the tag, whatever its characters', () => {
    for (const tag of ['abc', 'a.b.c', '', '..', '0x8D.1']) {
      expect(tagOf(identityOf(tag, 123, 456))).toBe(tag);
      expect(tagOf(identityOf(tag, 0, null))).toBe(tag);
    }
    expect(tagOf('another')).toBe('another');
  });

  it('differs for another tag, size or time', () => {
    const all = [identityOf('a', 1, 1), identityOf('b', 1, 1), identityOf('a', 2, 1), identityOf('a', 1, 2)];
    expect(new Set(all).size).toBe(4);
  });
});
