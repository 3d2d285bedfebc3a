/** Accounts with a hierarchical namespace. No emulator supports one, so this file contains a minimal server. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import { keysOf, neverAborted } from '../source-test-helpers.ts';
import { createAzureSource } from './azure-source.ts';
import { FLAT, HIERARCHICAL, type NameOrder } from './name-order.ts';

let server: Server;
let endpoint: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://account');
    response.setHeader('content-type', 'application/xml');
    if (searchParams.get('comp') === 'list')
      return response.end(listing(searchParams, pathname === '/flat' ? FLAT : HIERARCHICAL));
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

/** Folders are listed as blobs, before their contents. */
const files = ['a-b', 'a.txt', 'a/b-c', 'a/b.d/x', 'a/b/y', 'a0', 'c/1', 'c/2'];
const folders = ['a', 'a/b', 'a/b.d', 'c'];

/** `closed`: the credential may not call Get Account Information, as is usual for managed identities. */
describe.each(['open', 'closed'])('a hierarchical namespace (%s)', (container) => {
  it('is listed in byte order from any key on, without folders', async () => {
    expect(await keysOf(open(container))).toEqual(files);
    for (const [i, name] of files.entries()) {
      const rest = { after: keyOf(name), upTo: null };
      expect(await keysOf(open(container), rest)).toEqual(files.slice(i + 1));
      expect(await open(container).find(keyOf(name), neverAborted())).toMatchObject({ key: name });
    }
    for (const name of folders) expect(await open(container).find(keyOf(name), neverAborted())).toBeNull();
  });

  it('loses nothing on either side of a bound that is not a blob', async () => {
    for (const bound of ['a-', 'a.', 'a!', 'a/b-', 'a/b/', 'c-', 'c.', 'c/', 'b', 'c-1/x'].map(keyOf)) {
      const before = await keysOf(open(container), { after: '' as Key, upTo: bound });
      const after = await keysOf(open(container), { after: bound, upTo: null });
      expect([...before, ...after]).toEqual(files);
    }
  });
});

describe('a flat namespace whose kind is unknown', () => {
  it('loses nothing', async () => {
    for (const bound of ['a-', 'a.', 'a/b-', 'a/b/', 'c-', 'c/', 'b'].map(keyOf)) {
      const before = await keysOf(open('flat'), { after: '' as Key, upTo: bound });
      const after = await keysOf(open('flat'), { after: bound, upTo: null });
      expect([...before, ...after]).toEqual(files);
    }
  });
});

function open(container: string) {
  return createAzureSource(
    `az://acct/${container}`,
    {},
    { settings: { endpoint, anonymous: true }, retryTimeoutMs: 1 },
  );
}

function listing(parameters: URLSearchParams, { sortKeyOf: place }: NameOrder): string {
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
