import { describe, expect, it } from 'vitest';
import { errorOf, type S3Reply, startS3Server } from '../s3/s3-server.fixture.ts';
import { createMultipartWriter } from './multipart-writer.ts';
import { createS3Multipart } from './s3-writer.ts';

const never = new AbortController().signal;
const BEGUN: S3Reply = {
  headers: { 'content-type': 'application/xml' },
  body: '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>',
};

/** Uploads two parts to a server that responds to the requests of the upload as given. */
async function putTo(answers: { piece?: S3Reply; commit?: S3Reply }): Promise<void> {
  await using server = await startS3Server((url) => {
    if (url.searchParams.has('uploads')) return BEGUN;
    if (url.searchParams.has('partNumber')) return answers.piece ?? { headers: { etag: '"e"' } };
    return answers.commit ?? { status: 204 };
  });
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const store = createS3Multipart('s3://bucket/out', { endpoint: server.endpoint, credentials });
  await createMultipartWriter(store, { retryTimeoutMs: 0 }, 4).put(
    'scan-1/a',
    [Buffer.from('12345678')],
    never,
  );
}

/** All responses of stores for an upload that another process has aborted: not all of them name the upload. */
const GONE: [string, Parameters<typeof putTo>[0]][] = [
  ['NoSuchUpload to a part', { piece: errorOf(404, 'NoSuchUpload') }],
  ['NoSuchKey to a part', { piece: errorOf(404, 'NoSuchKey') }],
  ['404 without a body to a part', { piece: { status: 404 } }],
  ['NoSuchUpload to the last request', { commit: errorOf(404, 'NoSuchUpload') }],
  ['NoSuchKey to the last request', { commit: errorOf(404, 'NoSuchKey') }],
  ['404 without a body to the last request', { commit: { status: 404 } }],
  ['InvalidPart to the last request', { commit: errorOf(400, 'InvalidPart') }],
  // The last request may start a 200 response, with the error in its body.
  ['NoSuchUpload in a good answer', { commit: { ...errorOf(404, 'NoSuchUpload'), status: 200 } }],
];

describe('an upload to S3 that another process aborted', () => {
  it.each(GONE)('may be repeated if the store responds %s', async (_, answers) => {
    await expect(putTo(answers)).rejects.toMatchObject({ kind: 'conflict', retry: true });
  });

  it('is distinguished from a missing bucket', async () => {
    const putting = putTo({ piece: errorOf(404, 'NoSuchBucket') });
    await expect(putting).rejects.toMatchObject({ kind: 'not-found', retry: false });
  });

  it('is distinguished from a missing permission', async () => {
    const putting = putTo({ piece: errorOf(403, 'AccessDenied') });
    await expect(putting).rejects.toMatchObject({ kind: 'permission', retry: false });
  });
});
