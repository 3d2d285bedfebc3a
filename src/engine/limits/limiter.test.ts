import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import type { TokenBucket } from './bucket.ts';
import { type Limit, toLimit } from './limit.ts';
import { createLimiterOn, type Limiter, type LimiterOptions } from './limiter.ts';
import { firstExcess, ModelBucket } from './model-bucket.ts';
import { createRate } from './rates.ts';

const QUOTA = 's3:someone';
const RATE = createRate(500);
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An in-memory bucket behind a network that can be disconnected. */
class Server {
  requestCount = 0;
  away: 'no' | 'refuses' | 'hangs' = 'no';
  delayMs = 2;
  readonly #buckets = new Map<string, ModelBucket>();

  readonly bucket: TokenBucket = {
    name: 'the model',
    take: async (quota, limit, tokens) => {
      await this.#travel();
      return this.#of(quota, limit).take(performance.now(), tokens);
    },
    slow: async (quota, limit, pauseMs) => {
      await this.#travel();
      this.#of(quota, limit).slow(performance.now(), pauseMs);
    },
    close: async () => {},
  };

  #of(quota: string, limit: Limit): ModelBucket {
    const bucket = this.#buckets.get(quota) ?? new ModelBucket(limit, performance.now());
    this.#buckets.set(quota, bucket);
    return bucket;
  }

  async #travel(): Promise<void> {
    this.requestCount++;
    if (this.away === 'hangs') await new Promise(() => {});
    await sleep(this.delayMs);
    if (this.away === 'refuses') throw new Error('cut off');
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const open = (server: Server, more: Partial<LimiterOptions> = {}) =>
  createLimiterOn(server.bucket, { rates: { s3: RATE }, ...more });

/** Runs requests with concurrency `at`, each taking `ms`, until stopped. */
function load(limiter: Limiter, uses: number[], at = 4, ms = 0) {
  const stop = new AbortController();
  const one = async () => {
    while (!stop.signal.aborted) {
      await limiter.take(QUOTA, 1, stop.signal);
      uses.push(performance.now());
      if (ms > 0) await sleep(ms);
    }
  };
  for (let n = 0; n < at; n++) void one().catch(() => {});
  return stop;
}

describe('32 workers', () => {
  it('share one rate, use all of it and never exceed it', async () => {
    const server = new Server();
    const uses: number[] = [];
    for (let n = 0; n < 32; n++) load(open(server), uses);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(firstExcess(RATE, uses)).toBeNull();
    expect(uses.length).toBeGreaterThan(0.95 * 500 * 10);
  });

  it('that come and go, and crash with unused tokens, leave the rate to the others', async () => {
    const server = new Server();
    const uses: number[] = [];
    for (let n = 0; n < 32; n++) {
      const stop = load(open(server), uses, 8, n);
      setTimeout(() => stop.abort(), n % 4 === 0 ? 1e6 : 300 * n);
    }
    await vi.advanceTimersByTimeAsync(10_000);
    const late = uses.filter((at) => at - uses[0]! > 8500);
    expect(firstExcess(RATE, uses)).toBeNull();
    expect(late.length).toBeGreaterThan(0.9 * 500);
  });

  it('all halve the rate when one is throttled, and wait for Retry-After', async () => {
    const server = new Server();
    const uses: number[] = [];
    const limiters = Array.from({ length: 32 }, () => open(server));
    for (const limiter of limiters) load(limiter, uses);
    await vi.advanceTimersByTimeAsync(3000);
    const throttledAt = performance.now();
    for (const limiter of limiters.slice(0, 5)) limiter.throttled(QUOTA, 2000);
    await vi.advanceTimersByTimeAsync(5000);
    const from = (ms: number, to: number) =>
      uses.filter((at) => at >= throttledAt + ms && at < throttledAt + to).length;
    expect(from(1000, 2000)).toBe(0); // granted and fetched tokens have expired by then
    expect(from(3000, 5000)).toBeGreaterThan(400);
    expect(from(3000, 5000)).toBeLessThan(600);
    expect(firstExcess(RATE, uses)).toBeNull();
  });
});

