import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { accessOf as azureAccess } from '../azure/azure-access.ts';
import { createAzureClient } from '../azure/azure-client.ts';
import { parseAzureTarget } from '../azure/azure-target.ts';
import { accessOf as gcsAccess } from '../gcs/gcs-access.ts';
import { createGcsClient } from '../gcs/gcs-client.ts';
import { startHttpServer } from '../http-server.fixture.ts';
import { UNLIMITED_GATE } from '../request-gate.ts';
import { createS3Client } from '../s3/s3-client.ts';
import { neverAborted } from '../source-test-helpers.ts';
import { firstPage } from '../store/listing.ts';
import { readObject } from '../store/reading.ts';
import { identityOf, type StoreClient } from '../store/store-client.ts';

const SIZE = 1 << 20;
const object = { key: keyOf('a'), size: SIZE, modified: 0, identity: identityOf('1', SIZE, 0) };
/** Much longer than the pause between two bytes, so that no chunk exceeds its deadline. */
const ANSWER_MS = 400;
const PAUSE_MS = 10;

const clients: [string, (endpoint: string) => StoreClient][] = [
  [
    'S3',
    (endpoint) =>
      createS3Client(
        { bucket: 'box', prefix: '' },
        { endpoint, credentials: { accessKeyId: 'KEY', secretAccessKey: 'secret' } },
      ),
  ],
  [
    'Azure',
    (endpoint) => {
      const target = parseAzureTarget('az://acct/box');
      return createAzureClient(target, azureAccess(target, { endpoint, anonymous: true }, {}));
    },
  ],
  [
    'Google',
    (endpoint) =>
      createGcsClient({ bucket: 'box', prefix: '' }, gcsAccess({ endpoint, anonymous: true }, {})),
  ],
];

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0)); // no pauses between attempts
afterEach(() => void vi.restoreAllMocks());

/** Endless, single bytes with pauses. */
function sendSlowly(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), PAUSE_MS);
  response.on('close', () => clearInterval(timer));
}

describe.each(clients)('%s', (_name, create) => {
  const sending = (endpoint: string) => ({
    client: create(endpoint),
    gate: UNLIMITED_GATE,
    retryTimeoutMs: 0,
    answerMs: ANSWER_MS,
  });

  it.each([
    ['an object', 200],
    ['an error', 400],
    ['an error that may pass', 500],
  ])('is given up when %s comes byte by byte', async (_what, status) => {
    await using server = await startHttpServer((_request, response) =>
      sendSlowly(response.writeHead(status)),
    );
    const reading = async () => {
      for await (const _piece of readObject(sending(server.endpoint), object, null, neverAborted()));
    };
    await expect(reading()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect.poll(() => server.connections(), { timeout: 20_000 }).toBe(0);
  });

  it('aborts a listing that arrives byte by byte', async () => {
    await using server = await startHttpServer((_request, response) => sendSlowly(response.writeHead(200)));
    const listing = firstPage(sending(server.endpoint), FULL_RANGE, 10, neverAborted());
    await expect(listing).rejects.toMatchObject({ kind: 'unavailable' });
    await expect.poll(() => server.connections(), { timeout: 20_000 }).toBe(0);
  });
});
