import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A test server with responses that no real one can be made to send. Records the requests. */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  readonly requests: { readonly url: URL; readonly headers: IncomingMessage['headers'] }[];
}

export interface S3Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Each request is answered by `reply`, which gets the number of requests before it. */
export async function startS3Server(reply: (url: URL, before: number) => S3Reply): Promise<S3Server> {
  const requests: S3Server['requests'] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://server');
    const { status = 200, headers = {}, body = '' } = reply(url, requests.length);
    requests.push({ url, headers: request.headers });
    request.resume();
    response.writeHead(status, { date: new Date().toUTCString(), ...headers }).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function listingOf(contents: readonly string[], more = ''): S3Reply {
  const body = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>bucket</Name><KeyCount>${contents.length}</KeyCount>
<MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>${more}${contents.join('')}</ListBucketResult>`;
  return { headers: { 'content-type': 'application/xml' }, body };
}

export function entryOf(key: string, more = ''): string {
  return `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>&quot;abc&quot;</ETag><Size>3</Size>${more}</Contents>`;
}

export function errorOf(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  more = '',
): S3Reply {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>It is so.</Message>${more}</Error>`;
  return { status, headers: { 'content-type': 'application/xml', ...headers }, body };
}
