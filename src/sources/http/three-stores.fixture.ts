import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificate } from './certificate.fixture.ts';

/** A server that responds like S3, Azure and Google: a bucket `box` with one object `a`, which accepts all writes. */
export interface ThreeStores extends AsyncDisposable {
  readonly port: number;
  readonly requests: IncomingMessage[];
  /** The objects written, by path. */
  readonly written: Map<string, string>;
}

export interface ThreeStoresOptions {
  readonly host?: string;
  readonly certificate?: TestCertificate;
}

export const CONTENT = 'content';

export async function startThreeStores({
  host = '127.0.0.1',
  certificate,
}: ThreeStoresOptions = {}): Promise<ThreeStores> {
  const requests: IncomingMessage[] = [];
  const written = new Map<string, string>();
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push(request);
    if (request.method === 'GET') return answer(request, response);
    const body = Buffer.concat(await request.toArray()).toString();
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
    written.set(searchParams.get('name') ?? pathname, body);
    response.writeHead(request.headers['x-ms-version'] ? 201 : 200).end('{}');
  };
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    written,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://server');
  if (searchParams.has('list-type')) response.end(S3);
  else if (searchParams.get('comp') === 'list') response.end(AZURE);
  else if (pathname.endsWith('/b/box/o')) response.end(GCS);
  else if (searchParams.get('restype') === 'account') response.end();
  else response.writeHead(200, { 'content-length': CONTENT.length }).end(CONTENT);
}

const S3 = `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified>
<ETag>"1"</ETag><Size>${CONTENT.length}</Size></Contents></ListBucketResult>`;
const AZURE = `<EnumerationResults><Blobs><Blob><Name>a</Name><Properties><Content-Length>${CONTENT.length}</Content-Length><Etag>1</Etag>
</Properties></Blob></Blobs><NextMarker /></EnumerationResults>`;
const GCS = JSON.stringify({
  kind: 'storage#objects',
  items: [{ name: 'a', size: String(CONTENT.length), generation: '1' }],
});
