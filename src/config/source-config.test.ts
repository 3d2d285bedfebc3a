import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings } from './config.fixture.ts';
import { canonicalTarget, settingsFor } from './source-config.ts';
import { sourceEntries } from './source-entries.ts';

function configOf(...urls: string[]) {
  const text = `sources:\n${urls.map((url) => `- { url: "${url}", cap: 1 }\n`).join('')}`;
  return { sources: sourceEntries(parseSettings(text).values.sources, '/etc/seine') };
}

describe('the entry for a target', () => {
  it.each([
    ['s3://data/hr/2024', 's3://data/hr'],
    ['s3://data/hr', 's3://data/hr'],
    ['s3://data/hr-old', 's3://data/hr'], // a prefix is the beginning of keys, not a folder
    ['s3://data/x', 's3://data'],
    ['s3://data', 's3://data'],
    ['s3://data/', 's3://data'],
    ['s3://data-old/hr', 's3://'],
    ['S3://data/x', 's3://data'],
    ['gs://data', undefined],
    ['/srv/share/a', 'fs:/srv/share'],
    ['/srv/share', 'fs:/srv/share'],
    ['/srv/share/', 'fs:/srv/share'],
    ['fs:/srv/share/a', 'fs:/srv/share'],
    ['file:///srv/share/a%20b', 'fs:/srv/share'],
    ['/srv/share-old', undefined],
  ])('%s is %s', (target, url) => {
    const config = configOf('s3://', 's3://data/', 's3://data/hr', '/srv/share/');
    expect(settingsFor(config, target)?.url).toBe(url);
  });

  it.each([
    ['az://acme/data/x', 'az://acme/data'],
    ['az://acme/data', 'az://acme/data'],
    ['az://acme/data/', 'az://acme/data'],
    ['https://acme.blob.core.windows.net/data/x%20y', 'az://acme/data'],
    ['az://acme/data-old/x', 'az://acme'], // another container, with other keys perhaps
    ['az://acme/hr/2024', 'az://acme/hr/20'],
    ['az://acme-two/data', undefined],
    ['https://store.example.org/data/x', 'https://store.example.org/data'],
    ['https://store.example.org/data-old', undefined],
  ])('of Azure %s is %s', (target, url) => {
    const urls = ['az://acme/', 'az://acme/data/', 'az://acme/hr/20', 'https://store.example.org/data'];
    expect(settingsFor(configOf(...urls), target)?.url).toBe(url);
  });

  it('does not depend on their order', () => {
    expect(settingsFor(configOf('s3://a', 's3://a/b'), 's3://a/b/c')?.url).toBe('s3://a/b');
    expect(settingsFor(configOf('s3://a/b', 's3://a'), 's3://a/b/c')?.url).toBe('s3://a/b');
  });

  it('is found for a path that is given from the working folder', () => {
    expect(canonicalTarget('some/folder')).toBe(`fs:${join(process.cwd(), 'some/folder')}`);
  });
});

describe('the settings of a source', () => {
  const text = `
sources:
  - url: s3://a
    endpoint: https://storage.example.org
    region: eu
    path_style: true
    requester_pays: false
    cap: 8
    rate: 30/m
    burst: 100
    prices: { list: 0.01 }
    credentials: { access_key_id: AKIA1, secret_access_key_env: KEY }
  - url: gs://b
    credentials: { key_file: keys/b.json }
`;
  const config = { sources: sourceEntries(parseSettings(text).values.sources, '/etc/seine') };

  it('have the names that sources know', () => {
    expect(settingsFor(config, 's3://a', { KEY: 'hush' })).toEqual({
      url: 's3://a',
      settings: {
        endpoint: 'https://storage.example.org',
        region: 'eu',
        pathStyle: true,
        requesterPays: false,
        credentials: { accessKeyId: 'AKIA1', secretAccessKey: 'hush' },
      },
      credentials: expect.anything(),
      cap: 8,
      rate: 0.5,
      burst: 100,
      prices: { list: 0.01, read: 0.0004, gigabyte: 0.09 },
    });
    expect(settingsFor(config, 'gs://b', {})?.settings).toEqual({
      credentials: { keyFile: '/etc/seine/keys/b.json' },
    });
  });

  it('hold no secret until they are asked for', () => {
    expect(JSON.stringify(config)).not.toContain('hush');
    expect(config.sources[0]!.credentials.secretAccessKey).toEqual({ from: 'env', name: 'KEY' });
  });

  it('are not given without their secret', () => {
    expect(() => settingsFor(config, 's3://a', {})).toThrow('The environment variable KEY is not set.');
  });
});
