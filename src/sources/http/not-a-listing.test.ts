/** Successful responses that are not a listing, or an invalid one: none may be taken for an empty bucket or an empty object. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHttpServer } from '../http-server.fixture.ts';
import { openSource } from '../open.ts';
import { objectsOf } from '../source-test-helpers.ts';
import { storesAt } from './use-stores.fixture.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0)); // no pauses between attempts
afterEach(() => void vi.restoreAllMocks());

const s3 = (contents: string) =>
  `<ListBucketResult><IsTruncated>false</IsTruncated><Contents>${contents}</Contents></ListBucketResult>`;
const azure = (blob: string) =>
  `<EnumerationResults><Blobs><Blob>${blob}</Blob></Blobs><NextMarker /></EnumerationResults>`;
const gcs = (item: object) => JSON.stringify({ kind: 'storage#objects', items: [item] });

const everywhere = [
  ['nothing', ''],
  ['a page for people', '<html><head><title>Sign in</title></head><body>Sign in</body></html>'],
  ['another XML', '<?xml version="1.0"?><Error><Code>None</Code></Error>'],
  ['another JSON', '{"status":"ok"}'],
  ['an empty JSON', '{}'],
  ['a number', '7'],
  ['null', 'null'],
] as const;

const cases: [string, number, string, string][] = [
  ...['S3', 'Azure', 'Google'].flatMap((store, index) =>
    everywhere.map(([what, body]): [string, number, string, string] => [store, index, what, body]),
  ),
  ['S3', 0, 'an object without a size', s3('<Key>a</Key>')],
  ['S3', 0, 'a size that is none', s3('<Key>a</Key><Size>many</Size>')],
  ['Azure', 1, 'a blob without a size', azure('<Name>a</Name><Properties></Properties>')],
  ['Azure', 1, 'a blob without a name', azure('<Properties><Content-Length>1</Content-Length></Properties>')],
  [
    'Azure',
    1,
    'a size that is none',
    azure('<Name>a</Name><Properties><Content-Length>-1</Content-Length></Properties>'),
  ],
  [
    'Azure',
    1,
    'a character that does not exist',
    azure('<Name>a&#x110000;</Name><Properties><Content-Length>1</Content-Length></Properties>'),
  ],
  [
    'Azure',
    1,
    'an escape that does not exist',
    azure('<Name Encoded="true">a%zz</Name><Properties><Content-Length>1</Content-Length></Properties>'),
  ],
  ['Google', 2, 'an object without a size', gcs({ name: 'a', generation: '1' })],
  ['Google', 2, 'a size that is none', gcs({ name: 'a', size: 'many', generation: '1' })],
  ['Google', 2, 'an object without a name', gcs({ size: '1', generation: '1' })],
  ['Google', 2, 'objects that are none', '{"kind":"storage#objects","items":7}'],
];

describe('a listing', () => {
  it.each(cases)('of %s (%d) that is %s is rejected', async (_store, index, what, body) => {
    await using server = await startHttpServer((request, response) => {
      if (request.url?.includes('restype=account')) return void response.writeHead(403).end();
      response.end(body);
    });
    const { endpoint: origin } = server;
    const [target, settings] = storesAt({ s3: origin, azure: origin, gcs: origin })[index]!;
    const source = await openSource(target, {}, { settings, retryTimeoutMs: 0 });
    const listing = objectsOf(source).then((objects) => objects.find(({ unreadable }) => unreadable));
    // An object without a size is listed as unreadable.
    if (/size/.test(what)) expect(await listing).toMatchObject({ key: 'a', unreadable: expect.any(String) });
    else await expect(listing).rejects.toMatchObject({ kind: expect.stringMatching(/unavailable|corrupt/) });
  });
});
