import { describe, expect, it } from 'vitest';
import { azureId, parseAzureTarget } from './azure-target.ts';

describe('a target in Azure', () => {
  it.each([
    ['az://acct/box', { account: 'acct', container: 'box', prefix: '' }],
    ['az://acct/box/', { account: 'acct', container: 'box', prefix: '' }],
    ['az://acct/box/a b%20/?x#y', { account: 'acct', container: 'box', prefix: 'a b%20/?x#y' }],
    ['az://acct/$web/index', { account: 'acct', container: '$web', prefix: 'index' }],
    ['az:///box/a', { account: null, container: 'box', prefix: 'a' }],
    ['https://acct.blob.core.windows.net/box', { account: 'acct', container: 'box', prefix: '' }],
    ['https://acct.blob.core.windows.net/box/gr%C3%B6%C3%9Fe/', { prefix: 'größe/' }],
    ['https://acct.blob.core.windows.net/box/a%3Fb%20c%252F', { prefix: 'a?b c%2F' }],
  ])('%s names its account, container and prefix', (target, expected) => {
    expect(parseAzureTarget(target)).toMatchObject({ ...expected, endpoint: null });
  });

  it('may be in another cloud, which is then part of its id', () => {
    const target = 'https://acct.blob.core.usgovcloudapi.net/box/a%3Fb%20ö';
    const parsed = parseAzureTarget(target);
    expect(parsed).toMatchObject({ account: 'acct', endpoint: 'https://acct.blob.core.usgovcloudapi.net' });
    const id = azureId(parsed, 'acct');
    expect(parseAzureTarget(id)).toEqual(parsed);
  });

  it('has the same id in all notations', () => {
    const targets = ['az://acct/box/ö?b', 'https://acct.blob.core.windows.net/box/%C3%B6%3Fb'];
    expect(targets.map((target) => azureId(parseAzureTarget(target), 'acct'))).toEqual([
      'az://acct/box/ö?b',
      'az://acct/box/ö?b',
    ]);
  });

  it.each([
    'az://',
    'az://acct',
    'az://acct/',
    'az://acct/Box',
    'az://acct/b--x',
    'az://ACCT/box',
    'az://acct/box/\ud800',
    'https://example.com/box',
    'https://acct.blob.core.windows.net/',
    'https://acct.blob.core.windows.net/box/%zz',
  ])('%j is refused, and it is said how to write one', (target) => {
    expect(() => parseAzureTarget(target)).toThrow(
      expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('az://ACCOUNT/CONTAINER') }),
    );
  });

  it('is rejected with a SAS token in it, and the message does not contain the token', () => {
    const target = 'https://acct.blob.core.windows.net/box/a?sv=2024&sig=secret';
    const refused = (() => {
      try {
        return parseAzureTarget(target);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toMatchObject({
      kind: 'usage',
      hint: expect.stringContaining('AZURE_STORAGE_SAS_TOKEN'),
    });
    expect(JSON.stringify(refused) + String(refused)).not.toContain('secret');
  });
});
