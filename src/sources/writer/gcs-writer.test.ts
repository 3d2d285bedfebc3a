import { describe, expect, it } from 'vitest';
import { startHttpServer } from '../http-server.fixture.ts';
import { startS3Server as startServer } from '../s3/s3-server.fixture.ts';
import { createGcsMultipart, sessionIn } from './gcs-writer.ts';
import { createMultipartWriter } from './multipart-writer.ts';

const never = new AbortController().signal;

/** Uploads two parts into a session that responds with this status. */
async function putTo(status: number, reason = ''): Promise<void> {
  await using server = await startServer((url) =>
    url.searchParams.has('uploadType')
      ? { headers: { location: `${server.endpoint}/session` } }
      : { status, body: JSON.stringify({ error: { message: 'It is so.', errors: [{ reason }] } }) },
  );
  const settings = { endpoint: server.endpoint, credentials: { token: 't' } };
  const store = createGcsMultipart('gs://bucket/out', settings);
  await createMultipartWriter(store, { retryTimeoutMs: 0 }, 4).put(
    'scan-1/a',
    [Buffer.from('12345678')],
    never,
  );
}

describe('an upload to Google Cloud Storage', () => {
  it.each([404, 410, 499])('may be repeated if its session has expired (%d)', async (status) => {
    await expect(putTo(status)).rejects.toMatchObject({ kind: 'conflict', retry: true });
  });

  it.each(['rateLimitExceeded', 'userRateLimitExceeded'])(
    'that comes too fast (%s) is repeated',
    async (reason) => {
      await expect(putTo(403, reason)).rejects.toMatchObject({ kind: 'unavailable', retry: true });
    },
  );

  it('starts over if the session has lost acknowledged data, instead of sending other bytes in its place', async () => {
    const ranges: string[] = [];
    await using server = await startHttpServer((request, response) => {
      const range = request.headers['content-range'] ?? '';
      if (range === '') response.setHeader('location', `${server.endpoint}/session`);
      else ranges.push(`${range} of ${request.headers['content-length']}`);
      if (range === 'bytes 0-3/*') response.setHeader('range', 'bytes=0-3');
      response.writeHead(range === 'bytes 4-7/8' ? 503 : /\*/.test(range) ? 308 : 200).end();
    });
    const settings = { endpoint: server.endpoint, credentials: { token: 't' } };
    const writer = createMultipartWriter(
      createGcsMultipart('gs://bucket/out', settings),
      { retryTimeoutMs: 3000 },
      4,
    );
    const put = writer.put('scan-1/a', [Buffer.from('12345678')], never);
    await expect(put).rejects.toMatchObject({ kind: 'conflict', retry: true });
    expect(ranges).toEqual(['bytes 0-3/* of 4', 'bytes 4-7/8 of 4', 'bytes */* of 0']);
  });

  it('never continues over an unencrypted connection on request of the store', async () => {
    const session = sessionIn('http://elsewhere.test/session', new URL('https://storage.test/upload'));
    expect(session).toBeNull();
    const same = new URL('https://storage.test/upload?x=1');
    expect(sessionIn('https://elsewhere.test/s', same)).toBe('https://elsewhere.test/s');
    expect(sessionIn('/s?id=1', same)).toBe('https://storage.test/s?id=1');
    expect(sessionIn(undefined, same)).toBeNull();
  });

  it('is not repeated if it is denied', async () => {
    await expect(putTo(403)).rejects.toMatchObject({ kind: 'permission', retry: false });
  });
});
