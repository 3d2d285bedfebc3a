import { describe, expect, it } from 'vitest';
import type { SourceSettings } from '../settings.ts';
import { accessOf, quotaOf } from './gcs-access.ts';
import { parseGcsTarget } from './gcs-target.ts';

describe('a target in Google Cloud Storage', () => {
  it('is a bucket and a literal prefix', () => {
    expect(parseGcsTarget('gs://box')).toEqual({ bucket: 'box', prefix: '' });
    expect(parseGcsTarget('gs://my.box_1/')).toEqual({ bucket: 'my.box_1', prefix: '' });
    expect(parseGcsTarget('gs://box/a b/%20?x')).toEqual({ bucket: 'box', prefix: 'a b/%20?x' });
  });

  it.each(['gs://', 'gs:///a', 'gs://Box', 'gs://b', 'gs://box/\ud800'])('rejects %j', (target) => {
    expect(() => parseGcsTarget(target)).toThrow(
      expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('gs://BUCKET') }),
    );
  });
});

describe('access to Google Cloud Storage', () => {
  it.each<[string, SourceSettings, Record<string, string>, object]>([
    ['nothing', {}, {}, { endpoint: 'https://storage.googleapis.com', credential: { kind: 'default' } }],
    ['a token', { credentials: { token: 't' } }, {}, { credential: { kind: 'token', token: 't' } }],
    ['a key file', { credentials: { keyFile: '/k' } }, {}, { credential: { kind: 'keyFile', path: '/k' } }],
    [
      'an emulator',
      {},
      { STORAGE_EMULATOR_HOST: 'h:1' },
      { endpoint: 'http://h:1', credential: { kind: 'anonymous' } },
    ],
    [
      'an endpoint',
      { endpoint: 'http://h:2/' },
      {},
      { endpoint: 'http://h:2', credential: { kind: 'default' } },
    ],
    ['both', { endpoint: 'http://h:2' }, { STORAGE_EMULATOR_HOST: 'h:1' }, { endpoint: 'http://h:2' }],
    ['a project that is billed', { requesterPays: true, project: 'p' }, {}, { payer: 'p' }],
    ['a project alone', { project: 'p' }, {}, { payer: null }],
  ])('is found when there is %s', (_what, settings, env, expected) => {
    expect(accessOf(settings, env)).toMatchObject(expected);
  });

  it('must be a URL', () => {
    expect(() => accessOf({ endpoint: 'http://' }, {})).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  it('has the quota of the bucket for tokens, which are reissued all the time', () => {
    const quota = (token: string, bucket = 'box') =>
      quotaOf(bucket, accessOf({ credentials: { token } }, {}));
    expect(quota('secret')).toBe('gcs:storage.googleapis.com/box:token');
    expect(quota('another')).toBe(quota('secret'));
    expect(quota('secret', 'other-box')).not.toBe(quota('secret'));
  });

  it('has the quota of the account of a key file, without containing the key', () => {
    const quota = (keyFile: string) => quotaOf('box', accessOf({ credentials: { keyFile } }, {}));
    expect(quota('/one')).toMatch(/^gcs:storage\.googleapis\.com:[0-9a-f]{12}$/);
    expect(quota('/one')).not.toBe(quota('/two'));
  });
});
