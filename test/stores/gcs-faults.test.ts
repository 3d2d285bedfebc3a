import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FULL_RANGE } from '../../src/base/range.ts';
import { createGcsSource } from '../../src/sources/gcs/gcs-source.ts';
import { createRequestGateLog } from '../../src/sources/request-gate.fixture.ts';
import type { RequestGate } from '../../src/sources/request-gate.ts';
import type { Source } from '../../src/sources/source.ts';
import { bytesOf, keysOf, neverAborted, objectsOf } from '../../src/sources/source-test-helpers.ts';
import type { Bucket } from '../support/fake-gcs/buckets.ts';
import { type FakeGcs, startFakeGcs } from '../support/fake-gcs/server.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';

const SIZE = 3 << 20;
const content = Buffer.from(Uint32Array.from({ length: SIZE / 4 }, (_, i) => i * 2654435761).buffer);
const errors = [{ domain: 'usageLimits', reason: 'rateLimitExceeded', message: 'Slower, please.' }];
const SLOWER = JSON.stringify({ error: { code: 429, message: 'Slower, please.', errors } });

describe('the GCS stand-in behind a bad connection', () => {
  let gcs: FakeGcs;
  let proxy: FaultProxy;
  let bucket: Bucket;

  beforeAll(async () => {
    gcs = await startFakeGcs();
    proxy = await startFaultProxy(gcs.endpoint);
    bucket = gcs.buckets.create('data');
    gcs.buckets.put(bucket, 'large', content);
    for (let i = 0; i < 1200; i++) gcs.buckets.put(bucket, `small/${i}`, Buffer.from('x'));
  });
  afterAll(async () => {
    await proxy.close();
    await gcs.stop();
  });
  afterEach(() => proxy.heal());

  function open(gate: RequestGate = createRequestGateLog(), retryTimeoutMs = 60_000): Source {
    const settings = { endpoint: proxy.endpoint, credentials: { token: gcs.token } };
    return createGcsSource('gs://data', {}, { settings, gate, retryTimeoutMs });
  }
  async function largeOf(source: Source) {
    return (await objectsOf(source)).find(({ key }) => key === 'large')!;
  }

  it('passes on how long it should wait, and tries again', async () => {
    const gate = createRequestGateLog();
    proxy.inject(
      { kind: 'answer', status: 429, headers: { 'retry-after': '1' }, body: SLOWER },
      { times: 1 },
    );
    expect((await open(gate).page!(FULL_RANGE, 1, neverAborted())).keys).toEqual(['large']);
    expect(gate.throttles).toEqual([1000]);
    expect(gate.passed).toHaveLength(2);
  });

  it('continues after every form of throttling, in reads and listings', async () => {
    const gate = createRequestGateLog();
    const source = open(gate);
    const object = await largeOf(source);
    proxy.inject({ kind: 'answer', status: 503 }, { times: 1 });
    proxy.inject({ kind: 'answer', status: 429, body: SLOWER }, { times: 1 });
    proxy.inject({ kind: 'answer', status: 403, body: SLOWER }, { times: 1 });
    expect(content.equals(await bytesOf(source, object))).toBe(true);
    proxy.inject({ kind: 'answer', status: 429, body: SLOWER }, { times: 1 });
    expect(await keysOf(source)).toHaveLength(1201);
    expect(gate.throttles).toEqual([null, null, null, null]);
  });

  it('asks the gate before every request, and sends no other', async () => {
    const gate = createRequestGateLog();
    const before = proxy.requests.length;
    proxy.inject({ kind: 'answer', status: 500 }, { times: 2 });
    const source = open(gate);
    await bytesOf(source, await largeOf(source));
    expect(proxy.requests.length - before).toBe(gate.passed.length);
    expect(gate.passed.map(({ kind }) => kind)).toEqual(['list', 'list', 'list', 'list', 'read']);
  });

  it('lists everything once though answers break off in the middle', async () => {
    const keys = await keysOf(open());
    for (const kind of ['cut', 'shorten'] as const) {
      for (const afterBytes of [0, 100, 50_000]) {
        proxy.inject({ kind, afterBytes }, { times: 1 });
        expect(await keysOf(open())).toEqual(keys);
      }
    }
  });

  it('lives through an outage while it lists', async () => {
    const gate = createRequestGateLog(async (request) => {
      if (request === 2) await proxy.disconnect();
      if (request === 5) await proxy.reconnect();
    });
    expect(await keysOf(open(gate))).toHaveLength(1201);
    expect(gate.passed).toHaveLength(5);
  });

  it.each(['cut', 'shorten'] as const)(
    'continues at the byte it reached when a stream is %s',
    async (kind) => {
      const source = open();
      const object = await largeOf(source);
      const first = proxy.requests.length;
      proxy.inject({ kind, afterBytes: 1_000_000 }, { times: 2 });
      expect(content.equals(await bytesOf(source, object))).toBe(true);
      const requests = proxy.requests.slice(first);
      const ranges = requests.map(({ headers }) => headers.range);
      expect(ranges).toEqual([undefined, `bytes=1000000-${SIZE - 1}`, `bytes=2000000-${SIZE - 1}`]);
      const { generation } = bucket.objects.get('large')!;
      for (const { url } of requests) expect(url).toContain(`ifGenerationMatch=${generation}`);
    },
  );

  it('refuses the rest of an object that was written meanwhile', async () => {
    gcs.buckets.put(bucket, 'meanwhile', content);
    const gate = createRequestGateLog((request) => {
      if (request === 4) gcs.buckets.put(bucket, 'meanwhile', Buffer.alloc(SIZE));
    });
    const source = open(gate);
    const object = (await objectsOf(source)).find(({ key }) => key === 'meanwhile')!;
    proxy.inject({ kind: 'cut', afterBytes: 1_000_000 }, { times: 1 });
    await expect(bytesOf(source, object)).rejects.toMatchObject({ kind: 'changed' });
    // The last request asks whether the object was replaced or deleted.
    expect(gate.passed.map(({ kind }) => kind).slice(2)).toEqual(['read', 'read', 'head']);
    bucket.objects.delete('meanwhile');
  });

  it('distinguishes a deleted object from a changed one, whatever status the precondition returns', async () => {
    gcs.buckets.put(bucket, 'gone', content);
    const source = open();
    const object = (await objectsOf(source)).find(({ key }) => key === 'gone')!;
    proxy.inject({ kind: 'answer', status: 412 }, { times: 1 });
    await expect(bytesOf(source, object)).rejects.toMatchObject({ kind: 'changed' });
    bucket.objects.delete('gone');
    proxy.inject({ kind: 'answer', status: 412 }, { times: 1 });
    await expect(bytesOf(source, object)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(bytesOf(source, object)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('fails at its retry timeout and reports the cause', async () => {
    const source = open(createRequestGateLog(), 10);
    proxy.inject({ kind: 'answer', status: 500 });
    const message = expect.stringMatching(/failed: .*\(500\)\. Tried \d+ times/);
    await expect(keysOf(source)).rejects.toMatchObject({ kind: 'unavailable', retry: true, message });
  });

  it('does not take the whole for a part', async () => {
    const source = open(createRequestGateLog(), 1);
    const object = await largeOf(source);
    proxy.inject({ kind: 'answer', status: 200, body: 'x'.repeat(1000) });
    await expect(bytesOf(source, object, { from: 5, to: 10 })).rejects.toMatchObject({
      message: expect.stringContaining('came whole, though a part was asked for'),
    });
  });

  it('closes the connection when it is aborted', async () => {
    const source = open();
    const object = await largeOf(source);
    const abort = new AbortController();
    const reason = new Error('enough');
    proxy.inject({ kind: 'hang' });
    setImmediate(() => abort.abort(reason));
    await expect(bytesOf(source, object, null, abort.signal)).rejects.toBe(reason);
  });
});
