/** Accounts with a hierarchical namespace: no emulator has one, so a few lines here answer as one would. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { keysOf, never } from '../probe.ts';
import { createAzureSource } from './azure-source.ts';
import { HIERARCHICAL } from './name-order.ts';

let server: Server;
let endpoint: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://account');
    response.setHeader('content-type', 'application/xml');
    if (searchParams.get('comp') === 'list') return response.end(listing(searchParams));
    if (pathname === '/open') return response.writeHead(200, { 'x-ms-is-hns-enabled': 'true' }).end();
    response.writeHead(403, { 'x-ms-error-code': 'AuthorizationPermissionMismatch' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Folders are listed as blobs of their own, before what is in them. */
const files = ['a-b', 'a.txt', 'a/b-c', 'a/b.d/x', 'a/b/y', 'a0', 'c/1', 'c/2'];
const folders = ['a', 'a/b', 'a/b.d', 'c'];

describe('a hierarchical namespace', () => {
  it('is listed in byte order from any key on, without its folders', async () => {
    expect(await keysOf(open('open'))).toEqual(files);
    for (const [i, name] of files.entries()) {
      const rest = { after: keyOf(name), upTo: null };
      expect(await keysOf(open('open'), rest)).toEqual(files.slice(i + 1));
      expect(await open('open').find(keyOf(name), never())).toMatchObject({ key: name });
    }
    for (const name of folders) expect(await open('open').find(keyOf(name), never())).toBeNull();
  });

  it('that nobody may ask about is refused instead of losing blobs', async () => {
    await expect(keysOf(open('closed'))).rejects.toMatchObject({
      kind: 'corrupt',
      hint: expect.stringContaining('Get Account Information'),
    });
  });
});

function open(container: string) {
  return createAzureSource(
    `az://acct/${container}`,
    {},
    { settings: { endpoint, anonymous: true }, patienceMs: 1 },
  );
}

function listing(parameters: URLSearchParams): string {
  const place = HIERARCHICAL.placeOf;
  const [prefix, start] = [parameters.get('prefix') ?? '', parameters.get('startFrom') ?? ''];
  const rest = [...files, ...folders]
    .filter((name) => name.startsWith(prefix) && place(name) >= place(start))
    .sort((a, b) => (place(a) < place(b) ? -1 : 1));
  const some = rest.slice(0, 3);
  const blobs = some.map(
    (name) =>
      `<Blob><Name>${name}</Name><Properties><Last-Modified>Sun, 15 Nov 2026 12:00:00 GMT</Last-Modified><Etag>0x1</Etag>` +
      `<Content-Length>0</Content-Length></Properties>${folders.includes(name) ? '<Metadata><hdi_isfolder>true</hdi_isfolder></Metadata>' : ''}</Blob>`,
  );
  const marker = some.length < rest.length ? 'more' : '';
  return `<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="box"><Blobs>${blobs.join('')}</Blobs><NextMarker>${marker}</NextMarker></EnumerationResults>`;
}