describe('a worker', () => {
  it('asks the bucket a few times a second, however many requests it makes', async () => {
    const server = new Server();
    const uses: number[] = [];
    load(open(server), uses, 20);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(uses.length).toBeGreaterThan(4500);
    expect(server.requestCount).toBeLessThan(10 * 15);
  });

  it('reports a long pause once, also one that another worker received', async () => {
    const server = new Server();
    const said: string[][] = [[], []];
    const [one, two] = said.map((messages) =>
      open(server, { log: (message) => void messages.push(message) }),
    );
    one!.throttled(QUOTA, 40_000);
    await vi.advanceTimersByTimeAsync(1000);
    for (const limiter of [one!, two!]) load(limiter, []);
    await vi.advanceTimersByTimeAsync(20_000);
    for (const messages of said)
      expect(messages).toEqual([expect.stringMatching(/^Requests to s3 wait for (39|40) s: .*pause/)]);
  });

  it('that needs little takes little', async () => {
    const server = new Server();
    const uses: number[] = [];
    load(open(server), uses, 1, 1000);
    const taken = vi.spyOn(server.bucket, 'take');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(taken.mock.calls.map(([, , tokens]) => tokens)).toEqual(taken.mock.calls.map(() => 1));
  });

  it('does not wait for an unknown provider without a limit: it gets a small one', async () => {
    const limiter = createLimiterOn(new Server().bucket, {});
    void limiter.take('ftp:someone', 1, never);
    expect(limiter.stats()).toMatchObject([{ quota: 'ftp:someone', perSecond: 100 }]);
  });

  it('changes the rate when it is set', async () => {
    const limiter = createLimiterOn(new Server().bucket, {});
    limiter.setRate(QUOTA, createRate(40));
    const uses: number[] = [];
    load(limiter, uses);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(uses.length).toBeGreaterThan(380);
    expect(firstExcess(createRate(40), uses)).toBeNull();
  });

  it('takes several tokens at once, one after the other', async () => {
    const limiter = open(new Server());
    const taken = limiter.take(QUOTA, 500, never);
    const began = performance.now();
    await vi.advanceTimersByTimeAsync(5000);
    await taken;
    expect(limiter.stats()[0]!.waitedMs).toBeGreaterThan(500);
    expect(performance.now() - began).toBe(5000);
  });

  it('reports concurrent throttling to the bucket once, and again for a longer pause', async () => {
    const server = new Server();
    const limiter = open(server);
    const slow = vi.spyOn(server.bucket, 'slow');
    for (let n = 0; n < 50; n++) limiter.throttled(QUOTA, null);
    for (let n = 0; n < 50; n++) limiter.throttled(QUOTA, 3000);
    expect(slow.mock.calls.map(([, , pauseMs]) => pauseMs)).toEqual([0, 3000]);
    await vi.advanceTimersByTimeAsync(1000);
    limiter.throttled(QUOTA, null);
    expect(slow).toHaveBeenCalledTimes(3);
  });

  it('reports the time waited and the number of waiting requests', async () => {
    const server = new Server();
    const limiter = open(server);
    limiter.throttled(QUOTA, 3000);
    for (let n = 0; n < 3; n++) void limiter.take(QUOTA, 1, never);
    await vi.advanceTimersByTimeAsync(1000);
    expect(limiter.stats()).toMatchObject([{ waitedMs: 1000, waiting: 3, degraded: false }]);
    await vi.advanceTimersByTimeAsync(9000);
    expect(limiter.stats()[0]).toMatchObject({ waiting: 0 });
    expect(limiter.stats()[0]!.waitedMs).toBeGreaterThanOrEqual(3000);
    expect(limiter.stats()[0]!.waitedMs).toBeLessThan(4000);
  });
});

