import { describe, expect, it } from 'vitest';
import { startS3Server as startServer } from '../s3/s3-server.fixture.ts';
import { createGcsPieces } from './gcs-writer.ts';
import { createPieceWriter } from './piece-writer.ts';

const never = new AbortController().signal;

/** Puts two pieces into a session that answers with this status. */
async function putTo(status: number): Promise<void> {
  await using server = await startServer((url) =>
    url.searchParams.has('uploadType')
      ? { headers: { location: `${server.endpoint}/session` } }
      : { status, body: '{}' },
  );
  const settings = { endpoint: server.endpoint, credentials: { token: 't' } };
  const pieces = createGcsPieces('gs://bucket/out', settings);
  await createPieceWriter(pieces, { patienceMs: 0 }, 4).put('scan-1/a', [Buffer.from('12345678')], never);
}

describe('an upload to Google Cloud Storage', () => {
  it.each([404, 410, 499])('whose session is gone (%d) may be repeated', async (status) => {
    await expect(putTo(status)).rejects.toMatchObject({ kind: 'conflict', retry: true });
  });

  it('that may not be made is not repeated', async () => {
    await expect(putTo(403)).rejects.toMatchObject({ kind: 'permission', retry: false });
  });
});
