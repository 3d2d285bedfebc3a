import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { SeineError } from '../../base/errors.ts';
import type { LimiterReply, TokenBucket } from './bucket.ts';
import { BUCKET_SCRIPT } from './bucket-script.ts';
import {
  DECREASE_EVERY_MS,
  HORIZON_MS,
  type Limit,
  MAX_PAUSE_MS,
  MIN_RATE_SHARE,
  RECOVERY_MS,
} from './limit.ts';

const SHA = createHash('sha1').update(BUCKET_SCRIPT).digest('hex');
/** After this time an unused bucket is equal to a new one. */
const KEEP_MS = 2 * (MAX_PAUSE_MS + RECOVERY_MS);
const MAX_RECONNECT_MS = 1000;

/** One hash per quota; one script call per batch. Installations that share a Redis share the buckets. */
export function createRedisBucket(url: string): TokenBucket {
  checkUrl(url);
  const connecting = connect(url);
  connecting.catch(() => {}); // reported by the first request

  async function run(
    act: 'take' | 'slow',
    amount: number,
    quota: string,
    limit: Limit,
  ): Promise<LimiterReply> {
    const redis = await connecting;
    const key = `seine:bucket:${quota}`;
    const reply = await evaluate(redis, key, [
      act,
      act === 'take' ? amount : amount * 1000,
      ...settings(limit),
    ]);
    const [tokens, inMicros, perSecond] = reply as [number, string, string];
    return { tokens, inMs: Number(inMicros) / 1000, perSecond: Number(perSecond) };
  }

  return {
    name: 'Redis',
    take: (quota, limit, tokens) => run('take', tokens, quota, limit),
    slow: async (quota, limit, pauseMs) => void (await run('slow', pauseMs, quota, limit)),
    async close() {
      (await connecting).disconnect();
    },
  };
}

function settings(limit: Limit): (string | number)[] {
  const micros = (ms: number) => Math.round(ms * 1000);
  return [
    limit.perSecond,
    ...[limit.aheadMs, HORIZON_MS, MAX_PAUSE_MS, RECOVERY_MS, DECREASE_EVERY_MS].map(micros),
    MIN_RATE_SHARE,
    KEEP_MS,
  ];
}

/** Loads the script again if the server was restarted and lost it. */
async function evaluate(redis: Redis, key: string, args: (string | number)[]): Promise<unknown> {
  try {
    return await redis.evalsha(SHA, 1, key, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.eval(BUCKET_SCRIPT, 1, key, ...args);
  }
}

/**
 * The client reconnects by itself. While disconnected, commands fail at once: a late reply would be
 * useless.
 */
async function connect(url: string): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    commandTimeout: 2000,
    connectionName: 'seine',
    disableClientInfo: true,
    retryStrategy: (times) => Math.min(MAX_RECONNECT_MS, 50 * 2 ** times) * (0.5 + Math.random() / 2),
  });
  redis.on('error', () => {}); // reported by the command that fails
  await redis.connect().catch(() => {});
  return redis;
}

function checkUrl(url: string): void {
  if (/^rediss?:\/\//.test(url)) return;
  throw new SeineError('usage', 'The address of Redis is not one.', {
    hint: 'Write it like redis://host:6379, or rediss:// with TLS. Without it the rate limits are kept in the database.',
  });
}
