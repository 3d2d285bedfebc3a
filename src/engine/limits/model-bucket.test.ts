import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DECREASE_EVERY_MS, HORIZON_MS, type Limit, MAX_PAUSE_MS, minBurst, toLimit } from './limit.ts';
import { firstExcess, ModelBucket } from './model-bucket.ts';

const LIMIT = toLimit({ perSecond: 100, burst: 75 });

/** One operation of a simulated worker at a shared bucket; times in milliseconds. */
interface Step {
  readonly after: number;
  readonly count: number;
  /** Latency of the request, and of the reply. */
  readonly there: number;
  readonly back: number;
  /** When within their validity the tokens are used: 0 at the start, 1 at the end. */
  readonly late: number;
  /** Latency of the requests to the provider: 0 none, 1 the most that the burst allows for. */
  readonly travel: number;
  readonly complaint: number | null;
  /** The server's clock is set back. */
  readonly setBack: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  after: fc.oneof(fc.nat(5), fc.nat(200), fc.nat(5000)),
  count: fc.integer({ min: 1, max: 200 }),
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
 * When the tokens were used and when their requests reached the provider, in real time; a worker only knows
 * when it asked and when it got the reply.
 */
function run(limit: Limit, steps: readonly Step[]): { uses: number[]; arrivals: number[] } {
  const bucket = new ModelBucket(limit, 0);
  const [uses, arrivals]: number[][] = [[], []];
  let now = 0;
  let setBack = 0;
  for (const { after, count, there, back, late, travel, complaint, setBack: further } of steps) {
    now += after;
    setBack += further;
    if (complaint !== null) bucket.slow(now - setBack, complaint);
    const answer = bucket.take(now - setBack, count);
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
  it('never grants more than rate × time + burst, for any mix of workers, delays, throttling and clock changes', () => {
    const property = fc.property(rate, fc.array(step, { maxLength: 60 }), (limit, steps) => {
      const { uses, arrivals } = run(limit, steps);
      expect(firstExcess({ ...limit, burst: (2 / 3) * limit.burst }, uses)).toBeNull();
      expect(firstExcess(limit, arrivals)).toBeNull();
    });
    fc.assert(property, { numRuns: 1000 });
  }, 30_000);

  it('grants the full rate to workers that ask continuously', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    let given = 0;
    for (let now = 0; now < 10_000; now += 5) given += bucket.take(now, 3).tokens;
    expect(given).toBeGreaterThanOrEqual(10 * 100 - 3);
  });

  it('starts empty', () => {
    expect(new ModelBucket(LIMIT, 0).take(0, 10)).toEqual({ tokens: 10, inMs: 100, perSecond: 100 });
  });

  it('after an idle period grants a batch at once, and at most a third of the burst', () => {
    expect(new ModelBucket(LIMIT, 0).take(60_000, 1000)).toEqual({ tokens: 25, inMs: 0, perSecond: 100 });
  });

  it('continues when a worker crashes with its batch', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    const lost = bucket.take(1000, 25);
    expect(bucket.take(1000, 1).inMs).toBeLessThanOrEqual(lost.inMs + 1000 * (26 / 100));
  });

  it('grants nothing beyond its horizon', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    const answers = Array.from({ length: 100 }, () => bucket.take(0, 25));
    expect(Math.max(...answers.filter((a) => a.tokens > 0).map((a) => a.inMs))).toBeLessThanOrEqual(
      HORIZON_MS,
    );
    expect(answers.at(-1)).toMatchObject({ tokens: 0 });
  });

  it('also grants when one token takes longer than the horizon', () => {
    const bucket = new ModelBucket(toLimit({ perSecond: 0.1, burst: 3 }), 0);
    let given = 0;
    for (let now = 0; now < 100_000; now += 100) given += bucket.take(now, 1).tokens;
    expect(given).toBeGreaterThanOrEqual(9);
  });
});

describe('the check of these tests', () => {
  it('allows the burst at once and the rate after it, and not one more', () => {
    const uses = [...Array.from({ length: 75 }, () => 0), 10, 20, 30];
    expect(firstExcess(LIMIT, uses)).toBeNull();
    expect(firstExcess(LIMIT, [...uses, 39])).toMatch('at 39 ms');
    expect(firstExcess(LIMIT, [0, ...uses])).toMatch('number 76');
  });
});

describe('a clock that is set back', () => {
  it('stalls no worker for longer than the granted slots', () => {
    const bucket = new ModelBucket(LIMIT, 3_600_000);
    bucket.take(3_600_000, 1);
    expect(bucket.take(0, 1).inMs).toBeLessThanOrEqual(HORIZON_MS + LIMIT.aheadMs + 10);
  });

  it('keeps a pause within its maximum', () => {
    const bucket = new ModelBucket(LIMIT, 3_600_000);
    bucket.slow(3_600_000, 1000);
    expect(bucket.take(0, 1).inMs).toBeLessThanOrEqual(MAX_PAUSE_MS + HORIZON_MS + LIMIT.aheadMs + 10);
  });
});

describe('throttling', () => {
  it('halves the rate, once for concurrent reports', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    for (const now of [0, 1, 500, DECREASE_EVERY_MS - 1]) bucket.slow(now, 0);
    expect(bucket.take(DECREASE_EVERY_MS - 1, 1).perSecond).toBeCloseTo(50, -1);
    bucket.slow(DECREASE_EVERY_MS, 0);
    expect(bucket.take(DECREASE_EVERY_MS, 1).perSecond).toBeLessThan(27);
  });

  it('repeated without end leaves the minimum rate', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    for (let now = 0; now < 100_000; now += DECREASE_EVERY_MS) bucket.slow(now, 0);
    expect(bucket.take(100_000, 1).perSecond).toBeGreaterThanOrEqual(100 / 64);
  });

  it('is recovered from gradually', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    bucket.slow(0, 0);
    const rates = [0, 10_000, 20_000, 29_000, 30_000, 99_000].map((now) => bucket.take(now, 1).perSecond);
    expect(rates.map(Math.round)).toEqual([50, 67, 83, 98, 100, 100]);
  });

  it('with Retry-After grants nothing before it', () => {
    const bucket = new ModelBucket(LIMIT, 0);
    bucket.slow(1000, 5000);
    for (const now of [1000, 3000, 5999]) {
      const { tokens, inMs } = bucket.take(now, 1);
      if (tokens > 0) expect(now + inMs).toBeGreaterThanOrEqual(6000);
    }
    expect(bucket.take(6100, 1).tokens).toBe(1);
  });

  it('during a pause extends the pause and keeps the rate', () => {
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
