/** Faults of the dependencies of workers: the database, the store, Redis. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultProxy, startFaultProxy } from '../../test/support/fault-proxy.ts';
import { type RedisServer, startRedis, whyNoRedis } from '../../test/support/servers/redis.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { makeBucket, s3Environment, sharedRgw } from '../rgw.ts';
import { type Scenario, Skipped } from './scenario.ts';
import { openStage, type Stage, type Target } from './stage.ts';

const WORKERS = 4;
const DOWN_MS = 2000;
const UNAVAILABLE_MS = 20_000;
const REDIS_GONE_MS = 10_000;
/** Requests a second that all workers share, and the default burst for that rate. */
const RATE = 300;
const BURST = 0.75 * RATE;

export function databaseScenarios(files: Target): Scenario[] {
  return [
    {
      name: 'cut',
      about: 'all connections to the database terminated, ten times',
      play: (stage) => cutConnections(stage, files),
    },
    {
      name: 'database',
      about: 'kill -9 of PostgreSQL and all its processes, started again after 2 s; twice',
      play: (stage) => killDatabase(stage, files),
    },
  ];
}

async function cutConnections(stage: Stage, files: Target) {
  const { cluster } = stage;
  await cluster.setWorkerCount(WORKERS);
  let cut = 0;
  const played = await stage.scan(files, async ({ until }) => {
    for (let n = 1; n <= 10; n++) {
      await until((files.objects * n) / 12);
      const { rowCount } = await cluster.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'seine' and pid <> pg_backend_pid()`,
      );
      cut += rowCount;
    }
  });
  return { done: `${cut} connections, in 10 goes`, scans: [played] };
}

async function killDatabase(stage: Stage, files: Target) {
  const { cluster } = stage;
  await cluster.setWorkerCount(WORKERS);
  const played = await stage.scan(files, async ({ until }) => {
    for (const part of [0.2, 0.6]) {
      await until(files.objects * part);
      await cluster.postgres.kill();
      await sleep(DOWN_MS);
      await cluster.postgres.start();
    }
  });
  return { done: `killed twice, away for ${DOWN_MS / 1000} s each`, scans: [played] };
}

interface StoreStage extends Stage {
  readonly bucket: Target;
  readonly proxy: FaultProxy;
  readonly redis: RedisServer | null;
}

/** Workers on a bucket, behind a proxy, with a rate that they share by way of Redis. */
async function openStoreStage(bench: Bench, name: string): Promise<StoreStage> {
  const rgw = await sharedRgw(bench);
  if (rgw === null) throw new Skipped('there is no S3 server here');
  const redis = (await whyNoRedis()) === null ? await startRedis() : null;
  const plan = { objects: scaled(bench, 9000, 600), size: 2000, plantedRate: 0.005 };
  const { target, objects } = await makeBucket(bench, rgw, plan);
  const proxy = await startFaultProxy(rgw.endpoint);
  const config = join(bench.folder, `chaos-${name}.yaml`);
  writeFileSync(config, `sources:\n  - url: ${target}\n    rate: ${RATE}/s\n`);
  const stage = await openStage(bench, `chaos-${name}`, {
    ...s3Environment(rgw, proxy.endpoint),
    SEINE_CONFIG: config,
    ...(redis && { REDIS_URL: redis.url }),
  });
  await stage.cluster.setWorkerCount(WORKERS);
  return {
    ...stage,
    bucket: { target, objects },
    proxy,
    redis,
    async close() {
      await stage.close();
      await proxy.close();
      await redis?.stop();
    },
  };
}

/** They bring their own stage. */
export function storeScenarios(): Scenario[] {
  return [
    {
      name: 'store',
      about: 'S3 answers 503 to everything for 20 s',
      play: ({ bench }) => onStore(bench, 'store', unavailable),
    },
    {
      name: 'redis',
      about: 'Redis gone for 10 s while workers share a rate by it',
      play: ({ bench }) => onStore(bench, 'redis', withoutRedis),
    },
  ];
}

async function onStore<T>(bench: Bench, name: string, play: (stage: StoreStage) => Promise<T>): Promise<T> {
  const stage = await openStoreStage(bench, name);
  try {
    return await play(stage);
  } finally {
    await stage.close();
  }
}

async function unavailable(stage: StoreStage) {
  const { bucket, proxy } = stage;
  let refused = 0;
  const played = await stage.scan(bucket, async ({ until }) => {
    await until(bucket.objects / 4);
    const match = () => ++refused > 0;
    proxy.inject({ kind: 'answer', status: 503, body: '<Error><Code>SlowDown</Code></Error>' }, { match });
    await sleep(UNAVAILABLE_MS);
    proxy.heal();
  });
  return { done: `${refused} requests refused in ${UNAVAILABLE_MS / 1000} s`, scans: [played] };
}

async function withoutRedis(stage: StoreStage) {
  const { bucket, proxy, redis } = stage;
  if (redis === null) throw new Skipped('there is no Redis here');
  await stage.calmSeconds(bucket);
  const before = proxy.perSecond().length;
  let gone = [0, 0];
  const played = await stage.scan(bucket, async ({ until }) => {
    await until(bucket.objects / 4);
    await redis.kill();
    gone = [proxy.perSecond().length];
    await sleep(REDIS_GONE_MS);
    gone.push(proxy.perSecond().length);
    await redis.restart();
  });
  const perSecond = proxy.perSecond();
  const [with_, without] = [perSecond.slice(before), perSecond.slice(...gone)];
  const max = Math.max(...with_);
  const mean = without.reduce((sum, n) => sum + n, 0) / Math.max(1, without.length);
  const also = [
    { holds: max <= RATE + BURST, what: `redis: never more than ${RATE} + ${BURST} requests in a second` },
  ];
  return {
    done: `most in a second ${max}, ${mean.toFixed(0)}/s while it was gone`,
    scans: [played],
    also,
  };
}
