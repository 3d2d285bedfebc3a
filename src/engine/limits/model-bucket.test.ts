import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DECREASE_EVERY_MS, HORIZON_MS, type Limit, MAX_PAUSE_MS, minBurst, toLimit } from './limit.ts';
import { firstExcess, ModelBucket } from './model-bucket.ts';

const LIMIT = toLimit({ perSecond: 100, burst: 75 });

/** What many takers do at one bucket; times in milliseconds. */
interface Step {
  readonly after: number;
  readonly wanted: number;
  /** How long the question travels, and the answer. */
  readonly there: number;
  readonly back: number;
  /** When in their time the tokens are used: 0 at the first moment, 1 at the last. */
  readonly late: number;
  /** How long the requests travel to the provider: 0 not at all, 1 as long as the burst pays for. */
  readonly travel: number;
  readonly complaint: number | null;
  /** The server's clock is set back. */
  readonly setBack: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  after: fc.oneof(fc.nat(5), fc.nat(200), fc.nat(5000)),
  wanted: fc.integer({ min: 1, max: 200 }),
  there: fc.nat(80),
  back: fc.nat(80),
  late: fc.constantFrom(0, 0, 0.5, 1, 1),
  travel: fc.constantFrom(0, 0, 0.5, 1),
  complaint: fc.oneof({ arbitrary: fc.constant(null), weight: 12 }, { arbitrary: fc.nat(3000), weight: 1 }),
  setBack: fc.oneof({ arbitrary: fc.constant(0), weight: 12 }, { arbitrary: fc.nat(4_000_000), weight: 1 }),
});

const rate = fc
  .double({ min: 0.1, max: 5000, noNaN: true })
  .chain((perSecond) =>
    fc
      .double({ min: minBurst(perSecond), max: 3 * perSecond + 10, noNaN: true })
      .map((burst) => toLimit({ perSecond, burst })),
  );

/**
 * When the tokens were used and when their requests came to the provider, by real time; a worker knows only when it asked
 * and when it was answered.
 */
function run(limit: Limit, steps: readonly Step[]): { uses: number[]; arrivals: number[] } {
  const bucket = new ModelBucket(limit, 0);
  const [uses, arrivals]: number[][] = [[], []];
  let now = 0;
  let setBack = 0;
  for (const { after, wanted, there, back, late, travel, complaint, setBack: further } of steps) {
    now += after;
    setBack += further;
    if (complaint !== null) bucket.slow(now - setBack, complaint);
    const answer = bucket.take(now - setBack, wanted);
    const from = now + back + answer.inMs;
    const until = now - there + answer.inMs + limit.validMs;
    if (from >= until) continue; // expired on the way
    const at = from + late * (until - from);
    for (let n = 0; n < answer.tokens; n++) uses!.push(at);
    for (let n = 0; n < answer.tokens; n++)
      arrivals!.push(at + (travel * 1000 * limit.burst) / 3 / limit.perSecond);
  }
  const ascending = (times: number[]) => times.sort((a, b) => a - b);
  return { uses: ascending(uses!), arrivals: ascending(arrivals!) };
}

describe('a bucket', () => {
  it('never lets more pass than rate × time + burst, however takers, delays, complaints and set-back clocks mix', () => {
    const property = fc.property(rate, fc.array(step, { maxLength: 60 }), (limit, steps) => {
      const { uses, arrivals } = run(limit, steps);
      expect(firstExcess({ ...limit, burst: (2 / 3) * limit.burst }, uses)).toBeNull();
      expect(firstExcess(limit, arrivals)).toBeNull();
    });
    fc.assert(property, { numRuns: 1000 });
  }, 30_000);

  it('gives the whole rate to those who ask without a pause', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    let given = 0;
    for (let now = 0; now < 10_000; now += 5) given += bucket.take(now, 3).tokens;
    expect(given).toBeGreaterThanOrEqual(10 * 100 - 3);
  });

  it('begins empty', () => {
    expect(new ModelBucket(LIMIT, 0).take(0, 10)).toEqual({ tokens: 10, inMs: 100, perSecond: 100 });
  });

  it('after a long silence gives a batch at once, and at most a third of the burst', () => {
    expect(new ModelBucket(LIMIT, 0).take(60_000, 1000)).toEqual({ tokens: 25, inMs: 0, perSecond: 100 });
  });

  it('goes on when a taker dies with its batch', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    const lost = bucket.take(1000, 25);
    expect(bucket.take(1000, 1).inMs).toBeLessThanOrEqual(lost.inMs + 1000 * (26 / 100));
  });

  it('promises nothing beyond its horizon', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    const answers = Array.from({ length: 100 }, () => bucket.take(0, 25));
    expect(Math.max(...answers.filter((a) => a.tokens > 0).map((a) => a.inMs))).toBeLessThanOrEqual(
      HORIZON_MS,
    );
    expect(answers.at(-1)).toMatchObject({ tokens: 0 });
  });

  it('serves also when one token takes longer than the horizon', () => {
    const bucket = new ModelBucket(toLimit({ perSecond: 0.1, burst: 3 }), 0);
    let given = 0;
    for (let now = 0; now < 100_000; now += 100) given += bucket.take(now, 1).tokens;
    expect(given).toBeGreaterThanOrEqual(9);
  });
});

