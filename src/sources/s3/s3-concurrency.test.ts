import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHttpServer } from '../http-server.fixture.ts';
import { bytesOf, keysOf, objectsOf } from '../source-test-helpers.ts';
import { entryOf, errorOf, listingOf, type S3Reply } from './s3-server.fixture.ts';
import { createS3Source } from './s3-source.ts';

const credentials = { accessKeyId: 'KEY', secretAccessKey: 'secret' };
const CONCURRENT = 32;

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0)); // no pauses between attempts
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Holds back the first requests until this many have arrived: all of them are sent before one is answered. */
async function world(reply: (request: IncomingMessage) => S3Reply, together = CONCURRENT) {
  const held: (() => void)[] = [];
  let came = 0;
  const server = await startHttpServer((request, response) => {
    const answer = () => {
      const { status = 200, headers = {}, body = '' } = reply(request);
      response.writeHead(status, headers).end(body);
    };
    if (++came < together) return void held.push(answer);
    answer();
    // One after the other, so that each failure is handled before the next.
    const next = () => {
      held.shift()?.();
      if (held.length > 0) setTimeout(next, 2);
    };
    next();
  });
  const source = createS3Source('s3://bucket', {}, { settings: { endpoint: server.endpoint, credentials } });
  return { server, source, came: () => came, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const regionOf = ({ headers }: IncomingMessage) =>
  /Credential=[^/]+\/\d+\/([^/]+)\//.exec(headers.authorization ?? '')?.[1];
const timeOf = ({ headers }: IncomingMessage) =>
  Date.parse(String(headers['x-amz-date']).replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'));
const page = () => listingOf([entryOf('a')]);
const all = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: CONCURRENT }, work));

/** The response to each request, depending on the values it was sent with. */
const lessons: [string, (request: IncomingMessage) => S3Reply | null][] = [
  [
    'another region in a header',
    (request) =>
      regionOf(request) === 'eu-west-3'
        ? null
        : errorOf(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-3' }),
  ],
  [
    'another region in the body',
    (request) =>
      regionOf(request) === 'eu-west-3'
        ? null
        : errorOf(400, 'AuthorizationHeaderMalformed', {}, '<Region>eu-west-3</Region>'),
  ],
  [
    'another time',
    (request) => {
      const now = Date.now() + 3_600_000;
      const isRight = Math.abs(timeOf(request) - now) < 900_000;
      return isRight ? null : errorOf(403, 'RequestTimeTooSkewed', { date: new Date(now).toUTCString() });
    },
  ],
  [
    'that only the package is understood',
    ({ headers }) => (headers['user-agent'] ? null : errorOf(501, 'NotImplemented')),
  ],
];

describe('concurrent first requests to S3', () => {
  it.each(lessons)('all succeed if the first response reveals %s', async (_what, refusal) => {
    await using w = await world((request) => refusal(request) ?? page());
    expect(await all(() => keysOf(w.source))).toEqual(Array(CONCURRENT).fill(['a']));
    expect(w.came()).toBe(2 * CONCURRENT);
  });

  it.each(lessons)('for reads all succeed if the first response reveals %s', async (_what, refusal) => {
    const isListing = ({ url = '' }: IncomingMessage) => url.includes('list-type');
    await using listed = await world(page, 1);
    const [object] = await objectsOf(listed.source);
    await using w = await world((request) =>
      isListing(request) ? page() : (refusal(request) ?? { body: 'abc' }),
    );
    const contents = await all(async () => String(await bytesOf(w.source, object!)));
    expect(contents).toEqual(Array(CONCURRENT).fill('abc'));
  });

  it('all fail if the store names the region they were sent to', async () => {
    const headers = { 'x-amz-bucket-region': 'us-east-1' };
    await using w = await world(() => errorOf(301, 'PermanentRedirect', headers));
    const results = await Promise.allSettled(Array.from({ length: CONCURRENT }, () => keysOf(w.source)));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(w.came()).toBe(CONCURRENT);
  });
});

describe('credentials of S3', () => {
  beforeEach(() => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE', 'AWS_SESSION_TOKEN'])
      vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere');
  });

  /** An issuer of credentials that expire, and a store that rejects expired ones. */
  async function expiring(lifetimeMs: number, saidMs = lifetimeMs) {
    let handedOut = 0;
    const validTo = new Map<string, number>();
    const issuer = await startHttpServer((_request, response) => {
      const token = `token${++handedOut}`;
      validTo.set(token, Date.now() + lifetimeMs);
      const Expiration = new Date(Date.now() + saidMs).toISOString();
      const body = { AccessKeyId: 'ASIAKEY', SecretAccessKey: 's', Token: token, Expiration };
      response.setHeader('content-type', 'application/json');
      setTimeout(() => response.end(JSON.stringify(body)), 20);
    });
    let rejected = 0;
    const store = await startHttpServer((request, response) => {
      const isValid = Date.now() < (validTo.get(String(request.headers['x-amz-security-token'])) ?? 0);
      if (!isValid) rejected++;
      const { status = 200, headers = {}, body } = isValid ? page() : errorOf(400, 'ExpiredToken');
      response.writeHead(status, headers).end(body);
    });
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${issuer.endpoint}/credentials`);
    const settings = { endpoint: store.endpoint, region: 'eu-west-1' };
    return {
      source: createS3Source('s3://bucket', {}, { settings }),
      handedOut: () => handedOut,
      rejected: () => rejected,
      async [Symbol.asyncDispose]() {
        await issuer[Symbol.asyncDispose]();
        await store[Symbol.asyncDispose]();
      },
    };
  }

  it('are fetched once for all waiting requests', async () => {
    await using w = await expiring(3_600_000);
    await all(() => keysOf(w.source));
    await all(() => keysOf(w.source));
    expect(w.handedOut()).toBe(1);
  });

  it('are fetched again before they expire while requests continue, and none is rejected', async () => {
    await using w = await expiring(30_000, 1000); // a request is slow on a busy machine
    const until = Date.now() + 3000;
    let rounds = 0;
    for (; Date.now() < until; rounds++) await all(() => keysOf(w.source));
    expect(w.rejected()).toBe(0);
    expect(w.handedOut()).toBeGreaterThanOrEqual(3);
    expect(w.handedOut()).toBeLessThan(2 * rounds);
  });

  it('are fetched again for all rejected requests if they expire earlier than announced', async () => {
    await using w = await expiring(300, 3_600_000);
    const until = Date.now() + 1500;
    while (Date.now() < until) {
      expect(await all(() => keysOf(w.source))).toEqual(Array(CONCURRENT).fill(['a']));
    }
    expect(w.rejected()).toBeGreaterThan(0);
    expect(w.handedOut()).toBeGreaterThan(1);
  });

  it('end in an error if the store never accepts them, after new ones were tried', async () => {
    await using w = await expiring(-1, 3_600_000);
    await expect(keysOf(w.source)).rejects.toMatchObject({ kind: 'permission', retry: false });
    expect(w.handedOut()).toBe(2);
  });
});
