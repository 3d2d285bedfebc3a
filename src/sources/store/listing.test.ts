import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIRST_KEY, type Key, keyFromBytes, keyOf } from '../../base/key.ts';
import { contains, FULL_RANGE, type Range } from '../../base/range.ts';
import type { ScopeOptions } from '../scope-options.ts';
import { compareBytes, keysOf, neverAborted } from '../source-test-helpers.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.fixture.ts';
import { createStoreSource } from './store-source.ts';

const letters = [...'abcdefghij'];

function storeOf(names: readonly string[], more: { prefix?: string; pageSize?: number } = {}): MemoryStore {
  const store = createMemoryStore(more);
  for (const name of names) store.put(name, name);
  return store;
}

const keysIn = (store: MemoryStore, range: Range = FULL_RANGE, scope: ScopeOptions = {}) =>
  keysOf(createStoreSource(store, scope, {}), range);

describe('listing a store', () => {
  it('follows the pages', async () => {
    const store = storeOf(letters);
    expect(await keysIn(store)).toEqual(letters);
    expect(store.pages.map(({ after }) => after)).toEqual(['', 'c', 'f', 'i']);
  });

  it('yields exactly the range, for any names and bounds', async () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
      fc.string({
        unit: fc.constantFrom('a', '/', '\0', 'é', '\uffff', '😀', '\u{10ffff}'),
        minLength: 1,
        maxLength: 3,
      }),
    );
    const bound = fc.oneof(fc.uint8Array({ maxLength: 5 }).map(keyFromBytes), name.map(keyOf));
    const world = fc.record({
      names: fc.uniqueArray(name, { maxLength: 30 }),
      after: bound,
      upTo: fc.option(bound),
      pageSize: fc.integer({ min: 1, max: 5 }),
      prefix: fc.oneof(fc.constant(''), name),
    });
    const property = fc.asyncProperty(world, async ({ names, after, upTo, pageSize, prefix }) => {
      const keys = names
        .filter((n) => n.startsWith(prefix))
        .map(keyOf)
        .sort(compareBytes);
      const expected = keys.filter((key) => contains({ after, upTo }, key));
      const store = storeOf(names, { pageSize, prefix });
      expect(await keysIn(store, { after, upTo })).toEqual(expected);
      const first = await createStoreSource(store, {}, {}).page!({ after, upTo }, 3, neverAborted());
      expect(first.keys).toEqual(expected.slice(0, first.keys.length));
      expect(first.keys.length > 0 || expected.length === 0).toBe(true);
      if (!first.more) expect(first.keys).toEqual(expected);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('prefetches one page, never two', async () => {
    const store = storeOf(letters);
    const pages = createStoreSource(store, {}, {}).list(FULL_RANGE, neverAborted())[Symbol.asyncIterator]();
    await pages.next();
    await new Promise(setImmediate);
    expect(store.pages).toHaveLength(2);
    await pages.next();
    await new Promise(setImmediate);
    expect(store.pages).toHaveLength(3);
  });

  it('sends no request beyond the end of the range, nor for an empty range', async () => {
    const store = storeOf(letters);
    await keysIn(store, { after: keyOf('a'), upTo: keyOf('d') });
    expect(store.pages).toHaveLength(1);
    const within = storeOf(letters, { prefix: 'd' });
    expect(await keysIn(within, { after: keyOf('e'), upTo: null })).toEqual([]);
    expect(await keysIn(within, { after: FIRST_KEY, upTo: keyOf('c') })).toEqual([]);
    expect(within.pages).toEqual([]);
    expect(await keysIn(within)).toEqual(['d']);
  });

  it('aborts the prefetch when the consumer stops', async () => {
    const store = storeOf(letters);
    store.troubles.push(null, 'silence');
    for await (const page of createStoreSource(store, {}, {}).list(FULL_RANGE, neverAborted())) {
      expect(page).toHaveLength(3);
      break;
    }
    expect(store.pages).toHaveLength(2);
    expect(store.aborted).toBe(1);
  });

  it('continues after empty pages', async () => {
    const store = storeOf(letters);
    store.troubles.push('empty page', 'empty page', null, 'empty page');
    expect(await keysIn(store)).toEqual(letters);
    expect(store.pages.map(({ continued }) => continued)).toEqual([
      undefined,
      'on 1',
      'on 2',
      undefined,
      'on 4',
      undefined,
      undefined,
    ]);
    store.troubles.push('empty page');
    expect(await createStoreSource(store, {}, {}).page!(FULL_RANGE, 2, neverAborted())).toEqual({
      keys: ['a', 'b'],
      bytes: 2,
      more: true,
    });
    store.troubles.push('empty page');
    expect(await createStoreSource(store, {}, {}).find(keyOf('c'), neverAborted())).toMatchObject({
      key: 'c',
    });
  });

  it('rejects a store that repeats tokens with empty pages', async () => {
    for (const tokens of [['x'], ['x', 'y', 'z']]) {
      const store = storeOf(letters);
      let requestCount = 0;
      store.page = async () => ({ objects: [], next: tokens[requestCount++ % tokens.length]! });
      await expect(keysIn(store)).rejects.toMatchObject({ kind: 'corrupt', retry: false });
      await expect(createStoreSource(store, {}, {}).find(keyOf('c'), neverAborted())).rejects.toThrow(
        'more listing pages',
      );
      expect(requestCount).toBeLessThanOrEqual(2 * (tokens.length + 1));
    }
  });

  it('rejects a store with endless empty pages', async () => {
    const store = storeOf(letters);
    let requestCount = 0;
    store.page = async () => ({ objects: [], next: String(requestCount++) });
    await expect(keysIn(store)).rejects.toMatchObject({ kind: 'corrupt' });
    expect(requestCount).toBe(10_001);
  });

  it('rejects a page that repeats names that are not valid UTF-8, which only a token can continue', async () => {
    const store = storeOf(letters);
    const object = { key: 'a\xff' as Key, size: 1, modified: null, identity: 'x' };
    store.page = async () => ({ objects: [object], next: 'same' });
    await expect(keysIn(store)).rejects.toMatchObject({ kind: 'corrupt' });
  });

  it('rejects a store with another order, which would lose objects', async () => {
    const store = storeOf(letters);
    const page = store.page.bind(store);
    const reversed: MemoryStore = {
      ...store,
      page: async (request, signal) => {
        const { objects, next } = await page(request, signal);
        return { objects: objects.toReversed(), next };
      },
    };
    await expect(keysIn(reversed)).rejects.toMatchObject({ kind: 'corrupt', retry: false });
  });

  it('rejects a store that lists a key twice', async () => {
    const store = storeOf(letters);
    const twice: MemoryStore = {
      ...store,
      page: async (request, signal) => {
        const { objects, next } = await store.page(request, signal);
        return { objects: objects.flatMap((object) => [object, object]), next };
      },
    };
    await expect(keysIn(twice)).rejects.toMatchObject({ kind: 'corrupt' });
  });

  it('rejects a store that repeats a page', async () => {
    const store = storeOf(letters);
    const stuck: MemoryStore = {
      ...store,
      page: (request, signal) => store.page({ ...request, after: '' }, signal),
    };
    await expect(keysIn(stuck)).rejects.toMatchObject({ kind: 'corrupt' });
  });
});

describe('the scope of a listing', () => {
  const names = [
    '.env',
    'a.csv',
    'a.log',
    'a.log/x',
    'docs/',
    'docs/b.csv',
    'docs/deep/c.log',
    'docs/é.csv',
    'logs//x',
    'x/docs/d',
  ];
  const sorted = names.map(keyOf).sort(compareBytes);

  it.each<[string, ScopeOptions, string[]]>([
    ['everything', {}, names],
    ['a name at any depth', { include: ['*.csv'] }, ['a.csv', 'docs/b.csv', 'docs/é.csv']],
    [
      'a folder stands for all in it',
      { include: ['docs'] },
      ['docs/', 'docs/b.csv', 'docs/deep/c.log', 'docs/é.csv', 'x/docs/d'],
    ],
    [
      'a slash in front ties to the bucket',
      { include: ['/docs/*'] },
      ['docs/b.csv', 'docs/deep/c.log', 'docs/é.csv'],
    ],
    ['a slash at the end means folders only', { include: ['a.log/'] }, ['a.log/x']],
    [
      'a name may be a folder and an object',
      { exclude: ['a.log'] },
      names.filter((name) => !name.startsWith('a.log')),
    ],
    [
      'an excluded folder is left out',
      { exclude: ['docs', 'logs/**'] },
      ['.env', 'a.csv', 'a.log', 'a.log/x'],
    ],
    ['exclude wins', { include: ['*.csv'], exclude: ['docs/b*'] }, ['a.csv', 'docs/é.csv']],
    [
      'what is excluded inside what is included',
      { include: ['docs'], exclude: ['deep'] },
      ['docs/', 'docs/b.csv', 'docs/é.csv', 'x/docs/d'],
    ],
  ])('%s', async (_what, scope, expected) => {
    const expectedValue = sorted.filter((key) => expected.map(keyOf).includes(key));
    for (const pageSize of [1, 2, 1000]) {
      expect(await keysIn(storeOf(names, { pageSize }), FULL_RANGE, scope)).toEqual(expectedValue);
      const halves = await Promise.all(
        sorted.map(async (cut: Key) => [
          ...(await keysIn(storeOf(names, { pageSize }), { after: FIRST_KEY, upTo: cut }, scope)),
          ...(await keysIn(storeOf(names, { pageSize }), { after: cut, upTo: null }, scope)),
        ]),
      );
      for (const both of halves) expect(both).toEqual(expectedValue);
    }
  });

  it('skips excluded folders', async () => {
    const many = Array.from({ length: 300 }, (_, i) => `b/${String(i).padStart(3, '0')}`);
    const store = storeOf(['a', ...many, 'b/\u{10ffff}', 'c'], { pageSize: 10 });
    expect(await keysIn(store, FULL_RANGE, { exclude: ['b'] })).toEqual(['a', 'c']);
    expect(store.pages).toHaveLength(2);
    expect(await keysIn(store, FULL_RANGE, { include: ['c'] })).toEqual(['c']);
  });

  it('excludes what is older than the limit, and keeps what has no date', async () => {
    const store = createMemoryStore();
    for (const [name, modified] of [
      ['a', 99],
      ['b', 100],
      ['c', null],
    ] as const)
      store.put(name, '', { modified });
    expect(await keysIn(store, FULL_RANGE, { modifiedSince: 100 })).toEqual(['b', 'c']);
  });
});
