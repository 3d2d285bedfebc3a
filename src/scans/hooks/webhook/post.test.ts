import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AllowList } from './allow-list.ts';
import { type PostRequest, post } from './post.ts';
import type { Address } from './resolve.ts';

const servers: Server[] = [];
const never = new AbortController().signal;

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(answer: RequestListener): Promise<{ port: number; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, requests };
}

const wish = (
  url: string,
  more: Partial<PostRequest> = {},
  resolve?: () => Promise<Address[]>,
): PostRequest => ({
  url: new URL(url),
  headers: { 'Content-Type': 'application/json' },
  body: '{}',
  reachable: { allowPrivate: true, allow: new AllowList([]), resolve },
  timeoutMs: 5000,
  ...more,
});

describe('a POST to a receiver', () => {
  it('brings the body and the headers, and gives the status', async () => {
    const bodies: string[] = [];
    const { port, requests } = await listen(async (request, response) => {
      bodies.push((await request.toArray()).join(''));
      response.writeHead(202, { 'retry-after': '3' }).end('thanks');
    });
    const answer = await post(wish(`http://127.0.0.1:${port}/hook?x=1`, { body: '{"a":1}' }), never);
    expect(answer).toMatchObject({ status: 202, retryAfter: '3' });
    expect(bodies).toEqual(['{"a":1}']);
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/hook?x=1' });
    expect(requests[0]!.headers['content-type']).toBe('application/json');
  });

  it('does not follow a redirect', async () => {
    const { port, requests } = await listen((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    });
    expect((await post(wish(`http://127.0.0.1:${port}/`), never)).status).toBe(307);
    expect(requests).toHaveLength(1);
  });

  it('connects to the address that was checked, though the name means another by then', async () => {
    const { port, requests } = await listen((_, response) => response.end());
    let lookups = 0;
    const rebinding = async (): Promise<Address[]> => [
      { address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 },
    ];
    const answer = await post(wish(`http://hooks.example.com:${port}/`, {}, rebinding), never);
    expect({ status: answer.status, lookups, arrived: requests.length }).toEqual({
      status: 200,
      lookups: 1,
      arrived: 1,
    });
    expect(requests[0]!.headers.host).toBe(`hooks.example.com:${port}`);
  });

  it('never reaches a private receiver by a name that was public when it was checked', async () => {
    const { port, requests } = await listen((_, response) => response.end());
    let lookups = 0;
    const rebinding = async (): Promise<Address[]> => [
      { address: lookups++ === 0 ? '192.0.2.1' : '127.0.0.1', family: 4 }, // TEST-NET-1: never reachable
    ];
    const guarded = { allowPrivate: false, allow: new AllowList(['192.0.2.0/24']), resolve: rebinding };
    const url = `http://hooks.example.com:${port}/`;
    await expect(post(wish(url, { reachable: guarded, timeoutMs: 300 }), never)).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect({ lookups, arrived: requests.length }).toEqual({ lookups: 1, arrived: 0 });
  });

  it('is not sent at all where it is not allowed', async () => {
    const { port, requests } = await listen((_, response) => response.end());
    const guarded = { allowPrivate: false, allow: new AllowList([]) };
    for (const host of ['127.0.0.1', '2130706433', '0177.0.0.1', '[::ffff:127.0.0.1]', 'localhost']) {
      const promise = post(wish(`http://${host}:${port}/`, { reachable: guarded }), never);
      await expect(promise).rejects.toMatchObject({ kind: 'permission', retry: false });
    }
    expect(requests).toHaveLength(0);
  });

  it('fails when no response arrives in time, and may be retried', async () => {
    const { port } = await listen(() => {});
    await expect(post(wish(`http://127.0.0.1:${port}/`, { timeoutMs: 100 }), never)).rejects.toMatchObject({
      kind: 'unavailable',
      retry: true,
      message: expect.stringContaining('did not answer'),
    });
  });

  it('fails when the name is not resolved in time', async () => {
    const silent = () => new Promise<Address[]>(() => {});
    const promise = post(wish('http://hooks.example.com/', { timeoutMs: 100 }, silent), never);
    await expect(promise).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('counts the status of an answer whose text never ends', async () => {
    const { port } = await listen((_, response) => {
      response.writeHead(200);
      response.write('x'.repeat(1 << 20));
    });
    expect((await post(wish(`http://127.0.0.1:${port}/`), never)).status).toBe(200);
  });

  it('is retryable when the connection is refused', async () => {
    const { port } = await listen(() => {});
    for (const server of servers.splice(0)) server.close();
    await expect(post(wish(`http://127.0.0.1:${port}/`), never)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('is broken off when the process stops', async () => {
    const stop = new AbortController();
    const { port } = await listen(() => stop.abort(new Error('stopping')));
    await expect(post(wish(`http://127.0.0.1:${port}/`), stop.signal)).rejects.toThrow('stopping');
  });
});
