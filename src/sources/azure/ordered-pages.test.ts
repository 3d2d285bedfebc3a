import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import { FLAT, HIERARCHICAL, type NameOrder } from './name-order.ts';
import { type ListBlobs, OrderedPages } from './ordered-pages.ts';

/** The order of the service, and what the client knows of it. */
const orders: [string, NameOrder, NameOrder | null][] = [
  ['a flat namespace', FLAT, FLAT],
  ['a hierarchical namespace', HIERARCHICAL, HIERARCHICAL],
  ['a flat namespace that is not known to be one', FLAT, null],
  ['a hierarchical namespace that is not known to be one', HIERARCHICAL, null],
];

/** Every class of characters, and the characters adjacent to each border. */
const characters = [
  ...['/', '.', '-', ' ', '0', 'a', 'b', 'z', '\t', 'é', '\ud7ff', '\ue000', '\uff21', '\uffff'],
  ...['\u{10000}', '😀', '\u{1f3ff}', '\u{1f400}', '\u{10ffff}'],
];
const name = fc
  .array(fc.constantFrom(...characters), { minLength: 1, maxLength: 6 })
  .map((chars) => chars.join(''));
const names = fc.uniqueArray(name, { maxLength: 60 });

describe.each(orders)('pages in byte order from %s', (_, order, known) => {
  it('contain every name once, for any names, page sizes and start', async () => {
    const property = fc.asyncProperty(
      names,
      fc.option(name, { nil: '' }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 30 }),
      async (all, after, limit, most) => {
        const service = fakeService(order, all, limit);
        expect(await listed(known, service.ask, { after, most })).toEqual(sorted(all, after));
      },
    );
    await fc.assert(property, { numRuns: 3000 });
  }, 60_000);

  it('respect the prefix', async () => {
    const property = fc.asyncProperty(
      names,
      name,
      fc.integer({ min: 1, max: 5 }),
      async (all, prefix, limit) => {
        const service = fakeService(order, all, limit);
        const expected = sorted(all, '').filter((key) => key.startsWith(keyOf(prefix)));
        expect(await listed(known, service.ask, { prefix, most: 9 })).toEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: 500 });
  }, 60_000);

  it('are full, except for the last one', async () => {
    const property = fc.asyncProperty(
      names,
      name,
      fc.integer({ min: 1, max: 9 }),
      async (all, after, most) => {
        const page = await onePage(new OrderedPages(known), fakeService(order, all, 3).ask, {
          prefix: '',
          after,
          most,
        });
        const expected = sorted(all, after);
        expect(page.objects.map(({ key }) => key)).toEqual(expected.slice(0, most));
        if (expected.length > most) expect(page.next).not.toBeNull();
      },
    );
    await fc.assert(property, { numRuns: 500 });
  }, 60_000);

  it('continue after an empty response of the service', async () => {
    const service = fakeService(order, ['a', 'b', 'c'], 2, { hollow: true });
    expect(await listed(known, service.ask, { most: 9 })).toEqual(['a', 'b', 'c']);
    expect(service.requests()).toBeGreaterThan(3);
  });

  it('omit folder markers', async () => {
    const all = ['a', 'a/b', 'a/c', 'd', 'd/e'];
    const service = fakeService(order, all, 2, { folders: ['a', 'd'] });
    expect(await listed(known, service.ask, { most: 9 })).toEqual(['a/b', 'a/c', 'd/e']);
  });
});

describe('the number of requests', () => {
  it('is one per page for ordinary names', async () => {
    const all = Array.from({ length: 20_000 }, (_, i) => `logs/2026-11/${i}.txt`);
    const service = fakeService(FLAT, all, 5000);
    expect(await listed(FLAT, service.ask, { most: 4999 })).toHaveLength(20_000);
    expect(service.requests()).toBe(5);
  });

  it('is two more if the kind of namespace is unknown', async () => {
    const all = Array.from({ length: 20_000 }, (_, i) => `logs/2026-11/${i}.txt`);
    const service = fakeService(FLAT, all, 5000);
    expect(await listed(null, service.ask, { most: 4999 })).toHaveLength(20_000);
    expect(service.requests()).toBeLessThanOrEqual(7);
  });

  it('is little more in trees of folders', async () => {
    const all = Array.from({ length: 60_000 }, (_, i) => `data-${i % 3}/day-${i % 200}/part-${i}.csv`);
    const service = fakeService(HIERARCHICAL, all, 5000);
    expect(await listed(HIERARCHICAL, service.ask, { most: 4999 })).toHaveLength(60_000);
    expect(service.requests()).toBeLessThan(40);
  });

  it('is little more with full-width characters', async () => {
    const all = Array.from({ length: 30_000 }, (_, i) => `報告／（${i}）：完了！.pdf`);
    const service = fakeService(FLAT, all, 5000);
    expect(await listed(FLAT, service.ask, { most: 4999 })).toHaveLength(30_000);
    expect(service.requests()).toBeLessThan(15);
  });
});

