import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { type HttpServer, startHttpServer } from '../http-server.fixture.ts';
import { openSource } from '../open.ts';
import type { SourceSettings } from '../settings.ts';
import { bytesOf, keysOf, neverAborted } from '../source-test-helpers.ts';
import { identityOf } from '../store/store-client.ts';
import { openWriter } from '../writer/open-writer.ts';
import { readText } from './request.ts';
import { answer, CONTENT } from './three-stores.fixture.ts';
import { storesAt } from './use-stores.fixture.ts';

const names = ['S3', 'Azure', 'Google'];
const size = CONTENT.length;
const object = { key: keyOf('a'), size, modified: 0, identity: identityOf('1', size, 0) };

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0)); // no pauses between attempts
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** The named store at an endpoint, as a source and as a writer. */
function storeAt(name: string, endpoint: string, change: (endpoint: string) => string = (same) => same) {
  const [target, given] = storesAt({ s3: endpoint, azure: endpoint, gcs: endpoint })[names.indexOf(name)]!;
  const settings: SourceSettings = { ...given, endpoint: change(given.endpoint!) };
  const access = { settings, retryTimeoutMs: 0 };
  return {
    list: async () => keysOf(await openSource(target, {}, access)),
    read: async () => String(await bytesOf(await openSource(target, {}, access), object)),
    write: async () => openWriter(`${target}/out`, access).put('x', [Buffer.from('y')], neverAborted()),
  };
}

const errorIn = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

describe.each(names)('%s', (name) => {
  it.each([301, 302, 307, 308])(
    'follows no redirect (%d): no credential gets to another host',
    async (status) => {
      let elsewhere = 0;
      await using other = await startHttpServer((_request, response) => {
        elsewhere++;
        response.end();
      });
      await using server = await startHttpServer((request, response) => {
        request.resume();
        response.writeHead(status, { location: `${other.endpoint}${request.url}` }).end();
      });
      const store = storeAt(name, server.endpoint);
      for (const work of [store.list, store.read, store.write]) {
        expect(await errorIn(work())).toMatchObject({ kind: expect.stringMatching(/usage|unavailable/) });
      }
      expect(elsewhere).toBe(0);
    },
  );

  it('accepts an endpoint with a path and trailing slashes', async () => {
    const paths: string[] = [];
    await using server = await startHttpServer((request, response) => {
      paths.push(request.url ?? '');
      request.url = request.url?.replace('/gateway', '');
      if (request.method === 'GET') return answer(request, response);
      request.resume();
      response.writeHead(name === 'Azure' ? 201 : 200).end('{}');
    });
    const store = storeAt(name, `${server.endpoint}/gateway`, (endpoint) => `${endpoint}//`);
    expect(await store.list()).toEqual(['a']);
    expect(await store.read()).toBe(CONTENT);
    await store.write();
    for (const path of paths) expect(path).toMatch(/^\/gateway\/[^/]/);
  });

  it.each(['http://me:hidden@127.0.0.1:9', 'http://127.0.0.1:9/?sig=hidden', 'ftp://127.0.0.1:9'])(
    'takes no endpoint like %s, and does not show what is secret in it',
    async (endpoint) => {
      const error = await errorIn(storeAt(name, '', () => endpoint).list());
      expect(error).toMatchObject({ kind: 'usage', hint: expect.any(String) });
      expect(String(error)).not.toContain('hidden');
    },
  );

  it('does not buffer an endless error response', async () => {
    await using server = await startHttpServer((_request, response) => pourOut(response.writeHead(400)));
    const store = storeAt(name, server.endpoint);
    for (const work of [store.list, store.read]) {
      expect(await errorIn(work())).toMatchObject({ kind: 'usage' });
    }
    await expect.poll(() => server.connections(), { timeout: 20_000 }).toBe(0);
  });

  it('accepts a response with large metadata headers', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`x-meta-${i}`, 'm'.repeat(2000)] as const),
    );
    await using server = await serverWith(metadata);
    expect(await storeAt(name, server.endpoint).read()).toBe(CONTENT);
  });

  it('reports that the store cannot be reached if the response is not HTTP', async () => {
    await using server = await startHttpServer((request) => void request.socket.end('SSH-2.0-x\r\n'));
    expect(await errorIn(storeAt(name, server.endpoint).read())).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a body', () => {
  it('is rejected if it is too long for a listing', async () => {
    await using server = await startHttpServer((_request, response) => pourOut(response));
    const answer = await get(server);
    await expect(readText(answer, 1 << 20)).rejects.toMatchObject({ kind: 'corrupt' });
    await expect.poll(() => server.connections(), { timeout: 20_000 }).toBe(0);
  });
});

/** Endless, as fast as the client reads. */
function pourOut(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(1 << 16, 'x')));
  };
  response.on('drain', more);
  more();
}

function serverWith(headers: Record<string, string>): Promise<HttpServer> {
  return startHttpServer((_request, response) => response.writeHead(200, headers).end(CONTENT));
}

async function get({ endpoint }: HttpServer): Promise<IncomingMessage> {
  const { sendRequest } = await import('./request.ts');
  return sendRequest('gcs', { to: new URL(endpoint), path: '/', headers: {} }, neverAborted());
}
