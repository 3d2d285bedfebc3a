import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FULL_RANGE } from '../../src/base/range.ts';
import { createAzureSource } from '../../src/sources/azure/azure-source.ts';
import { createRequestGateLog } from '../../src/sources/request-gate.fixture.ts';
import type { RequestGate } from '../../src/sources/request-gate.ts';
import type { Source } from '../../src/sources/source.ts';
import { bytesOf, keysOf, neverAborted, objectsOf } from '../../src/sources/source-test-helpers.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Azurite, type Container, freshContainer, startAzurite } from '../support/servers/azurite.ts';

const SIZE = 3 << 20;
const content = Buffer.from(Uint32Array.from({ length: SIZE / 4 }, (_, i) => i * 2654435761).buffer);
const BUSY =
  '<?xml version="1.0" encoding="utf-8"?><Error><Code>ServerBusy</Code><Message>The server is busy.</Message></Error>';

describe('Azure (Azurite) behind a bad connection', () => {
  let azurite: Azurite;
  let proxy: FaultProxy;
  let container: Container;

  beforeAll(async () => {
    azurite = await startAzurite();
    proxy = await startFaultProxy(new URL(azurite.endpoint).origin);
    container = await freshContainer(azurite);
    const small = Array.from({ length: 300 }, (_, i) => [`small/${i}`, 'x'] as const);
    await container.putAll(new Map<string, Uint8Array | string>([['large', content], ...small]));
  });
  afterAll(async () => {
    await proxy.close();
    await azurite.stop();
  });
  afterEach(() => proxy.heal());

  function open(gate: RequestGate = createRequestGateLog(), retryTimeoutMs = 60_000): Source {
    const settings = { ...container.settings, endpoint: `${proxy.endpoint}/${azurite.account}` };
    return createAzureSource(container.target, {}, { settings, gate, retryTimeoutMs });
  }
  async function largeOf(source: Source) {
    return (await objectsOf(source)).find(({ key }) => key === 'large')!;
  }

  it('passes on how long it should wait, and tries again', async () => {
    const gate = createRequestGateLog();
    const source = open(gate);
    proxy.inject({ kind: 'answer', status: 503, headers: { 'retry-after': '1' }, body: BUSY }, { times: 1 });
    expect((await source.page!(FULL_RANGE, 1, neverAborted())).keys).toEqual(['large']);
    expect(gate.throttles).toEqual([1000]);
    // The kind of the namespace, asked twice; Azurite does not say it, so the page shows it and is then asked for again.
    expect(gate.passed).toHaveLength(5);
  });

  it('continues after every form of throttling, in reads and listings', async () => {
    const gate = createRequestGateLog();
    const source = open(gate);
    const object = await largeOf(source);
    proxy.inject({ kind: 'answer', status: 429 }, { times: 1 });
    proxy.inject({ kind: 'answer', status: 503, body: BUSY }, { times: 2 });
    expect(content.equals(await bytesOf(source, object))).toBe(true);
    proxy.inject({ kind: 'answer', status: 503, body: BUSY }, { times: 1 });
    expect(await keysOf(source)).toHaveLength(301);
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
    const isList = ({ url }: { url: string }) => url.includes('comp=list');
    for (const kind of ['cut', 'shorten'] as const) {
      for (const afterBytes of [0, 100, 5000, 50_000]) {
        proxy.inject({ kind, afterBytes }, { times: 1, match: isList });
        expect(await keysOf(open())).toEqual(keys);
      }
    }
  });

  it('lives through an outage while it lists', async () => {
    const gate = createRequestGateLog(async (request) => {
      if (request === 2) await proxy.disconnect();
      if (request === 5) await proxy.reconnect();
    });
    expect(await keysOf(open(gate))).toHaveLength(301);
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
      const headers = proxy.requests.slice(first).map((request) => request.headers);
      expect(headers.map((header) => header.range)).toEqual([
        undefined,
        `bytes=1000000-${SIZE - 1}`,
        `bytes=2000000-${SIZE - 1}`,
      ]);
      expect(new Set(headers.map((header) => header['if-match'])).size).toBe(1);
    },
  );

  it('refuses the rest of a blob that was written meanwhile', async () => {
    await container.put('meanwhile', content);
    const gate = createRequestGateLog(async (request) => {
      if (request === 4) await container.put('meanwhile', Buffer.alloc(SIZE));
    });
    const source = open(gate);
    const object = (await objectsOf(source)).find(({ key }) => key === 'meanwhile')!;
    proxy.inject({ kind: 'cut', afterBytes: 1_000_000 }, { times: 1 });
    await expect(bytesOf(source, object)).rejects.toMatchObject({ kind: 'changed' });
    // The last request asks whether the blob was replaced or deleted.
    expect(gate.passed.map(({ kind }) => kind).slice(2)).toEqual(['read', 'read', 'head']);
    await container.client.deleteBlob('meanwhile');
  });

  it('fails at its retry timeout and reports the cause', async () => {
    const source = open(createRequestGateLog(), 10);
    const object = await largeOf(source);
    proxy.inject({ kind: 'answer', status: 500 });
    const message = expect.stringMatching(/failed: .*\(500\)\. Tried \d+ times/);
    await expect(keysOf(source)).rejects.toMatchObject({ kind: 'unavailable', retry: true, message });
    await expect(bytesOf(source, object)).rejects.toMatchObject({ kind: 'unavailable', retry: true });
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
