import { describe, expect, it } from 'vitest';
import type { Key } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { sourceConformance } from '../conformance.ts';
import { bytesOf, compareBytes, keysOf, neverAborted, objectsOf } from '../source-test-helpers.ts';
import { makeBucket, SHAPES } from './shapes.ts';
import { createSimSource } from './sim.ts';

for (const shape of ['heavy', 'unicode'] as const) {
  sourceConformance(`sim (${shape})`, async () => {
    const source = createSimSource({ objects: 300, shape, perThousand: 200 });
    const objects = new Map<Key, Uint8Array>();
    for (const object of await objectsOf(source)) objects.set(object.key, await bytesOf(source, object));
    return { source, objects };
  });
}

describe('a simulated bucket', () => {
  it.each(SHAPES)('of a billion %s keys is in byte order everywhere', (shape) => {
    const bucket = makeBucket(shape, 1_000_000_000, 7);
    expect(bucket.count).toBe(1_000_000_000);
    for (const start of [0, 49_999_990, 499_999_990, 949_999_990, bucket.count - 20]) {
      for (let i = start; i < start + 19; i++) {
        const [key, next] = [bucket.keyAt(i), bucket.keyAt(i + 1)];
        expect(compareBytes(key, next), `${key} ${next}`).toBeLessThan(0);
      }
    }
  });

  it.each(SHAPES)(
    'of %s keys counts the keys up to a key correctly, and just before and after it',
    (shape) => {
      const bucket = makeBucket(shape, 100_000, 3);
      for (let i = 0; i < bucket.count; i += 997) {
        const key = bucket.keyAt(i);
        expect(bucket.countUpTo(key)).toBe(i + 1);
        expect(bucket.countUpTo(`${key}\0` as Key)).toBe(i + 1);
        expect(bucket.countUpTo(key.slice(0, -1) as Key)).toBeLessThanOrEqual(i);
      }
    },
  );

  it('of a billion keys can be listed from the middle without listing what comes before', async () => {
    const source = createSimSource({ objects: 1_000_000_000, shape: 'tenants' });
    const after = source.objectAt(777_777_777).key;
    for await (const batch of source.list({ ...FULL_RANGE, after }, neverAborted())) {
      expect(batch[0]).toEqual(source.objectAt(777_777_778));
      break;
    }
  });

  it('stops a long listing when aborted', async () => {
    const abort = new AbortController();
    const source = createSimSource({ objects: 5000 });
    const batches = source.list(FULL_RANGE, abort.signal)[Symbol.asyncIterator]();
    await batches.next();
    abort.abort(new Error('enough'));
    await expect(batches.next()).rejects.toThrow('enough');
  });

  it('is the same for the same seed and different for another', async () => {
    const bucket = async (seed: number) => {
      const source = createSimSource({ objects: 50, shape: 'hex', seed });
      const texts = (await objectsOf(source)).map(async (object) => String(await bytesOf(source, object)));
      return [await keysOf(source), await Promise.all(texts)];
    };
    expect(await bucket(1)).toEqual(await bucket(1));
    expect(await bucket(1)).not.toEqual(await bucket(2));
  });

  it('contains the planted values exactly where it reports them', async () => {
    const value = 'PLANTED-VALUE';
    const source = createSimSource({ objects: 2000, size: 300, values: [value], perThousand: 50 });
    let planted = 0;
    for (const [index, object] of (await objectsOf(source)).entries()) {
      const text = String(await bytesOf(source, object));
      const expected = source.plantedIn(index);
      expect(text.indexOf(value)).toBe(expected?.at ?? -1);
      expect(text.lastIndexOf(value)).toBe(expected?.at ?? -1);
      planted += expected === null ? 0 : 1;
    }
    expect(planted).toBeGreaterThan(60);
    expect(planted).toBeLessThan(140);
  });
});
