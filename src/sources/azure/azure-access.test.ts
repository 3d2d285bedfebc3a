import { describe, expect, it } from 'vitest';
import type { SourceSettings } from '../settings.ts';
import { accessOf, quotaOf } from './azure-access.ts';
import { parseAzureTarget } from './azure-target.ts';

const target = parseAzureTarget('az://acct/box');
const access = (settings: SourceSettings = {}, env: Record<string, string> = {}) =>
  accessOf(target, settings, env);
const connectionString =
  'DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=a2V5==;EndpointSuffix=core.windows.net';

describe('the credential for Azure', () => {
  it.each<[string, SourceSettings, Record<string, string>, object]>([
    ['nothing', {}, {}, { kind: 'chain' }],
    ['that none is wanted', { anonymous: true }, { AZURE_STORAGE_KEY: 'k' }, { kind: 'anonymous' }],
    ['a key', { credentials: { accountKey: 'k' } }, {}, { kind: 'key', key: 'k' }],
    ['a SAS token', { credentials: { sasToken: '?sig=x' } }, {}, { kind: 'sas', token: 'sig=x' }],
    ['a connection string', { credentials: { connectionString } }, {}, { kind: 'key', key: 'a2V5==' }],
    ['a key in the environment', {}, { AZURE_STORAGE_KEY: 'k' }, { kind: 'key', key: 'k' }],
    ['a token in the environment', {}, { AZURE_STORAGE_SAS_TOKEN: 's' }, { kind: 'sas', token: 's' }],
    ['both', { credentials: { sasToken: 's' } }, { AZURE_STORAGE_KEY: 'k' }, { kind: 'sas', token: 's' }],
  ])('is found when there is %s', (_what, settings, env, expected) => {
    expect(access(settings, env).credential).toEqual(expected);
  });

  it('of another account is ignored from the environment, and rejected from the settings', () => {
    const other = connectionString.replace('acct', 'other');
    expect(access({}, { AZURE_STORAGE_CONNECTION_STRING: other })).toMatchObject({
      endpoint: 'https://acct.blob.core.windows.net',
      credential: { kind: 'chain' },
    });
    expect(() => access({ credentials: { connectionString: other } })).toThrow(
      expect.objectContaining({ kind: 'usage' }),
    );
  });
});

describe('the endpoint of Azure', () => {
  it.each<[SourceSettings, string]>([
    [{}, 'https://acct.blob.core.windows.net'],
    [{ endpoint: 'http://127.0.0.1:10000/acct/' }, 'http://127.0.0.1:10000/acct'],
    [{ credentials: { connectionString } }, 'https://acct.blob.core.windows.net'],
    [
      { credentials: { connectionString: 'BlobEndpoint=http://h/acct;SharedAccessSignature=s' } },
      'http://h/acct',
    ],
  ])('is %j → %s', (settings, endpoint) => {
    expect(access(settings).endpoint).toBe(endpoint);
  });

  it('must be a URL', () => {
    expect(() => access({ endpoint: '127.0.0.1:10000' })).toThrow(expect.objectContaining({ kind: 'usage' }));
  });
});

describe('the account', () => {
  const nameless = parseAzureTarget('az:///box');

  it('is taken from the settings, the connection string or the environment if the target has none', () => {
    expect(accessOf(nameless, { account: 'one' }, {}).account).toBe('one');
    expect(accessOf(nameless, { credentials: { connectionString } }, {}).account).toBe('acct');
    expect(accessOf(nameless, {}, { AZURE_STORAGE_ACCOUNT: 'two' }).account).toBe('two');
  });

  it('is required', () => {
    expect(() => accessOf(nameless, {}, {})).toThrow(
      expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('AZURE_STORAGE_ACCOUNT') }),
    );
  });
});

describe('the quota in Azure', () => {
  it('is the same for the same account and key, and does not contain the key', () => {
    const quota = (accountKey: string) => quotaOf(access({ credentials: { accountKey } }));
    expect(quota('secret')).toBe(quota('secret'));
    expect(quota('secret')).not.toBe(quota('another'));
    expect(quota('secret')).toMatch(/^azure:acct\.blob\.core\.windows\.net\/acct:[0-9a-f]{12}$/);
  });

  it('is that of the account for SAS tokens, which are reissued all the time', () => {
    const quota = (sasToken: string) => quotaOf(access({ credentials: { sasToken } }));
    expect(quota('sig=one')).toBe('azure:acct.blob.core.windows.net/acct:sas');
    expect(quota('sig=two')).toBe(quota('sig=one'));
  });
});
