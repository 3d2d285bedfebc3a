import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AzureAccess } from './azure-access.ts';
import { createRequestSigner, type RequestSigner, withKey } from './azure-sign.ts';

const KEY = Buffer.from('a key of the account').toString('base64');
const call = { path: '/acct/box/a%20b', parameters: { comp: 'list' }, headers: { range: 'bytes=0-9' } };

/** Receives the requests of the provider's own client and answers all of them with an error. */
let server: Server;
let last: IncomingMessage;
beforeAll(async () => {
  server = createServer((request, response) => {
    last = request;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a Shared Key signature', () => {
  it("equals that of the provider's own client, for any names and parameters", async () => {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = { retryOptions: { maxTries: 1 } };
    const client = new ContainerClient(
      `${endpoint}/box`,
      new StorageSharedKeyCredential('acct', KEY),
      options,
    );
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    const property = fc.asyncProperty(
      text,
      text,
      fc.integer({ min: 1, max: 5000 }),
      async (prefix, from, most) => {
        const pages = client.listBlobsFlat({ prefix, startFrom: from, includeMetadata: true });
        await pages
          .byPage({ maxPageSize: most })
          .next()
          .catch(() => {});
        expectSame(last);
        const blob = client.getBlobClient(`x${prefix}`);
        await blob.download(most, 10, { conditions: { ifMatch: '"0x1"' } }).catch(() => {});
        expectSame(last);
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });

  function expectSame({ url = '', headers }: IncomingMessage): void {
    const { pathname, search } = new URL(url, 'http://account');
    const queries = search
      .slice(1)
      .split('&')
      .filter((part) => part !== '');
    const parameters = Object.fromEntries(
      queries.map((part) => part.split('=').map(decodeURIComponent) as [string, string]),
    );
    const { authorization, ...others } = headers as Record<string, string>;
    expect(withKey({ path: pathname, parameters, headers: others }, 'acct', KEY).headers.authorization).toBe(
      authorization,
    );
  }
});

describe('a call to Azure', () => {
  const access = (credential: AzureAccess['credential']) => ({
    account: 'acct',
    endpoint: 'http://x',
    credential,
  });
  const now = () => new Date('2026-11-15T12:00:00Z');
  const signed = (signing: RequestSigner) => signing.send(call, async (sent) => sent);

  it('has date and version', async () => {
    const { headers, parameters } = await signed(createRequestSigner(access({ kind: 'anonymous' }), now));
    expect(headers).toEqual({
      range: 'bytes=0-9',
      'x-ms-date': 'Sun, 15 Nov 2026 12:00:00 GMT',
      'x-ms-version': '2026-02-06',
    });
    expect(parameters).toEqual(call.parameters);
  });

  it('contains a SAS token unchanged', async () => {
    const token = 'sv=2024-11-04&se=2026-11-16T00%3A00%3A00Z&sig=a%2Bb%2F%3D';
    const { headers, parameters } = await signed(createRequestSigner(access({ kind: 'sas', token }), now));
    expect(parameters).toEqual({ comp: 'list', sv: '2024-11-04', se: '2026-11-16T00:00:00Z', sig: 'a+b/=' });
    expect(headers.authorization).toBeUndefined();
  });

  it("contains the token of the machine's identity, which is fetched once", async () => {
    const expires_on = Math.floor(Date.now() / 1000) + 3600;
    let requestCount = 0;
    const identity = createServer((_request, response) => {
      requestCount++;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ access_token: 'of-the-machine', expires_on, resource: 'x', token_type: 'Bearer' }),
      );
    });
    await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('IDENTITY_ENDPOINT', `http://127.0.0.1:${(identity.address() as AddressInfo).port}/token`);
    vi.stubEnv('IDENTITY_HEADER', 'secret');
    const signing = createRequestSigner(access({ kind: 'chain' }));
    for (let i = 0; i < 3; i++) {
      expect((await signed(signing)).headers.authorization).toBe('Bearer of-the-machine');
    }
    expect(requestCount).toBe(1);
    vi.unstubAllEnvs();
    identity.close();
  });
});
