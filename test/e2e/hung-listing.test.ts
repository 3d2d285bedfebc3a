/** A store that takes a request and never answers it: Ctrl-C ends the scan all the same, with what was read written down. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSeine } from '../support/seine.ts';

const seine = openSeine();
const hung = Promise.withResolvers<void>();
let store: Server;
let url: string;

const PAGE = `<?xml version="1.0"?><ListBucketResult>
  <IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken>
  <Contents><Key>a.txt</Key><Size>4</Size><ETag>"1"</ETag><LastModified>2024-01-01T00:00:00Z</LastModified></Contents>
</ListBucketResult>`;

beforeAll(async () => {
  store = createServer((request, response) => {
    const query = new URL(request.url!, 'http://store').searchParams;
    const later = query.has('continuation-token') || query.has('start-after');
    if (!query.has('list-type')) response.writeHead(200, { etag: '"1"', 'content-length': 4 }).end('text');
    else if (!later) response.writeHead(200, { 'content-type': 'application/xml' }).end(PAGE);
    else hung.resolve();
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
});
afterAll(async () => {
  store.closeAllConnections();
  store.close();
  await seine.close();
});

it('a listing without an answer does not outlive Ctrl-C', async () => {
  const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'us-east-1' };
  const scan = seine.start(['scan', 's3://bucket/'], { env: { ...env, AWS_ENDPOINT_URL: url } });
  // A scan that ends before it has asked for the second page reports why.
  const early = scan.ended.then(({ stderr }) => Promise.reject(new Error(`The scan ended early: ${stderr}`)));
  await Promise.race([hung.promise, early]);
  scan.kill('SIGINT');
  const { code, stderr } = await scan.ended;
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('progress is saved') });
});
