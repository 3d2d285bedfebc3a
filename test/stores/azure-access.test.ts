import { inspect } from 'node:util';
import { ContainerSASPermissions, type PublicAccessType } from '@azure/storage-blob';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FULL_RANGE } from '../../src/base/range.ts';
import { createAzureSource } from '../../src/sources/azure/azure-source.ts';
import type { SourceSettings } from '../../src/sources/settings.ts';
import { bytesOf, keysOf, neverAborted, objectsOf } from '../../src/sources/source-test-helpers.ts';
import { type Azurite, type Container, freshContainer, startAzurite } from '../support/servers/azurite.ts';

let azurite: Azurite;
let container: Container;
beforeAll(async () => {
  azurite = await startAzurite();
  container = await freshContainer(azurite);
  await container.put('a', 'content');
});
afterAll(() => azurite.stop());
// None of this machine's own settings must help or hinder.
beforeAll(() => {
  for (const name of ['CONNECTION_STRING', 'KEY', 'SAS_TOKEN', 'ACCOUNT'])
    vi.stubEnv(`AZURE_STORAGE_${name}`, undefined);
});
afterAll(() => vi.unstubAllEnvs());

describe('a container of Azure (Azurite) is opened', () => {
  const opens = async (settings: SourceSettings, target = container.target) => {
    const source = createAzureSource(target, {}, { settings });
    const [object] = await objectsOf(source);
    return String(await bytesOf(source, object!));
  };

  it('with the key of the account', async () => {
    expect(await opens({ endpoint: azurite.endpoint, credentials: { accountKey: azurite.key } })).toBe(
      'content',
    );
  });

  it('with a connection string, which also contains the endpoint and the account', async () => {
    const { account, key, endpoint } = azurite;
    const connectionString = `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=${endpoint};`;
    expect(await opens({ credentials: { connectionString } })).toBe('content');
    expect(await opens({ credentials: { connectionString } }, `az:///${container.name}`)).toBe('content');
    vi.stubEnv('AZURE_STORAGE_CONNECTION_STRING', connectionString);
    expect(await opens({})).toBe('content');
    vi.stubEnv('AZURE_STORAGE_CONNECTION_STRING', undefined);
  });

  it('with a SAS token, with or without its question mark', async () => {
    const token = await sasToken('rl');
    const { endpoint } = azurite;
    expect(await opens({ endpoint, credentials: { sasToken: token } })).toBe('content');
    expect(await opens({ endpoint, credentials: { sasToken: `?${token}` } })).toBe('content');
    vi.stubEnv('AZURE_STORAGE_SAS_TOKEN', token);
    expect(await opens({ endpoint })).toBe('content');
    vi.stubEnv('AZURE_STORAGE_SAS_TOKEN', undefined);
  });

  it('anonymously when it is public', async () => {
    const settings = { endpoint: azurite.endpoint, anonymous: true };
    const open = () => createAzureSource(container.target, {}, { settings });
    await expect(keysOf(open())).rejects.toMatchObject({
      kind: expect.stringMatching(/permission|not-found/),
    });
    await publish('container');
    expect(await keysOf(open())).toEqual(['a']);
    expect(open().quota).toMatch(/^azure:127\.0\.0\.1:\d+\/devstoreaccount1:anonymous$/);
    await publish(undefined);
  });
});

describe('Azure (Azurite) reports errors clearly', () => {
  const good = () => ({ endpoint: azurite.endpoint, credentials: { accountKey: azurite.key } });
  const wrong: [string, () => Promise<SourceSettings> | SourceSettings, string, object][] = [
    [
      'a missing container',
      good,
      'no-such-container',
      { kind: 'not-found', message: expect.stringContaining('No container no-such-container') },
    ],
    [
      'a wrong key',
      () => ({ ...good(), credentials: { accountKey: Buffer.from('wrong').toString('base64') } }),
      '',
      { kind: 'permission', message: expect.stringContaining('the key or token is wrong') },
    ],
    [
      'a token without the right to list',
      async () => ({ ...good(), credentials: { sasToken: await sasToken('r') } }),
      '',
      { kind: 'permission', message: expect.stringContaining('No permission to list the container') },
    ],
    [
      'a token that has expired',
      async () => ({ ...good(), credentials: { sasToken: await sasToken('rl', -1) } }),
      '',
      { kind: 'permission', message: expect.stringContaining('has expired') },
    ],
  ];
  it.each(wrong)('%s', async (_what, settings, name, expected) => {
    const target = `az://${azurite.account}/${name || container.name}`;
    const source = createAzureSource(target, {}, { settings: await settings() });
    await expect(keysOf(source)).rejects.toMatchObject({
      ...expected,
      hint: expect.any(String),
      retry: false,
    });
    await expect(source.page!(FULL_RANGE, 1, neverAborted())).rejects.toMatchObject(expected);
  });

  it('an unreachable endpoint', async () => {
    const settings = { ...good(), endpoint: 'http://127.0.0.1:9/devstoreaccount1' };
    const source = createAzureSource(container.target, {}, { settings, retryTimeoutMs: 1 });
    await expect(keysOf(source)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('http://127.0.0.1:9/devstoreaccount1 cannot be reached'),
      hint: expect.any(String),
    });
  });

  it('a token is in no message and no cause', async () => {
    const sasToken = 'sv=2024-01-01&sig=verysecret';
    const settings = [good().endpoint, 'http://127.0.0.1:9'].map((endpoint) => ({
      endpoint,
      credentials: { sasToken },
    }));
    for (const one of settings) {
      const source = createAzureSource(container.target, {}, { settings: one, retryTimeoutMs: 1 });
      const error = await keysOf(source).catch((thrown: unknown) => thrown);
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('verysecret');
    }
  });
});

async function sasToken(rights: string, hours = 1): Promise<string> {
  const url = await container.client.generateSasUrl({
    permissions: ContainerSASPermissions.parse(rights),
    startsOn: new Date(Date.now() - 7_200_000),
    expiresOn: new Date(Date.now() + hours * 3_600_000),
  });
  return new URL(url).search.slice(1);
}

async function publish(access: PublicAccessType | undefined): Promise<void> {
  await container.client.setAccessPolicy(access);
}
