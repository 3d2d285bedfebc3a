import { afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { SeineError } from '../../src/base/errors.ts';
import { FULL_RANGE } from '../../src/base/range.ts';
import { createRequestGateLog } from '../../src/sources/request-gate.fixture.ts';
import type { RequestGate } from '../../src/sources/request-gate.ts';
import { createS3Source } from '../../src/sources/s3/s3-source.ts';
import { bytesOf, keysOf, neverAborted, objectsOf } from '../../src/sources/source-test-helpers.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Bucket, freshBucket } from '../support/servers/s3-bucket.ts';

const server = inject('s3');
const SIZE = 3 << 20;
const content = Buffer.from(Uint32Array.from({ length: SIZE / 4 }, (_, i) => i * 2654435761).buffer);

describe('S3 behind a bad connection', () => {
  if ('missing' in server) return it.skip(server.missing, () => {});
  let proxy: FaultProxy;
  let bucket: Bucket;

  beforeAll(async () => {
    proxy = await startFaultProxy(server.endpoint);
    bucket = await freshBucket(server);
    const small = Array.from({ length: 1200 }, (_, i) => [`small/${i}`, 'x'] as const);
    await bucket.putAll(new Map<string, Uint8Array | string>([['large', content], ...small]));
    return () => proxy.close();
  });
  afterEach(() => {
    vi.useRealTimers();
    proxy.heal();
  });

  function open(gate: RequestGate = createRequestGateLog(), retryTimeoutMs = 60_000) {
    const settings = { ...bucket.settings, endpoint: proxy.endpoint };
    return createS3Source(`s3://${bucket.name}`, {}, { settings, gate, retryTimeoutMs });
  }
  async function largeOf(source: ReturnType<typeof open>) {
    return (await objectsOf(source)).find(({ key }) => key === 'large')!;
  }

  describe('that is throttled', () => {
    const wishes: [string, () => string, number, number][] = [
      ['in seconds', () => '1', 1000, 1000],
      ['as a date', () => new Date(Date.now() + 2000).toUTCString(), 1001, 2000],
      ['in no way that is of use', () => 'soon', Number.NaN, Number.NaN],
    ];
    it.each(wishes)('reports how long to wait, given as %s, and retries', async (_how, wish, min, max) => {
      vi.useFakeTimers({ toFake: ['Date'] }); // a date comes closer while the answer is on its way
      const gate = createRequestGateLog();
      const source = open(gate);
      proxy.inject({ kind: 'answer', status: 503, headers: { 'retry-after': wish() } }, { times: 1 });
      expect((await source.page!(FULL_RANGE, 1, neverAborted())).keys).toEqual(['large']);
      expect(gate.passed).toHaveLength(2);
      expect(gate.throttles).toHaveLength(1);
      if (Number.isNaN(min)) return expect(gate.throttles).toEqual([null]);
      expect(gate.throttles[0]).toBeGreaterThanOrEqual(min);
      expect(gate.throttles[0]).toBeLessThanOrEqual(max);
    });

    it('by 429, by SlowDown in reads and in listings, continues', async () => {
      const gate = createRequestGateLog();
      const source = open(gate);
      const object = await largeOf(source);
      const slow = '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>slow</Message></Error>';
      proxy.inject({ kind: 'answer', status: 429 }, { times: 1 });
      proxy.inject({ kind: 'answer', status: 503, body: slow }, { times: 2 });
      expect(content.equals(await bytesOf(source, object))).toBe(true);
      expect(gate.throttles).toEqual([null, null, null]);
    });
  });

  it('asks the gate before every request, and sends no other', async () => {
    const gate = createRequestGateLog();
    const before = proxy.requests.length;
    proxy.inject({ kind: 'answer', status: 500 }, { times: 2 });
    const source = open(gate);
    await bytesOf(source, await largeOf(source));
    expect(proxy.requests.length - before).toBe(gate.passed.length);
    expect(gate.passed.map(({ kind }) => kind)).toEqual(['list', 'list', 'list', 'list', 'read']);
    expect(gate.passed.at(-1)?.bytes).toBe(SIZE);
  });

  it('sends nothing when the gate is shut', async () => {
    const before = proxy.requests.length;
    const spent = new SeineError('limit', 'The budget is spent.');
    const gate: RequestGate = { admit: () => Promise.reject(spent), throttled: () => {} };
    await expect(keysOf(open(gate))).rejects.toBe(spent);
    expect(proxy.requests.length).toBe(before);
  });

  it('lists everything once though answers break off in the middle', async () => {
    const keys = await keysOf(open());
    for (const kind of ['cut', 'shorten'] as const) {
      proxy.inject({ kind, afterBytes: 5000 }, { times: 2 });
      proxy.inject({ kind, afterBytes: 0 }, { times: 1 });
      proxy.inject({ kind: 'answer', status: 500 }, { times: 1 });
      expect(await keysOf(open())).toEqual(keys);
    }
  });

  it('lives through an outage while it lists', async () => {
    const failures = 4;
    const gate = createRequestGateLog(async (request) => {
      if (request === 2) await proxy.disconnect();
      if (request === 2 + failures) await proxy.reconnect();
    });
    expect(await keysOf(open(gate))).toHaveLength(1201);
    expect(gate.passed.length).toBe(2 + failures);
  });

  describe('reading', () => {
    it.each(['cut', 'shorten'] as const)(
      'goes on at the byte it reached when the stream is %s',
      async (kind) => {
        const source = open();
        const object = await largeOf(source);
        const first = proxy.requests.length;
        proxy.inject({ kind, afterBytes: 1_000_000 }, { times: 2 });
        expect(content.equals(await bytesOf(source, object))).toBe(true);
        const headers = proxy.requests.slice(first).map((request) => request.headers);
        expect(headers.map(({ range }) => range)).toEqual([
          undefined,
          `bytes=1000000-${SIZE - 1}`,
          `bytes=2000000-${SIZE - 1}`,
        ]);
        expect(new Set(headers.map((header) => header['if-match'])).size).toBe(1);
        expect(headers[0]?.['if-match']).toMatch(/^"[0-9a-f]{32}"$/);
      },
    );

    it('of an interrupted range stays within it', async () => {
      const source = open();
      const object = await largeOf(source);
      proxy.inject({ kind: 'cut', afterBytes: 10 }, { times: 2 });
      const range = await bytesOf(source, object, { from: 100, to: 2_000_100 });
      expect(content.subarray(100, 2_000_100).equals(range)).toBe(true);
    });

    it('refuses the rest of an object that was written meanwhile', async () => {
      const one = await freshBucket(server);
      await one.put('x', content);
      const settings = { ...one.settings, endpoint: proxy.endpoint };
      const gate = createRequestGateLog(async (request) => {
        if (request === 3) await one.put('x', Buffer.alloc(SIZE));
      });
      const source = createS3Source(`s3://${one.name}`, {}, { settings, gate });
      const [object] = await objectsOf(source);
      proxy.inject({ kind: 'cut', afterBytes: 1_000_000 }, { times: 1 });
      await expect(bytesOf(source, object!)).rejects.toMatchObject({ kind: 'changed' });
      expect(gate.passed).toHaveLength(3);
    });
  });

  it('fails at its retry timeout and reports the cause', async () => {
    const source = open(createRequestGateLog(), 10);
    const object = await largeOf(source);
    proxy.inject({ kind: 'answer', status: 500 });
    const expected = {
      kind: 'unavailable',
      retry: true,
      message: expect.stringMatching(/\(500\)\. Tried \d+ times/),
    };
    await expect(keysOf(source)).rejects.toMatchObject(expected);
    await expect(bytesOf(source, object)).rejects.toMatchObject(expected);
    await proxy.disconnect();
    const message = expect.stringMatching(/cannot be reached.*ECONNREFUSED/);
    await expect(keysOf(source)).rejects.toMatchObject({
      kind: 'unavailable',
      message,
      hint: expect.any(String),
    });
    await proxy.reconnect();
  });

  it('does not repeat what no repetition can cure', async () => {
    const source = open();
    const object = await largeOf(source);
    for (const status of [400, 403, 404, 412]) {
      const before = proxy.requests.length;
      proxy.inject({ kind: 'answer', status }, { times: 1 });
      await expect(bytesOf(source, object)).rejects.toMatchObject({ retry: false });
      expect(proxy.requests.length - before).toBe(1);
    }
  });

  it('stops while it waits for a better time', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    proxy.inject({ kind: 'answer', status: 503, headers: { 'retry-after': '3600' } });
    const gate: RequestGate = {
      ...createRequestGateLog(),
      throttled: () => void setImmediate(() => abort.abort(reason)),
    };
    await expect(keysOf(open(gate), FULL_RANGE, abort.signal)).rejects.toBe(reason);
  });
});