describe('a request that waits', () => {
  it('leaves with the reason of its signal, and the next one passes', async () => {
    const limiter = open(new Server());
    const stop = new AbortController();
    const first = limiter.take(QUOTA, 1, stop.signal);
    const second = limiter.take(QUOTA, 1, never);
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    await vi.advanceTimersByTimeAsync(1000);
    await second;
  });

  it('is not started when the signal was already aborted', async () => {
    const server = new Server();
    await expect(open(server).take(QUOTA, 1, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
    expect(server.requestCount).toBe(0);
  });

  it('is refused when the limiter closes, and so is a later one', async () => {
    const server = new Server();
    server.away = 'hangs';
    const limiter = open(server);
    const waiting = limiter.take(QUOTA, 1, never);
    const refused = expect(waiting).rejects.toThrow(SeineError);
    await limiter.close();
    await refused;
    await expect(limiter.take(QUOTA, 1, never)).rejects.toThrow('closed');
  });
});

describe('without the bucket', () => {
  it.each(['refuses', 'hangs'] as const)(
    'that %s, all together go at half the rate at most, and say so once',
    async (how) => {
      const server = new Server();
      server.away = how;
      const uses: number[] = [];
      const said: string[] = [];
      for (let n = 0; n < 32; n++)
        load(open(server, { workers: () => 32, log: (text) => said.push(text) }), uses);
      const began = performance.now();
      await vi.advanceTimersByTimeAsync(20_000);
      expect(uses.length).toBeGreaterThan(0.3 * 500 * 20);
      expect(uses.length).toBeLessThanOrEqual(0.5 * 500 * 20);
      expect(uses[0]! - began).toBeGreaterThanOrEqual(toLimit(RATE).validMs);
      expect(firstExcess({ perSecond: 250, burst: 32 }, uses)).toBeNull();
      expect(said).toHaveLength(32);
      expect(said[0]).toMatch(/s3.*the model.*7\.8 requests\/s/);
      expect(said[0]).not.toContain('someone');
    },
  );

  it('a worker that knows of no other takes a tenth', async () => {
    const server = new Server();
    server.away = 'refuses';
    const uses: number[] = [];
    load(open(server), uses);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(uses.length).toBeGreaterThan(400);
    expect(uses.length).toBeLessThanOrEqual(500);
  });

  it('throttling lowers the fallback rate', async () => {
    const server = new Server();
    server.away = 'refuses';
    const limiter = open(server);
    const uses: number[] = [];
    load(limiter, uses);
    await vi.advanceTimersByTimeAsync(2000);
    limiter.throttled(QUOTA, 3000);
    limiter.throttled(QUOTA, null);
    const throttledAt = performance.now();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(uses.filter((at) => at > throttledAt && at < throttledAt + 3000)).toEqual([]);
    expect(uses.filter((at) => at > throttledAt + 3000).length).toBeLessThanOrEqual(25 * 7);
    expect(uses.filter((at) => at > throttledAt + 3000).length).toBeGreaterThan(25 * 6);
  });

  it.each(['refuses', 'hangs'] as const)(
    'that %s for a while they go on as before afterwards, and never exceed the rate',
    async (how) => {
      const server = new Server();
      const uses: number[] = [];
      const said: string[] = [];
      const limiters = Array.from({ length: 32 }, () =>
        open(server, { workers: () => 32, log: (text) => said.push(text) }),
      );
      for (const limiter of limiters) load(limiter, uses);
      await vi.advanceTimersByTimeAsync(3000);
      server.away = how;
      await vi.advanceTimersByTimeAsync(5000);
      expect(limiters.every((limiter) => limiter.stats()[0]!.degraded)).toBe(true);
      server.away = 'no';
      await vi.advanceTimersByTimeAsync(3000);
      const back = performance.now();
      await vi.advanceTimersByTimeAsync(3000);
      expect(uses.filter((at) => at > back).length).toBeGreaterThan(0.9 * 500 * 3);
      expect(firstExcess(RATE, uses)).toBeNull();
      expect(said.filter((text) => text.includes('shared again'))).toHaveLength(32);
      expect(limiters.some((limiter) => limiter.stats()[0]!.degraded)).toBe(false);
    },
  );

  it('a hiccup is not worth a word', async () => {
    const server = new Server();
    const said: string[] = [];
    const uses: number[] = [];
    load(open(server, { log: (text) => said.push(text) }), uses);
    await vi.advanceTimersByTimeAsync(1000);
    server.away = 'refuses';
    await vi.advanceTimersByTimeAsync(300);
    server.away = 'no';
    await vi.advanceTimersByTimeAsync(3000);
    expect(said).toEqual([]);
    expect(uses.filter((at) => at > uses.at(-1)! - 1000).length).toBeGreaterThan(450);
  });

  it('late replies are ignored', async () => {
    const server = new Server();
    server.delayMs = toLimit(RATE).validMs + 1;
    const uses: number[] = [];
    load(open(server), uses);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(uses.length).toBeLessThanOrEqual(500);
  });
});
