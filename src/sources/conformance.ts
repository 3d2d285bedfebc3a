import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Key, keyFromBytes, keyOf } from '../base/key.ts';
import { FULL_RANGE, type Range } from '../base/range.ts';
import { byteRangesOf, conformanceObjects, neighborKeys, partition } from './conformance-objects.ts';
import type { Source } from './source.ts';
import {
  bytesOf,
  compareBytes,
  expectReadError,
  keysOf,
  largestOf,
  neverAborted,
  objectsOf,
  spread,
} from './source-test-helpers.ts';

/**
 * The conformance suite for all sources. A source's test calls `sourceConformance` with a function that creates a source from the given
 * objects; a source that cannot hold some of them omits them and reports what it holds.
 */
export interface SourceFixture {
  readonly source: Source;
  readonly objects: ReadonlyMap<Key, Uint8Array>;
  /** Replaces the object's content by other bytes of the same length. */
  change?(key: Key): void | Promise<void>;
  remove?(key: Key): void | Promise<void>;
  close?(): void | Promise<void>;
}

export type MakeSourceFixture = (
  expected: ReadonlyMap<Key, Uint8Array>,
) => SourceFixture | Promise<SourceFixture>;

export function sourceConformance(name: string, makeWorld: MakeSourceFixture): void {
  describe(`${name} conforms to the source interface`, () => {
    let world: SourceFixture;
    let sorted: Key[];
    let bounds: Key[];
    beforeAll(async () => {
      world = await makeWorld(conformanceObjects());
      // Not `<`: the order must be that of the bytes, however keys are represented.
      sorted = [...world.objects.keys()].sort(compareBytes);
      bounds = neighborKeys(sorted);
    });
    afterAll(() => world.close?.());
    const between = ({ after, upTo }: Range) =>
      sorted.filter((k) => compareBytes(k, after) > 0 && (upTo === null || compareBytes(k, upTo) <= 0));

    describe('listing', () => {
      it('yields each key once, in byte order', async () => {
        expect(sorted.length).toBeGreaterThan(20);
        expect(await keysOf(world.source, FULL_RANGE)).toEqual(sorted);
      });

      it('yields the sizes of the objects and no empty batch', async () => {
        for await (const batch of world.source.list(FULL_RANGE, neverAborted())) {
          expect(batch.length).toBeGreaterThan(0);
        }
        for (const object of await objectsOf(world.source)) {
          expect(object.size).toBe(world.objects.get(object.key)?.length);
        }
      });

      it('yields the same identities if nothing has changed', async () => {
        const identities = async () => (await objectsOf(world.source)).map((object) => object.identity);
        expect(await identities()).toEqual(await identities());
      });

      it('yields exactly (after, upTo] for any two bounds', async () => {
        const some = spread(bounds, 30);
        for (const after of some) {
          for (const upTo of [...some, null]) {
            const range = { after, upTo };
            expect(await keysOf(world.source, range), JSON.stringify(range)).toEqual(between(range));
          }
        }
      });

      it('lists every object exactly once, however the keys are partitioned', async () => {
        const bound = fc.oneof(fc.constantFrom(...bounds), fc.uint8Array({ maxLength: 6 }).map(keyFromBytes));
        const property = fc.asyncProperty(fc.array(bound, { maxLength: 8 }), async (cuts) => {
          const listed: Key[] = [];
          for (const range of partition(cuts)) listed.push(...(await keysOf(world.source, range)));
          expect(listed).toEqual(sorted);
        });
        await fc.assert(property, { numRuns: 40 });
      });

      it('stops when aborted', async () => {
        const reason = new Error('enough');
        await expect(keysOf(world.source, FULL_RANGE, AbortSignal.abort(reason))).rejects.toBe(reason);
        const abort = new AbortController();
        const batches = world.source.list(FULL_RANGE, abort.signal)[Symbol.asyncIterator]();
        const first = await batches.next();
        abort.abort(reason);
        if (first.value.length < sorted.length) await expect(batches.next()).rejects.toBe(reason);
        else expect((await batches.next().catch(() => ({ done: true }))).done).toBe(true);
      });
    });

    describe('finding', () => {
      it('returns the object of a key as the listing does', async () => {
        for (const object of await objectsOf(world.source)) {
          expect(await world.source.find(object.key, neverAborted())).toEqual(object);
        }
      });

      it('returns null if there is no such object, also next to others and inside their names', async () => {
        for (const name of ['no/such/object', 'a/', 'a/b', 'a/b/', 'larg', 'large/x', 'empty ']) {
          const key = keyOf(name);
          if (!world.objects.has(key)) expect(await world.source.find(key, neverAborted()), name).toBeNull();
        }
      });
    });

    describe('paging', () => {
      it('returns the first keys of any range, their bytes, and whether there are more', async ({ skip }) => {
        if (world.source.page === undefined) return skip('it is not a store');
        for (const after of spread(bounds, 12)) {
          for (const upTo of [...spread(bounds, 6), null]) {
            for (const most of [1, 3, 1000]) {
              const all = between({ after, upTo });
              const { keys, bytes, more } = await world.source.page({ after, upTo }, most, neverAborted());
              expect(keys).toEqual(all.slice(0, most));
              expect(more).toBe(all.length > most);
              expect(bytes).toBe(keys.reduce((sum, key) => sum + world.objects.get(key)!.length, 0));
            }
          }
        }
      });
    });

    describe('reading', () => {
      it('returns the whole of every object, including empty ones', async () => {
        for (const object of await objectsOf(world.source)) {
          const bytes = await bytesOf(world.source, object, null);
          expect(bytes.equals(world.objects.get(object.key)!), object.key).toBe(true);
        }
      });

      it('returns any byte range, from the first byte inclusive to the last exclusive, truncated at the end', async ({
        skip,
      }) => {
        if (!world.source.capabilities.rangeRead) return skip('it reads whole objects only');
        for (const object of spread(await objectsOf(world.source), 12)) {
          const whole = Buffer.from(world.objects.get(object.key)!);
          for (const bytes of byteRangesOf(object.size)) {
            const got = await bytesOf(world.source, object, bytes);
            expect(got.equals(whole.subarray(bytes.from, bytes.to)), JSON.stringify(bytes)).toBe(true);
          }
        }
      });

      it('can read two objects concurrently', async () => {
        const two = (await objectsOf(world.source)).sort((a, b) => b.size - a.size).slice(0, 2);
        const got = await Promise.all(two.map((object) => bytesOf(world.source, object, null)));
        for (const [i, object] of two.entries()) {
          expect(got[i]!.equals(world.objects.get(object.key)!)).toBe(true);
        }
      });

      it('reads a whole object at once if it fits', async ({ skip }) => {
        if (world.source.readWhole === undefined) return skip('it is not local');
        for (const object of await objectsOf(world.source)) {
          for (const room of [0, 1, 1000]) {
            const into = new Uint8Array(object.size + room);
            expect(world.source.readWhole(object, into)).toBe(object.size);
            const got = into.subarray(0, object.size);
            expect(Buffer.compare(got, world.objects.get(object.key)!)).toBe(0);
          }
          if (object.size > 0) {
            expect(world.source.readWhole(object, new Uint8Array(object.size - 1))).toBe(-1);
          }
        }
      });

      it('rejects an object that is not the listed one', async () => {
        const object = { ...(await largestOf(world.source)), identity: 'another' };
        await expectReadError(world.source, object, 'changed');
      });

      it('reports that an object does not exist', async () => {
        const object = { ...(await largestOf(world.source)), key: keyOf('no/such/object') };
        await expectReadError(world.source, object, 'not-found');
      });

      it('stops when aborted', async () => {
        const object = await largestOf(world.source);
        const reason = new Error('enough');
        await expect(bytesOf(world.source, object, null, AbortSignal.abort(reason))).rejects.toBe(reason);
        const abort = new AbortController();
        const chunks = world.source.read(object, null, abort.signal)[Symbol.asyncIterator]();
        const first = await chunks.next();
        abort.abort(reason);
        if (first.value.length < object.size) await expect(chunks.next()).rejects.toBe(reason);
      });
    });

    describe('splitting', () => {
      it('splits strictly inside the range, with objects on both sides', async () => {
        for (const after of spread(bounds, 10)) {
          for (const upTo of [...spread(bounds, 10), null]) {
            const cut = await world.source.midpoint?.({ after, upTo }, neverAborted());
            if (cut === null || cut === undefined) continue;
            expect(compareBytes(cut, after)).toBeGreaterThan(0);
            if (upTo !== null) expect(compareBytes(cut, upTo)).toBeLessThan(0);
            expect(between({ after, upTo: cut })).not.toEqual([]);
            expect(between({ after: cut, upTo })).not.toEqual([]);
          }
        }
      });

      it('returns null if there are fewer than two objects', async ({ skip }) => {
        if (world.source.midpoint === undefined) return skip('it does not split');
        const middle = sorted.length >> 1;
        const one = { after: sorted[middle - 1]!, upTo: sorted[middle]! };
        expect(await world.source.midpoint(one, neverAborted())).toBeNull();
        const none = { after: sorted.at(-1)!, upTo: null };
        expect(await world.source.midpoint(none, neverAborted())).toBeNull();
      });

      it('terminates when the parts are split recursively, and loses nothing', async ({ skip }) => {
        if (!world.source.midpoint) return skip('it does not split');
        const pieces = await splitAll(world.source, FULL_RANGE, sorted.length);
        const listed = await Promise.all(pieces.map((range) => keysOf(world.source, range)));
        expect(listed.flat()).toEqual(sorted);
        expect(pieces.length).toBeGreaterThan(1);
      });
    });
  });

  describe(`${name}, under concurrent changes`, () => {
    it('rejects an object that was written since it was listed', async ({ skip }) => {
      await using world = await disposable(makeWorld);
      if (world.change === undefined) return skip('it cannot change');
      const object = await largestOf(world.source);
      await world.change(object.key);
      await expectReadError(world.source, object, 'changed');
      const again = (await objectsOf(world.source)).find(({ key }) => key === object.key)!;
      expect(again.identity).not.toBe(object.identity);
      expect((await bytesOf(world.source, again, null)).length).toBe(object.size);
    });

    it('reports an object that was deleted, and no longer lists it', async ({ skip }) => {
      await using world = await disposable(makeWorld);
      if (world.remove === undefined) return skip('nothing can be removed from it');
      const object = await largestOf(world.source);
      await world.remove(object.key);
      await expectReadError(world.source, object, 'not-found');
      expect(await keysOf(world.source, FULL_RANGE)).not.toContain(object.key);
    });
  });
}

async function splitAll(source: Source, range: Range, max: number): Promise<Range[]> {
  const done: Range[] = [];
  for (const open = [range]; open.length > 0; ) {
    const next = open.pop()!;
    const cut = (await source.midpoint?.(next, neverAborted())) ?? null;
    if (cut === null) done.push(next);
    else open.push({ after: cut, upTo: next.upTo }, { after: next.after, upTo: cut });
    if (done.length + open.length > max) throw new Error('more pieces than objects');
  }
  return done;
}

async function disposable(makeWorld: MakeSourceFixture): Promise<SourceFixture & AsyncDisposable> {
  const world = await makeWorld(conformanceObjects());
  return { ...world, [Symbol.asyncDispose]: async () => world.close?.() };
}
