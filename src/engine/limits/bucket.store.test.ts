import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RedisServer, startRedis, whyNoRedis } from '../../../test/support/servers/redis.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import type { Database } from '../../db/database.ts';
import { BUCKET_SCRIPT } from './bucket-script.ts';
import {
  DECREASE_EVERY_MS,
  HORIZON_MS,
  type Limit,
  MAX_PAUSE_MS,
  MIN_RATE_SHARE,
  RECOVERY_MS,
  toLimit,
} from './limit.ts';
import { createLimiter } from './limiter.ts';
import { firstExcess, ModelBucket } from './model-bucket.ts';
import { createRate } from './rates.ts';
import { createRedisBucket } from './redis-bucket.ts';

const missing = await whyNoRedis();

const LIMIT = toLimit({ perSecond: 100, burst: 75 });
const never = new AbortController().signal;
let quotas = 0;
const newQuota = () => `test:${++quotas}`;
/** With Redis the database must not be used. */
const noDatabase = {} as Database;

describe.skipIf(missing)('a bucket in Redis', () => {
  let server: RedisServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    redis.on('error', () => {});
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  /** The unchanged script except for the time. */
  const timed = BUCKET_SCRIPT.replace("redis.call('TIME')", '{ ARGV[11], 0 }');

  async function runAt(seconds: number, act: 'take' | 'slow', amount: number, quota: string, limit: Limit) {
    const micros = [limit.aheadMs, HORIZON_MS, MAX_PAUSE_MS, RECOVERY_MS, DECREASE_EVERY_MS].map(
      (ms) => ms * 1000,
    );
    const args = [act, amount, limit.perSecond, ...micros, MIN_RATE_SHARE, 1000, seconds];
    const [tokens, inMicros, perSecond] = (await redis.eval(timed, 1, quota, ...args)) as [
      number,
      string,
      string,
    ];
    return { tokens, inMs: Number(inMicros) / 1000, perSecond: Number(perSecond) };
  }

  const step = fc.record({
    after: fc.oneof(fc.nat(2), fc.nat(30), fc.integer({ min: -4000, max: 0 })),
    count: fc.integer({ min: 1, max: 40 }),
    complaint: fc.option(fc.oneof(fc.constant(0), fc.nat(5000), fc.constant(1e7)), { freq: 5 }),
  });

  it('returns the same as the model, for any requests and clock changes', async () => {
    const rates = fc.constantFrom(createRate(100), createRate(0.5), createRate(3000), createRate(7, 3));
    const property = fc.asyncProperty(rates, fc.array(step, { maxLength: 40 }), async (rate, steps) => {
      const [quota, limit] = [newQuota(), toLimit(rate)];
      let seconds = 1_900_000_000;
      const model = new ModelBucket(limit, seconds * 1000);
      for (const { after, count, complaint } of [{ after: 0, count: 1, complaint: null }, ...steps]) {
        seconds += after;
        if (complaint !== null) {
          await runAt(seconds, 'slow', complaint * 1000, quota, limit);
          model.slow(seconds * 1000, complaint);
        }
        const answer = await runAt(seconds, 'take', count, quota, limit);
        const expected = model.take(seconds * 1000, count);
        if (Math.abs(expected.inMs - HORIZON_MS) < 0.1) return; // a microsecond decides
        expect(answer.tokens).toBe(expected.tokens);
        expect(answer.inMs).toBeCloseTo(expected.inMs, 1);
        expect(answer.perSecond).toBeCloseTo(expected.perSecond, 3);
      }
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it('cares for the clock of Redis only', async () => {
    const bucket = createRedisBucket(server.url);
    const quota = newQuota();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    try {
      expect(await bucket.take(quota, LIMIT, 5)).toEqual({ tokens: 5, inMs: 50, perSecond: 100 });
      vi.setSystemTime(Date.now() - 2 * 86_400_000);
      const { tokens, inMs } = await bucket.take(quota, LIMIT, 5);
      expect(tokens).toBe(5);
      expect(inMs).toBeGreaterThan(0);
      expect(inMs).toBeLessThanOrEqual(100);
    } finally {
      vi.useRealTimers();
      await bucket.close();
    }
  });

  it('slows down for all, and expires while unused', async () => {
    const [one, other] = [createRedisBucket(server.url), createRedisBucket(server.url)];
    const quota = newQuota();
    await one.slow(quota, LIMIT, 60_000);
    expect(await other.take(quota, LIMIT, 1)).toMatchObject({ tokens: 0, perSecond: 50 });
    expect(await redis.pttl(`seine:bucket:${quota}`)).toBeGreaterThan(MAX_PAUSE_MS);
    await Promise.all([one.close(), other.close()]);
  });

  it('works again after the server forgot the script', async () => {
    const bucket = createRedisBucket(server.url);
    await bucket.take(newQuota(), LIMIT, 1);
    await redis.script('FLUSH');
    expect(await bucket.take(newQuota(), LIMIT, 1)).toMatchObject({ tokens: 1 });
    await bucket.close();
  });

  it('refuses an address that is none', () => {
    expect(() => createRedisBucket('localhost:6379')).toThrow('address');
  });

  it('24 takers never exceed its rate, also when Redis is killed and comes back empty in the middle', async () => {
    const [quota, rate] = [newQuota(), createRate(400)];
    const said: string[] = [];
    const uses: number[] = [];
    const enough = new AbortController();
    const limiters = Array.from({ length: 24 }, () =>
      createLimiter({
        db: noDatabase,
        redisUrl: server.url,
        rates: { [quota]: rate },
        workers: () => 24,
        log: (text) => said.push(text),
      }),
    );
    const takers = limiters.map(async (limiter) => {
      for (;;) {
        await limiter.take(quota, 1, enough.signal);
        uses.push(performance.now());
      }
    });
    const ended = Promise.allSettled(takers);
    const until = (what: () => boolean) => vi.waitUntil(what, { interval: 5, timeout: 20_000 });
    await until(() => uses.length > 400);
    await server.kill();
    const [killed, then] = [performance.now(), uses.length];
    await until(() => said.length === 24); // each logs it once
    await until(() => uses.length > then + 100); // and continues
    const degraded = uses.filter((at) => at > killed + toLimit(rate).validMs + HORIZON_MS);
    expect(firstExcess({ perSecond: rate.perSecond / 2, burst: 24 }, degraded)).toBeNull();
    await server.restart();
    await until(() => limiters.every((limiter) => !limiter.stats()[0]!.degraded));
    const back = uses.length;
    await until(() => uses.length > back + 400);
    enough.abort();
    await ended;
    expect(firstExcess(rate, uses)).toBeNull();
    await Promise.all(limiters.map((limiter) => limiter.close()));
  }, 60_000);

  it('a worker started while Redis is unreachable uses the fallback rate, and the shared one when it is back', async () => {
    await server.kill();
    const quota = newQuota();
    const limiter = createLimiter({
      db: noDatabase,
      redisUrl: server.url,
      rates: { [quota]: createRate(200) },
    });
    await limiter.take(quota, 3, never);
    expect(limiter.stats()).toMatchObject([{ degraded: true }]);
    await server.restart();
    await repeatWhile('the degraded rate', async () => {
      if (limiter.stats()[0]!.degraded) await limiter.take(quota, 1, never);
      return limiter.stats()[0]!.degraded;
    });
    await limiter.close();
  }, 30_000);
});
