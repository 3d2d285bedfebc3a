import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { createAzureSource } from '../azure/azure-source.ts';
import { createGcsSource } from '../gcs/gcs-source.ts';
import { type HttpServer, startHttpServer } from '../http-server.fixture.ts';
import { createRequestGateLog } from '../request-gate.fixture.ts';
import { createS3Source } from '../s3/s3-source.ts';
import type { Source, SourceObject } from '../source.ts';
import { bytesOf, neverAborted } from '../source-test-helpers.ts';
import { identityOf } from './store-client.ts';

const SIZE = 200_000;
const content = Buffer.from(Uint32Array.from({ length: SIZE / 4 }, (_, i) => i * 2654435761).buffer);
const object: SourceObject = { key: keyOf('a'), size: SIZE, modified: 0, identity: identityOf('1', SIZE, 0) };
const MANY = 100;

type Open = (server: HttpServer, retryTimeoutMs: number) => Source;
const stores: [string, Open][] = [
  [
    'S3',
    ({ endpoint }, retryTimeoutMs) => {
      const credentials = { accessKeyId: 'KEY', secretAccessKey: 'secret' };
      return createS3Source('s3://box', {}, { settings: { endpoint, credentials }, retryTimeoutMs });
    },
  ],
  [
    'Azure',
    ({ endpoint }, retryTimeoutMs) => {
      const settings = { endpoint: `${endpoint}/acct`, anonymous: true };
      return createAzureSource('az://acct/box', {}, { settings, retryTimeoutMs });
    },
  ],
  [
    'GCS',
    ({ endpoint }, retryTimeoutMs) =>
      createGcsSource('gs://box', {}, { settings: { endpoint, anonymous: true }, retryTimeoutMs }),
  ],
];

/** A successful response to the request, for the requested range. */
function answerWell({ headers }: IncomingMessage, response: ServerResponse): void {
  const [, from = 0, to = SIZE - 1] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
  const part = content.subarray(Number(from), Number(to) + 1);
  const range = { 'content-range': `bytes ${from}-${to}/${SIZE}` };
  response.writeHead(headers.range ? 206 : 200, {
    'content-length': part.length,
    ...(headers.range && range),
  });
  response.end(part);
}

const isGood = ({ url = '' }: IncomingMessage) => url.split('?')[0]!.endsWith('/a');
const bad: SourceObject = { ...object, key: keyOf('bad') };

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0)); // no pauses between attempts
afterEach(() => void vi.restoreAllMocks());

