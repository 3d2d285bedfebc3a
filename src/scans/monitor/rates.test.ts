import { describe, expect, it } from 'vitest';
import { Rates } from './rates.ts';
import { sampleSnapshot, sampleWorker, sampleWorkers } from './snapshot.fixture.ts';
import type { Snapshot } from './snapshot.ts';

const base = sampleSnapshot();

/** A snapshot this many seconds after the first, with this many objects done. */
function later(seconds: number, objects: number, change: Partial<Snapshot> = {}): Snapshot {
  return sampleSnapshot({
    at: new Date(Date.parse(base.at) + seconds * 1000).toISOString(),
    done: { ...base.done, objects, bytes: objects * 1000 },
    ...change,
  });
}

describe('the speed of a scan', () => {
  it('is the average in the first snapshot, which has nothing to compare with', () => {
    const first = later(0, 1000);
    expect(new Rates().add(first)).toEqual(first);
  });

  it('is measured over the last ten seconds', () => {
    const rates = new Rates();
    for (let second = 0; second <= 20; second++) rates.add(later(second, second * 100));
    const { rate } = rates.add(later(21, 2000 + 600));
    expect(rate.overSeconds).toBe(10);
    expect(rate.objectsPerSecond).toBeCloseTo((2600 - 1100) / 10);
    expect(rate.bytesPerSecond).toBeCloseTo(150_000);
  });

  it('falls to nothing when nothing gets done', () => {
    const rates = new Rates();
    rates.add(later(0, 500));
    expect(rates.add(later(10, 500)).rate.objectsPerSecond).toBe(0);
  });

  it('does not jump with snapshots that follow each other at once', () => {
    const rates = new Rates();
    rates.add(later(0, 0));
    rates.add(later(10, 1000));
    expect(rates.add(later(10.01, 1500)).rate.objectsPerSecond).toBeCloseTo(1500 / 10.01, 0);
  });

  it('is the average again when the scan has ended', () => {
    const rates = new Rates();
    rates.add(later(0, 0));
    const ended = later(10, 1000, { scan: { ...base.scan, status: 'completed' } });
    expect(rates.add(ended)).toEqual(ended);
  });
});

describe('the speed of a worker', () => {
  const withWorker = (seconds: number, change: Parameters<typeof sampleWorker>[1]) =>
    later(seconds, 0, { workers: sampleWorkers([sampleWorker(1, change)]) });

  it('and its share of waiting time come from the difference, divided by its concurrency', () => {
    const rates = new Rates();
    rates.add(withWorker(0, { objects: 100, waitedSeconds: 50, hands: 2 }));
    const { list } = rates.add(withWorker(10, { objects: 400, waitedSeconds: 65, hands: 2 })).workers;
    expect(list[0]).toMatchObject({ objectsPerSecond: 30, waiting: 0.75 });
  });

  it('that was not there before is its average', () => {
    const rates = new Rates();
    rates.add(later(0, 0, { workers: sampleWorkers([]) }));
    const { list } = rates.add(withWorker(10, { objectsPerSecond: 7 })).workers;
    expect(list[0]!.objectsPerSecond).toBe(7);
  });
});

describe('the time left', () => {
  const exactly = (bytes: number) => ({
    from: 'plan' as const,
    objects: { low: 1, likely: 1, high: 1 },
    bytes: { low: bytes, likely: bytes, high: bytes },
  });

  it('is bounded by the fastest and the slowest interval of the last minute', () => {
    const rates = new Rates();
    const estimate = exactly(2_000_000);
    let objects = 0;
    let last = rates.add(later(0, 0, { estimate }));
    // Fast for half of the time, then half as fast.
    for (let second = 1; second <= 50; second++) {
      objects += second <= 25 ? 20 : 10;
      last = rates.add(later(second, objects, { estimate }));
    }
    const left = 2_000_000 - objects * 1000;
    expect(last.eta!.shortest).toBeCloseTo(left / 20_000, 0);
    expect(last.eta!.longest).toBeCloseTo(left / 10_000, 0);
  });

  it('is unbounded when an interval had no progress', () => {
    const rates = new Rates();
    const estimate = exactly(1e9);
    let last = rates.add(later(0, 0, { estimate }));
    for (let second = 1; second <= 30; second++)
      last = rates.add(later(second, Math.min(second, 15) * 10, { estimate }));
    expect(last.eta).toMatchObject({ longest: null });
  });

  it('is unknown where the total is unknown', () => {
    const rates = new Rates();
    rates.add(later(0, 0, { estimate: null, eta: null }));
    expect(rates.add(later(30, 1000, { estimate: null, eta: null })).eta).toBeNull();
  });
});
