import { describe, expect, it } from 'vitest';
import { type S3Reply, startS3Server as startServer } from '../s3/s3-server.fixture.ts';
import { createAzureMultipart } from './azure-writer.ts';
import { createMultipartWriter } from './multipart-writer.ts';

const never = new AbortController().signal;

function errorOf(status: number, code: string, { inBody }: { inBody: boolean }): S3Reply {
  const headers = { 'x-ms-error-code': code, 'content-type': 'application/xml' };
  return {
    status,
    headers,
    body: inBody ? `<Error><Code>${code}</Code><Message>It is so.</Message></Error>` : '',
  };
}

/** Uploads two blocks to a service that responds like this to the commit. */
async function putTo(commit: S3Reply): Promise<void> {
  await using server = await startServer((url) =>
    url.searchParams.get('comp') === 'blocklist' ? commit : { status: 201 },
  );
  const credentials = { accountKey: Buffer.alloc(32).toString('base64') };
  const settings = { endpoint: `${server.endpoint}/account`, credentials };
  const store = createAzureMultipart('az://account/container/out', settings);
  await createMultipartWriter(store, { retryTimeoutMs: 0 }, 4).put(
    'scan-1/a',
    [Buffer.from('12345678')],
    never,
  );
}

describe('an upload to Azure', () => {
  it.each([true, false])(
    'may be repeated if its blocks were deleted (error in the body: %s)',
    async (inBody) => {
      const putting = putTo(errorOf(400, 'InvalidBlockList', { inBody }));
      await expect(putting).rejects.toMatchObject({ kind: 'conflict', retry: true });
    },
  );

  it('to a missing container is not repeated', async () => {
    const putting = putTo(errorOf(404, 'ContainerNotFound', { inBody: true }));
    await expect(putting).rejects.toMatchObject({ kind: 'not-found', retry: false });
  });
});