describe('the judge of these tests', () => {
  it('allows the burst at once and the rate after it, and not one more', () => {
    const uses = [...Array.from({ length: 75 }, () => 0), 10, 20, 30];
    expect(firstExcess(LIMIT, uses)).toBeNull();
    expect(firstExcess(LIMIT, [...uses, 39])).toMatch('at 39 ms');
    expect(firstExcess(LIMIT, [0, ...uses])).toMatch('number 76');
  });
});

describe('a clock that is set back', () => {
  it('stops nobody for longer than what was given away', () => {
    const bucket = new ModelBucket(LIMIT, 3_600_000);
    bucket.take(3_600_000, 1);
    expect(bucket.take(0, 1).inMs).toBeLessThanOrEqual(HORIZON_MS + LIMIT.aheadMs + 10);
  });

  it('makes a pause no longer than the longest', () => {
    const bucket = new ModelBucket(LIMIT, 3_600_000);
    bucket.slow(3_600_000, 1000);
    expect(bucket.take(0, 1).inMs).toBeLessThanOrEqual(MAX_PAUSE_MS + HORIZON_MS + LIMIT.aheadMs + 10);
  });
});

describe('a complaint', () => {
  it('halves the rate, once for all that come together', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    for (const now of [0, 1, 500, DECREASE_EVERY_MS - 1]) bucket.slow(now, 0);
    expect(bucket.take(DECREASE_EVERY_MS - 1, 1).perSecond).toBeCloseTo(50, -1);
    bucket.slow(DECREASE_EVERY_MS, 0);
    expect(bucket.take(DECREASE_EVERY_MS, 1).perSecond).toBeLessThan(27);
  });

  it('repeated without end leaves a little', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    for (let now = 0; now < 100_000; now += DECREASE_EVERY_MS) bucket.slow(now, 0);
    expect(bucket.take(100_000, 1).perSecond).toBeGreaterThanOrEqual(100 / 64);
  });

  it('is forgotten little by little', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    bucket.slow(0, 0);
    const rates = [0, 10_000, 20_000, 29_000, 30_000, 99_000].map((now) => bucket.take(now, 1).perSecond);
    expect(rates.map(Math.round)).toEqual([50, 67, 83, 98, 100, 100]);
  });

  it('with a time to wait lets nobody pass before', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    bucket.slow(1000, 5000);
    for (const now of [1000, 3000, 5999]) {
      const { tokens, inMs } = bucket.take(now, 1);
      if (tokens > 0) expect(now + inMs).toBeGreaterThanOrEqual(6000);
    }
    expect(bucket.take(6100, 1).tokens).toBe(1);
  });

  it('during a pause makes the pause longer, not the rate smaller', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    bucket.slow(0, 3000);
    bucket.slow(2500, 3000);
    expect(bucket.take(5500, 1)).toMatchObject({ perSecond: 50 });
    expect(bucket.take(5000, 1).inMs).toBeGreaterThanOrEqual(500);
  });

  it('after each pause halves again', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    for (const now of [0, 1100, 2200]) bucket.slow(now, 1000);
    expect(bucket.take(3200, 1).perSecond).toBeLessThan(14);
  });
});