describe.each(stores)('bodies of %s', (_name, open) => {
  /** Sends more requests than there are connections; then a healthy object can be read, and no connection is left in use. */
  async function expectFreeAfter(answer: typeof answerWell, use: (source: Source) => Promise<unknown>) {
    await using server = await startHttpServer((request, response) =>
      isGood(request) ? answerWell(request, response) : answer(request, response),
    );
    const source = open(server, 0);
    await Promise.allSettled(Array.from({ length: MANY }, () => use(source)));
    expect(content.equals(await bytesOf(source, object))).toBe(true);
    await expect.poll(() => server.connections(), { timeout: 20_000 }).toBeLessThanOrEqual(64);
    const before = await server.connections();
    // All connections are free: as many concurrent reads as the limit need no more.
    const reads = Array.from({ length: 64 }, () => bytesOf(source, object));
    for (const bytes of await Promise.all(reads)) expect(content.equals(bytes)).toBe(true);
    expect(before).toBeLessThanOrEqual(64);
  }

  it('leave no connection behind if they are longer than listed', async () => {
    await expectFreeAfter(
      (_request, response) => void response.end(Buffer.alloc(5 << 20)),
      (source) => expect(bytesOf(source, bad)).rejects.toMatchObject({ kind: 'unavailable' }),
    );
  });

  it('leave no connection behind if they break off', async () => {
    await expectFreeAfter(
      (_request, response) => void response.write(content.subarray(0, 1000), () => response.destroy()),
      (source) => expect(bytesOf(source, bad)).rejects.toMatchObject({ kind: 'unavailable' }),
    );
  });

  it.each([
    ['at once', 1],
    ['with the last byte', SIZE],
  ])('that are abandoned %s leave no connection behind', async (_when, enough) => {
    await expectFreeAfter(answerWell, async (source) => {
      let got = 0;
      for await (const chunk of source.read(bad, null, neverAborted())) {
        got += chunk.length;
        if (got >= enough) break;
      }
    });
  });

  it('leave no connection behind if they are aborted', async () => {
    await expectFreeAfter(
      (_request, response) => void response.write(content.subarray(0, 1000)),
      async (source) => {
        const stop = new AbortController();
        for await (const _piece of source.read(bad, null, stop.signal)) stop.abort();
      },
    );
  });

  it.each<[string, number, Record<string, string>, Buffer]>([
    ['another part', 206, { 'content-range': `bytes 0-999/${SIZE}` }, content.subarray(0, 1000)],
    [
      'a part of another size',
      206,
      { 'content-range': `bytes 1000-1999/${SIZE + 1}` },
      content.subarray(1000, 2000),
    ],
    ['a part that does not say which', 206, {}, content.subarray(1000, 2000)],
    [
      'several parts',
      206,
      { 'content-type': 'multipart/byteranges; boundary=x' },
      content.subarray(1000, 2000),
    ],
    ['the whole', 200, {}, content],
  ])('are never %s than was asked for', async (_what, status, headers, body) => {
    await using server = await startHttpServer((_request, response) => {
      response.writeHead(status, headers).end(body);
    });
    const reading = bytesOf(open(server, 0), object, { from: 1000, to: 2000 });
    await expect(reading).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('a cannot be read'),
    });
  });

  it('may end early if the store says so, and the rest is requested', async () => {
    await using server = await startHttpServer((request, response) => {
      const [, from = '0', to = ''] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
      const end = Math.min(Number(from) + 500, Number(to) + 1);
      response.writeHead(206, { 'content-range': `bytes ${from}-${end - 1}/${SIZE}` });
      response.end(content.subarray(Number(from), end));
    });
    const part = await bytesOf(open(server, 60_000), object, { from: 1000, to: 2100 });
    expect(content.subarray(1000, 2100).equals(part)).toBe(true);
  });

  it('are not accepted if they were compressed in transit', async () => {
    await using server = await startHttpServer((request, response) => {
      if (request.headers.range) return answerWell(request, response);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(1000));
    });
    await expect(bytesOf(open(server, 0), object)).rejects.toThrow('encoded on the way');
  });

  it('are returned as stored if they were stored compressed', async () => {
    await using server = await startHttpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': SIZE }).end(content);
    });
    expect(content.equals(await bytesOf(open(server, 0), object))).toBe(true);
  });
});

describe('an object that was deleted', () => {
  it.each(stores.slice(1))(
    'is requested through the gate in %s, and distinguished from one that changed',
    async (name) => {
      for (const isGone of [true, false]) {
        let requests = 0;
        await using server = await startHttpServer((request, response) => {
          requests++;
          const asks = /comp=metadata|fields=generation/.test(request.url ?? '');
          const status = asks ? (isGone ? 404 : 200) : 412;
          response.writeHead(status, {
            'x-ms-error-code': status === 404 ? 'BlobNotFound' : 'ConditionNotMet',
          });
          response.end('{}');
        });
        const gate = createRequestGateLog();
        const access = { settings: { endpoint: server.endpoint, anonymous: true }, gate, retryTimeoutMs: 0 };
        const azure = { ...access, settings: { ...access.settings, endpoint: `${server.endpoint}/acct` } };
        const source =
          name === 'GCS'
            ? createGcsSource('gs://box', {}, access)
            : createAzureSource('az://acct/box', {}, azure);
        const kind = isGone ? 'not-found' : 'changed';
        await expect(bytesOf(source, object)).rejects.toMatchObject({ kind });
        expect(gate.passed.map((passed) => passed.kind)).toEqual(['read', 'head']);
        expect(requests).toBe(2);
      }
    },
  );
});
