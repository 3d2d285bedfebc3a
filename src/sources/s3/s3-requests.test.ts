import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRequestGateLog } from '../request-gate.fixture.ts';
import { bytesOf, keysOf, objectsOf } from '../source-test-helpers.ts';
import { entryOf, errorOf, listingOf, type S3Reply, startS3Server } from './s3-server.fixture.ts';
import { createS3Source } from './s3-source.ts';

const credentials = { accessKeyId: 'KEY', secretAccessKey: 'secret', sessionToken: 'session' };
/** XML that only the provider's package can parse. */
const unusual = String(listingOf([entryOf('a')]).body).replace('<Contents>', '<Contents xmlns="">');

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0)); // no pauses between attempts
afterEach(() => void vi.restoreAllMocks());

async function world(reply: (isListing: boolean, before: number) => S3Reply) {
  const server = await startS3Server((url, before) => reply(url.search.includes('list-type'), before));
  const gate = createRequestGateLog();
  const access = { settings: { endpoint: server.endpoint, credentials }, gate, retryTimeoutMs: 0 };
  const agents = () => server.requests.map(({ headers }) => (headers['user-agent'] ? 'package' : 'direct'));
  return {
    server,
    gate,
    agents,
    source: createS3Source('s3://bucket', {}, access),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe('requests to S3', () => {
  it('are sent directly, with the session token of the credentials', async () => {
    await using w = await world((isListing) => (isListing ? listingOf([entryOf('a')]) : { body: 'abc' }));
    const [object] = await objectsOf(w.source);
    await bytesOf(w.source, object!);
    expect(w.agents()).toEqual(['direct', 'direct']);
    for (const { headers } of w.server.requests) expect(headers['x-amz-security-token']).toBe('session');
  });

  it.each<[string, S3Reply]>([
    ['refuses the first', errorOf(403, 'SignatureDoesNotMatch')],
    ['cannot do what the first wants', errorOf(501, 'NotImplemented')],
    ['answers the first in another form', { body: unusual }],
  ])('go through the package to a store that %s', async (_what, first) => {
    await using w = await world((isListing, before) => {
      if (!isListing) return { body: 'abc' };
      return before === 0 ? first : { body: unusual };
    });
    const [object] = await objectsOf(w.source);
    expect((await bytesOf(w.source, object!)).toString()).toBe('abc');
    expect(w.agents()).toEqual(['direct', 'package', 'package']);
    expect(w.gate.passed).toHaveLength(3);
  });

  it('stay direct once a store has understood one', async () => {
    await using w = await world((isListing) =>
      isListing ? listingOf([entryOf('a')]) : errorOf(403, 'SignatureDoesNotMatch'),
    );
    const [object] = await objectsOf(w.source);
    await expect(bytesOf(w.source, object!)).rejects.toMatchObject({ kind: 'permission' });
    expect(w.agents()).toEqual(['direct', 'direct']);
  });

  it('report both errors if both ways fail', async () => {
    await using w = await world(() => errorOf(403, 'SignatureDoesNotMatch'));
    const message = expect.stringContaining('secret access key is wrong');
    await expect(keysOf(w.source)).rejects.toMatchObject({ kind: 'permission', message });
    expect(w.agents()).toEqual(['direct', 'package']);
  });

  it('for objects correct the clock, too', async () => {
    const skewed = errorOf(403, 'RequestTimeTooSkewed', {
      date: new Date(Date.now() - 3_600_000).toUTCString(),
    });
    await using w = await world((isListing, before) => {
      if (isListing) return listingOf([entryOf('a')]);
      return before === 1 ? skewed : { body: 'abc' };
    });
    const [object] = await objectsOf(w.source);
    expect((await bytesOf(w.source, object!)).toString()).toBe('abc');
    const dates = w.server.requests.map(({ headers }) => String(headers['x-amz-date']));
    expect(dates[2]! < dates[1]!).toBe(true);
  });
});
