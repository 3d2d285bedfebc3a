import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import type { SourceSettings } from '../settings.ts';
import type { Source } from '../source.ts';
import { bytesOf, keysOf, neverAborted, objectsOf } from '../source-test-helpers.ts';
import {
  entryOf,
  errorOf,
  listingOf,
  type S3Reply,
  type S3Server,
  startS3Server,
} from './s3-server.fixture.ts';
import { createS3Source } from './s3-source.ts';

const credentials = { accessKeyId: 'KEY', secretAccessKey: 'secret' };
const glacier = '<StorageClass>GLACIER</StorageClass>';

function open({ endpoint }: S3Server, settings: SourceSettings = {}, retryTimeoutMs = 60_000): Source {
  return createS3Source(
    's3://bucket',
    {},
    { settings: { endpoint, credentials, ...settings }, retryTimeoutMs },
  );
}

const refusing = (reply: S3Reply) => startS3Server(() => reply);

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0); // no pauses between attempts
  vi.stubEnv('AWS_ACCESS_KEY_ID', '');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('an S3 source', () => {
  it('warms up without a request', async () => {
    const asked: string[] = [];
    await using server = await startS3Server((url) => {
      asked.push(url.pathname);
      return listingOf([entryOf('a')]);
    });
    const source = open(server);
    await source.warm!();
    expect(asked).toEqual([]);
    expect(await keysOf(source)).toEqual(['a']);
  });

  it('marks archived objects unless they were restored', async () => {
    const ongoing = '<RestoreStatus><IsRestoreInProgress>true</IsRestoreInProgress></RestoreStatus>';
    const restored =
      '<RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress><RestoreExpiryDate>2099-01-01T00:00:00.000Z</RestoreExpiryDate></RestoreStatus>';
    await using server = await startS3Server(() =>
      listingOf([
        entryOf('a', glacier),
        entryOf('b', '<StorageClass>DEEP_ARCHIVE</StorageClass>'),
        entryOf('c', glacier + ongoing),
        entryOf('d', glacier + restored),
        entryOf('e', '<StorageClass>GLACIER_IR</StorageClass>'),
        entryOf('f', '<StorageClass>STANDARD</StorageClass>'),
        entryOf('g'),
      ]),
    );
    const states = (await objectsOf(open(server))).map(({ unreadable }) => unreadable);
    expect(states).toEqual(['archived', 'archived', 'archived', undefined, undefined, undefined, undefined]);
  });

  it('reports an object as archived if only reading it reveals that', async () => {
    await using server = await startS3Server((url) =>
      url.search.includes('list-type') ? listingOf([entryOf('a')]) : errorOf(403, 'InvalidObjectState'),
    );
    const [object] = await objectsOf(open(server));
    const message = expect.stringContaining('archived');
    await expect(bytesOf(open(server), object!)).rejects.toMatchObject({
      kind: 'unavailable',
      retry: false,
      message,
    });
  });

  it('lists names that are not valid UTF-8 as such, and does not read them', async () => {
    await using server = await startS3Server(() => listingOf([entryOf('a%FF'), entryOf('%C3%A9')]));
    const source = open(server);
    const [bytes, text] = await objectsOf(source);
    expect(bytes).toMatchObject({ key: 'a\xff', unreadable: 'its name is not UTF-8' });
    expect(text).toMatchObject({ key: keyOf('é') });
    await expect(bytesOf(source, bytes!)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('sends the requester-pays header in every request if configured', async () => {
    await using server = await startS3Server((url) =>
      url.search.includes('list-type') ? listingOf([entryOf('a')]) : { body: 'abc' },
    );
    for (const requesterPays of [true, false]) {
      const source = open(server, { requesterPays });
      const [object] = await objectsOf(source);
      expect((await bytesOf(source, object!)).toString()).toBe('abc');
      const payers = server.requests.splice(0).map(({ headers }) => headers['x-amz-request-payer']);
      expect(payers).toEqual(requesterPays ? ['requester', 'requester'] : [undefined, undefined]);
    }
  });

  it('signs requests unless it is anonymous', async () => {
    await using server = await startS3Server(() => listingOf([]));
    await keysOf(open(server));
    await keysOf(open(server, { anonymous: true }));
    const [signed, plain] = server.requests.map(({ headers }) => headers.authorization);
    expect(signed).toMatch(/Credential=KEY\/\d+\/us-east-1\/s3\//);
    expect(plain).toBeUndefined();
  });

  it("takes endpoint and credentials from the environment variables of the provider's tools", async () => {
    await using server = await startS3Server(() => listingOf([]));
    vi.stubEnv('AWS_ENDPOINT_URL_S3', server.endpoint);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'FROMENV');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    await keysOf(createS3Source('s3://bucket/p', {}, {}));
    const [{ url, headers }] = server.requests as [S3Server['requests'][0]];
    expect(url.pathname).toBe('/bucket/');
    expect(headers.authorization).toMatch(/Credential=FROMENV\/\d+\/eu-central-1\//);
  });

  it('puts the bucket into the host name if configured', async () => {
    await using server = await startS3Server(() => listingOf([]));
    const { port } = new URL(server.endpoint);
    const source = open(server, { endpoint: `http://localhost:${port}`, pathStyle: false }, 0);
    // Not every machine resolves such names; then the error contains the name.
    const error: unknown = await keysOf(source).then(() => null, String);
    expect(error ?? server.requests[0]?.headers.host).toContain('bucket.localhost');
  });

  it('switches once to the region that the store names', async () => {
    const wrong = errorOf(400, 'AuthorizationHeaderMalformed', {}, '<Region>eu-west-3</Region>');
    await using server = await startS3Server((_url, before) =>
      before === 0 ? wrong : listingOf([entryOf('a')]),
    );
    const source = open(server);
    expect(await keysOf(source)).toEqual(['a']);
    expect(server.requests[1]?.headers.authorization).toContain('/eu-west-3/s3/');
    expect(await keysOf(source)).toEqual(['a']);
    expect(server.requests).toHaveLength(3);

    await using stubborn = await refusing(
      errorOf(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-3' }),
    );
    const hint = expect.stringContaining('eu-west-3');
    await expect(keysOf(open(stubborn))).rejects.toMatchObject({ kind: 'usage', hint });
    expect(stubborn.requests).toHaveLength(2);
  });

  it('corrects its clock once by that of the store', async () => {
    const then = new Date(Date.now() - 3_600_000).toUTCString();
    const skewed = errorOf(403, 'RequestTimeTooSkewed', { date: then });
    await using server = await startS3Server((_url, before) =>
      before === 0 ? skewed : listingOf([entryOf('a')]),
    );
    expect(await keysOf(open(server))).toEqual(['a']);
    const [first, second] = server.requests.map(({ headers }) => String(headers['x-amz-date']));
    expect(first! > second!).toBe(true);

    await using wrong = await refusing(skewed);
    await expect(keysOf(open(wrong))).rejects.toMatchObject({ message: expect.stringContaining('clock') });
    expect(wrong.requests).toHaveLength(2);
  });

  it.each<[string, S3Reply, string, RegExp]>([
    ['an expired token', errorOf(400, 'ExpiredToken'), 'permission', /session token/],
    ['a refused request', errorOf(400, 'InvalidTag'), 'usage', /InvalidTag, It is so/],
    ['no permission', errorOf(403, 'AccessDenied'), 'permission', /list the bucket bucket/],
    ['a bare 403', { status: 403 }, 'permission', /list the bucket bucket/],
    ['a bare 404', { status: 404 }, 'not-found', /No bucket bucket/],
    ['an unknown region', errorOf(301, 'PermanentRedirect'), 'usage', /another region/],
  ])('says what is wrong: %s', async (_what, reply, kind, message) => {
    await using server = await refusing(reply);
    const expected = { kind, retry: false, message: expect.stringMatching(message) };
    await expect(keysOf(open(server))).rejects.toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, S3Reply]>([
    ['an empty answer', {}],
    [
      'a page of another server',
      { headers: { 'content-type': 'text/html' }, body: '<html><body>Hello</body></html>' },
    ],
    ['half a listing', { body: String(listingOf([entryOf('a')]).body).slice(0, 300) }],
    [
      'a listing that lacks entries',
      { body: String(listingOf([]).body).replace('<KeyCount>0', '<KeyCount>2') },
    ],
  ])('never takes %s for a listing', async (_what, reply) => {
    await using server = await refusing(reply);
    await expect(keysOf(open(server, {}, 0))).rejects.toMatchObject({ kind: 'unavailable', retry: true });
    await expect(open(server, {}, 0).page!(FULL_RANGE, 1, neverAborted())).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('rejects a store that returns the whole object for a range request', async () => {
    await using server = await startS3Server((url) =>
      url.search.includes('list-type') ? listingOf([entryOf('a')]) : { body: 'abc' },
    );
    const source = open(server, {}, 0);
    const [object] = await objectsOf(source);
    const message = expect.stringContaining('came whole');
    await expect(bytesOf(source, object!, { from: 1, to: 2 })).rejects.toMatchObject({ message });
  });

  it('without credentials fails with a hint', async () => {
    await using server = await startS3Server(() => listingOf([]));
    const source = createS3Source('s3://bucket', {}, { settings: { endpoint: server.endpoint } });
    const hint = expect.stringContaining('AWS_ACCESS_KEY_ID');
    await expect(keysOf(source)).rejects.toMatchObject({ kind: 'permission', retry: false, hint });
    expect(server.requests).toEqual([]);
  });

  it('shares its quota with sources of the same store and credential, without containing the key', () => {
    const quota = (target: string, settings: SourceSettings) =>
      createS3Source(target, {}, { settings }).quota;
    const one = quota('s3://one', { credentials });
    expect(quota('s3://two/x', { credentials })).toBe(one);
    expect(one).toMatch(/^s3:aws:[0-9a-f]{12}$/);
    expect(quota('s3://one', { credentials: { ...credentials, accessKeyId: 'OTHER' } })).not.toBe(one);
    expect(quota('s3://one', { credentials, endpoint: 'http://host:1' })).toMatch(/^s3:host:1:/);
  });

  it('shares the quota of a bucket with other temporary credentials', () => {
    const quota = (target: string, given: Record<string, string>) =>
      createS3Source(target, {}, { settings: { credentials: { ...credentials, ...given } } }).quota;
    const one = quota('s3://one', { accessKeyId: 'ASIA1', sessionToken: 'a' });
    expect(one).toBe('s3:aws/one:temporary');
    expect(quota('s3://one/x', { accessKeyId: 'ASIA2', sessionToken: 'b' })).toBe(one);
    expect(quota('s3://one', { accessKeyId: 'minted', sessionToken: 'c' })).toBe(one);
    expect(quota('s3://two', { accessKeyId: 'ASIA1', sessionToken: 'a' })).not.toBe(one);
  });

  it('also recognises temporary credentials of the environment', () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key of a pod');
    vi.stubEnv('AWS_SESSION_TOKEN', 'token of a pod');
    expect(createS3Source('s3://one', {}, {}).quota).toBe('s3:aws/one:temporary');
    expect(createS3Source('s3://one', {}, { settings: { credentials } }).quota).toMatch(/^s3:aws:/);
    vi.unstubAllEnvs();
  });
});
