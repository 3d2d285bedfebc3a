/** Workers on a real bucket, behind a proxy that injects faults: every object once, limits kept, budgets kept, dead letters retried. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Cluster, openCluster } from '../support/cluster.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startRedis, whyNoRedis } from '../support/servers/redis.ts';
import { freshBucket } from '../support/servers/s3-bucket.ts';
import { type Outcome, withFault } from '../support/with-fault.ts';

const server = inject('s3');
const OBJECTS = 1200;

describe('workers on a bucket', () => {
  if ('missing' in server) return it.skip(server.missing, () => {});
  let cluster: Cluster;
  let proxy: FaultProxy;
  let receiver: Receiver;
  let target: string;
  let undisturbed: Outcome;

  beforeAll(async () => {
    proxy = await startFaultProxy(server.endpoint);
    const bucket = await freshBucket(server);
    await bucket.putAll(new Map(Array.from({ length: OBJECTS }, (_, i) => [nameOf(i), contentOf(i)])));
    target = `s3://${bucket.name}/data/`;
    receiver = await startReceiver();
    cluster = await openCluster({
      AWS_ENDPOINT_URL: proxy.endpoint,
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
      SEINE_MAX_RETRIES: '1',
    });
    await Promise.all([cluster.addWorker(), cluster.addWorker()]);
    undisturbed = await withFault(cluster, receiver, target, async () => {});
  });
  afterAll(async () => {
    await cluster?.close();
    await receiver?.close();
    await proxy?.close();
  });
  beforeEach(() => proxy.heal());

  const whole = () => ({
    status: 'completed',
    listed: OBJECTS,
    ledgered: OBJECTS,
    digest: undisturbed.digest,
    hooks: 1,
  });

  it('find everything once', () => {
    expect(undisturbed).toMatchObject(whole());
  });

  it('wait for a store that answers 503 to everything for a while', async () => {
    const outcome = await withFault(cluster, receiver, target, async ({ until }) => {
      await until(200);
      proxy.inject({ kind: 'answer', status: 503, headers: { 'retry-after': '1' } });
      await new Promise((resolve) => setTimeout(resolve, 5000));
      proxy.heal();
    });
    expect(outcome).toMatchObject(whole());
  });

  it('never exceed the budget, and continue from there with a larger one', async () => {
    const before = proxy.requests.length;
    const spent = await cluster.run(['scan', target, '--full', '--wait', '--budget', 'requests=300']);
    expect(spent).toMatchObject({ code: 1, stderr: expect.stringContaining('The budget is spent') });
    const id = /Scan (\d+)/.exec(spent.stderr)![1]!;
    // One probe of the target before the scan, and at most one extra request for each worker.
    expect(proxy.requests.length - before).toBeLessThanOrEqual(300 + 1 + 2);
    const more = await cluster.run(['resume', id, '--budget', 'requests=10k', '--wait', '--json']);
    expect(more, more.stderr).toMatchObject({ code: 0 });
  });

  it('give up an object that can never be read, and a retry really reads it', async () => {
    proxy.inject({ kind: 'answer', status: 500 }, { match: ({ url }) => url.includes('00007.txt') });
    const { stdout, code } = await cluster.run(['scan', target, '--full', '--wait', '--json', '-q'], {
      timeoutMs: 140_000,
    });
    expect(code).toBe(1);
    const { id, status } = JSON.parse(stdout).scan;
    expect(status).toBe('incomplete');
    const list = await cluster.run(['deadletter', 'list', '--scan', id, '--json']);
    expect(JSON.parse(list.stdout)).toMatchObject({ kind: 'object', path: nameOf(7), state: 'open' });
    proxy.heal();
    const dry = await cluster.run(['deadletter', 'retry', '--scan', id, '--dry-run']);
    expect(dry.stderr).toContain('1 dead letter would be retried');
    expect((await cluster.run(['deadletter', 'retry', '--scan', id, '--yes'])).code).toBe(0);
    const end = await cluster.run(['monitor', id, '--live', '--json']);
    expect(end.code).toBe(0);
    const coverage = JSON.parse((await cluster.run(['coverage', id, '--json'])).stdout);
    expect(coverage).toMatchObject({ status: 'completed', listed: OBJECTS, ledgered: OBJECTS });
  });
});

describe('workers under a limit', () => {
  if ('missing' in server) return it.skip(server.missing, () => {});

  it('share the rate limit, and continue slowly while Redis is unreachable', async ({ skip }) => {
    const missing = await whyNoRedis();
    if (missing !== null) skip(missing);
    const redis = await startRedis();
    const proxy = await startFaultProxy(server.endpoint);
    const receiver = await startReceiver();
    const bucket = await freshBucket(server);
    await bucket.putAll(new Map(Array.from({ length: 400 }, (_, i) => [nameOf(i), contentOf(i)])));
    const cluster = await openCluster({
      REDIS_URL: redis.url,
      AWS_ENDPOINT_URL: proxy.endpoint,
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    });
    try {
      const config = join(cluster.folder, 'seine.yaml');
      writeFileSync(config, `sources:\n  - url: s3://${bucket.name}\n    rate: 60/s\n    burst: 30\n`);
      const env = { SEINE_CONFIG: config };
      await Promise.all([1, 2, 3, 4].map(() => cluster.addWorker([], { env })));
      const target = `s3://${bucket.name}/data/`;
      const calm = await withFault(cluster, receiver, target, async () => {}, { env });
      const outcome = await withFault(
        cluster,
        receiver,
        target,
        async ({ until }) => {
          await until(50);
          await redis.kill();
          await until(90);
          await redis.restart();
        },
        { env },
      );
      expect(outcome).toMatchObject({ status: 'completed', listed: 400, ledgered: 400, digest: calm.digest });
      // In any second: what flows in, and what had been saved up.
      expect(Math.max(...proxy.perSecond())).toBeLessThanOrEqual(60 + 30);
    } finally {
      await cluster.close();
      await receiver.close();
      await proxy.close();
      await redis.stop();
    }
  });
});

function nameOf(i: number): string {
  return `data/${i % 7}/${String(i).padStart(5, '0')}.txt`;
}

function contentOf(i: number): string {
  return `${'quiet waters '.repeat(40)}\nmail: person${i}@example.org\nSSN: 219-09-${1000 + i}\n`;
}