describe('a service that lists in an unexpected order', () => {
  it('is rejected instead of losing names', async () => {
    const service = fakeService(HIERARCHICAL, ['a/x', 'a-b', 'c'], 10);
    await expect(listed(FLAT, service.ask, { most: 9 })).rejects.toMatchObject({ kind: 'corrupt' });
  });

  it('is rejected too if it ignores the start', async () => {
    const service = fakeService(FLAT, ['a', 'b', 'c'], 10);
    const ask: ListBlobs = (question) => service.ask({ ...question, startFrom: '' });
    await expect(listed(FLAT, ask, { after: 'b', most: 9 })).rejects.toMatchObject({ kind: 'corrupt' });
  });
});

describe('an unknown order', () => {
  const all = ['hr/2023/a', 'hr/2024/b', 'it/x', 'legal'];

  it.each([FLAT, HIERARCHICAL])('loses nothing beyond a bound that is not a name', async (order) => {
    for (const after of ['hr-', 'hr.', 'hr!', 'hr', 'hr/2023-', 'it-1', 'hr\t']) {
      const { ask } = fakeService(order, all, 2);
      expect(await listed(null, ask, { after, most: 9 })).toEqual(sorted(all, after));
    }
  });

  it('is detected by one of several listings for all of them', async () => {
    const { ask } = fakeService(FLAT, all, 2);
    const pages = new OrderedPages(null);
    const request = (after: string) => ({ prefix: '', after, most: 9 });
    const listings = ['', 'hr-', 'hr/2023/a', 'hr.', 'it'].map(async (after) => {
      const page = await onePage(pages, ask, request(after));
      expect(page.objects.map(({ key }) => key)).toEqual(sorted(all, after));
    });
    await Promise.all(listings);
  });

  it('is rejected if it is neither of the two', async () => {
    const ask: ListBlobs = async () => ({
      named: ['b', 'a'].map((name) => ({ name, object: null })),
      marker: null,
    });
    await expect(listed(null, ask, { most: 9 })).rejects.toMatchObject({ kind: 'corrupt' });
  });

  it('is rejected if it changes', async () => {
    const answers = [
      ['a/x', 'a-b'], // hierarchical
      ['b-c', 'b/d'], // flat
    ];
    const ask: ListBlobs = async () => ({
      named: (answers.shift() ?? []).map((name) => ({ name, object: objectOf(name) })),
      marker: answers.length > 0 ? 'more' : null,
    });
    await expect(listed(null, ask, { most: 9 })).rejects.toMatchObject({ kind: 'corrupt' });
  });
});

interface Wanted {
  readonly prefix?: string;
  readonly after?: string;
  readonly most: number;
}

async function listed(
  order: NameOrder | null,
  ask: ListBlobs,
  { prefix = '', after = '', most }: Wanted,
): Promise<Key[]> {
  const pages = new OrderedPages(order);
  const keys: Key[] = [];
  for (let from = after; ; ) {
    const page = await onePage(pages, ask, { prefix, after: from, most });
    expect(page.objects.length).toBeLessThanOrEqual(most);
    keys.push(...page.objects.map(({ key }) => key));
    if (page.next === null) return keys;
    from = Buffer.from(keys.at(-1)!, 'latin1').toString('utf8');
  }
}

async function onePage(
  pages: OrderedPages,
  ask: ListBlobs,
  request: { prefix: string; after: string; most: number },
) {
  let page = await pages.page(request, ask);
  for (let tries = 0; page.objects.length === 0 && page.next !== null; tries++) {
    expect(tries).toBeLessThan(2000);
    page = await pages.page({ ...request, continued: page.next }, ask);
  }
  return page;
}

/** Lists in the given order, at most `limit` names per response. */
function fakeService(
  order: NameOrder,
  all: readonly string[],
  limit: number,
  { hollow = false, folders = [] as string[] } = {},
) {
  const inOrder = all
    .map((name) => ({ name, place: order.sortKeyOf(name) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  let requests = 0;
  const ask: ListBlobs = async ({ prefix, startFrom, marker, most }) => {
    requests++;
    expect(startFrom.isWellFormed()).toBe(true);
    if (hollow && marker === undefined) return { named: [], marker: 'on' };
    const from = order.sortKeyOf(startFrom);
    const rest = inOrder.filter(({ name, place }) => place >= from && name.startsWith(prefix));
    const skip = marker === undefined || marker === 'on' ? 0 : Number(marker);
    const some = rest.slice(skip, skip + Math.min(most, limit));
    const named = some.map(({ name }) => ({ name, object: folders.includes(name) ? null : objectOf(name) }));
    return { named, marker: skip + some.length < rest.length ? String(skip + some.length) : null };
  };
  return { ask, requests: () => requests };
}

function objectOf(text: string) {
  return { key: keyOf(text), size: 0, modified: null, identity: text };
}

function sorted(all: readonly string[], after: string): Key[] {
  return all
    .map(keyOf)
    .filter((key) => key > keyOf(after))
    .sort((a, b) => (a < b ? -1 : 1));
}
