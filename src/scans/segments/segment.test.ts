import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import {
  chunksOf,
  MIN_SEGMENTED_BYTES,
  objectOf,
  positionKey,
  positionOf,
  type SegmentedObject,
  segmentRanges,
} from './segment.ts';

const MiB = 1 << 20;

function parted(size: number, id = 7): SegmentedObject {
  return { id, object: { key: keyOf('huge.csv'), size, modified: null, identity: 'v1' } };
}

const size = fc.oneof(fc.integer({ min: 1, max: 300 * MiB }), fc.integer({ min: 1, max: 2 ** 45 }));

describe('the key of a position', () => {
  it('sorts like the position, whatever the object, and gives both back', () => {
    const number = fc.oneof(fc.nat(), fc.nat({ max: Number.MAX_SAFE_INTEGER }));
    fc.assert(
      fc.property(number, number, number, (a, b, id) => {
        const [left, right] = [positionKey(a, id), positionKey(b, id)];
        expect(left < right).toBe(a < b);
        expect([positionOf(left), objectOf(left)]).toEqual([a, id]);
      }),
    );
  });
});

describe('parts', () => {
  it('tile the object, and are never too many', () => {
    fc.assert(
      fc.property(size, (bytes) => {
        const ranges = segmentRanges(parted(bytes));
        expect(positionOf(ranges[0]!.after)).toBe(0);
        expect(positionOf(ranges.at(-1)!.upTo!)).toBe(bytes);
        for (let n = 1; n < ranges.length; n++) expect(ranges[n]!.after).toBe(ranges[n - 1]!.upTo);
        expect(ranges.length).toBeLessThanOrEqual(256);
      }),
    );
  });

  it('are several for the smallest object that is split', () => {
    expect(segmentRanges(parted(MIN_SEGMENTED_BYTES)).length).toBe(2);
    expect(segmentRanges(parted(2 ** 40)).length).toBe(256);
  });

  it('of an object that is not to be read to its end stop where reading does', () => {
    const { id, object } = parted(2 ** 60);
    const ranges = segmentRanges({ id, object: { ...object, readTo: 3 * 2 ** 30 + 5 } });
    expect(positionOf(ranges[0]!.after)).toBe(0);
    expect(positionOf(ranges.at(-1)!.upTo!)).toBe(3 * 2 ** 30 + 5);
  });
});

describe('steps', () => {
  it('tile the rest of a segment for any cursor, and none is small', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: MIN_SEGMENTED_BYTES, max: 2 ** 33 }),
        fc.nat(),
        fc.nat(),
        (bytes, pick, done) => {
          const object = parted(bytes);
          const ranges = segmentRanges(object);
          const range = ranges[pick % ranges.length]!;
          const all = [...chunksOf(object, range)];
          const rest = [...chunksOf(object, { ...range, after: all[done % all.length]!.key })];
          expect(all.slice(all.length - rest.length)).toEqual(rest);
          const steps = all.map(({ step }) => step);
          expect(steps[0]!.from).toBe(positionOf(range.after));
          expect(steps.at(-1)!.to).toBe(positionOf(range.upTo!));
          for (let n = 1; n < steps.length; n++) expect(steps[n]!.from).toBe(steps[n - 1]!.to);
          for (const { from, to } of steps) expect(to - from).toBeGreaterThanOrEqual(4 * MiB);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are generated lazily, however large the segment', () => {
    const object = parted(2 ** 62);
    const steps = chunksOf(object, {
      after: positionKey(0, object.id),
      upTo: positionKey(2 ** 62, object.id),
    });
    expect(steps.next().value?.step).toEqual({ from: 0, to: 8 * MiB });
    expect(steps.next().value?.step).toEqual({ from: 8 * MiB, to: 16 * MiB });
  });

  it('carry the object they belong to, and the key that the cursor takes behind them', () => {
    const object = parted(100 * MiB);
    const [first] = chunksOf(object, segmentRanges(object)[0]!);
    expect(first).toMatchObject({ object: object.object, step: { from: 0, to: 8 * MiB }, size: 8 * MiB });
    expect(first!.key).toBe(positionKey(8 * MiB, object.id));
  });
});
