import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { FULL_RANGE } from '../../src/base/range.ts';
import { createGcsSource } from '../../src/sources/gcs/gcs-source.ts';
import type { SourceSettings } from '../../src/sources/settings.ts';
import { bytesOf, keysOf, neverAborted, objectsOf } from '../../src/sources/source-test-helpers.ts';
import { GOOD_SUBJECT, keyFileFor } from '../support/fake-gcs/exchange.ts';
import { type FakeGcs, startFakeGcs } from '../support/fake-gcs/server.ts';

let gcs: FakeGcs;
const folder = mkdtempSync(join(tmpdir(), 'seine-gcs-'));
beforeAll(async () => {
  gcs = await startFakeGcs();
  gcs.buckets.put(gcs.buckets.create('private'), 'a', Buffer.from('content'));
  gcs.buckets.put(gcs.buckets.create('public', { isPublic: true }), 'a', Buffer.from('content'));
  gcs.buckets.put(gcs.buckets.create('paid', { requesterPays: true }), 'a', Buffer.from('content'));
});
afterAll(async () => {
  await gcs.stop();
  rmSync(folder, { recursive: true });
});
afterEach(() => vi.unstubAllEnvs());

const withToken = () => ({ endpoint: gcs.endpoint, credentials: { token: gcs.token } });

describe('a bucket of the GCS stand-in is opened', () => {
  async function opens(bucket: string, settings: SourceSettings): Promise<string> {
    const source = createGcsSource(`gs://${bucket}`, {}, { settings });
    const [object] = await objectsOf(source);
    return String(await bytesOf(source, object!));
  }

  it('with a token', async () => {
    expect(await opens('private', withToken())).toBe('content');
  });

  it('with a key file, whether the settings name it or the environment', async () => {
    const keyFile = keyFileOf('good', GOOD_SUBJECT);
    const { endpoint } = gcs;
    expect(await opens('private', { endpoint, credentials: { keyFile } })).toBe('content');
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', keyFile);
    expect(await opens('private', { endpoint })).toBe('content');
  });

  it('anonymously when it is public', async () => {
    expect(await opens('public', { endpoint: gcs.endpoint, anonymous: true })).toBe('content');
  });

  it('at an emulator that the environment names, without credentials', async () => {
    for (const host of [gcs.endpoint, new URL(gcs.endpoint).host, `${gcs.endpoint}/storage/v1/`]) {
      vi.stubEnv('STORAGE_EMULATOR_HOST', host);
      expect(await opens('public', {})).toBe('content');
    }
  });

  it('at the cost of a project that is named', async () => {
    const settings = { ...withToken(), requesterPays: true };
    expect(await opens('paid', { ...settings, project: 'ours' })).toBe('content');
    expect(() => createGcsSource('gs://paid', {}, { settings })).toThrow(
      expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('project') }),
    );
  });
});

describe('the fake GCS server reports errors clearly', () => {
  const wrong: [string, string, () => SourceSettings, object][] = [
    [
      'a missing bucket',
      'no-such-bucket',
      withToken,
      { kind: 'not-found', message: expect.stringContaining('No bucket no-such-bucket') },
    ],
    [
      'a token that is not valid',
      'private',
      () => ({ ...withToken(), credentials: { token: 'wrong' } }),
      { kind: 'permission', message: expect.stringContaining('wrong or has expired') },
    ],
    [
      'a token without rights',
      'private',
      () => ({ ...withToken(), credentials: { token: gcs.strangerToken } }),
      { kind: 'permission', message: expect.stringContaining('No permission to list the bucket private') },
    ],
    [
      'no token at all',
      'private',
      () => ({ endpoint: gcs.endpoint, anonymous: true }),
      { kind: 'permission', message: expect.stringContaining('not public') },
    ],
    [
      'no project that pays',
      'paid',
      withToken,
      { kind: 'usage', message: expect.stringContaining('requester-pays') },
    ],
    [
      'a key file that is not there',
      'private',
      () => ({ endpoint: gcs.endpoint, credentials: { keyFile: join(folder, 'none') } }),
      { kind: 'permission', message: expect.stringContaining('No usable credentials') },
    ],
    [
      'a key file that is not accepted',
      'private',
      () => ({ endpoint: gcs.endpoint, credentials: { keyFile: keyFileOf('bad', 'somebody') } }),
      { kind: 'permission', message: expect.stringContaining('No usable credentials') },
    ],
  ];
  it.each(wrong)('%s', async (_what, bucket, settings, expected) => {
    const source = createGcsSource(`gs://${bucket}`, {}, { settings: settings() });
    await expect(keysOf(source)).rejects.toMatchObject({
      ...expected,
      hint: expect.any(String),
      retry: false,
    });
    await expect(source.page!(FULL_RANGE, 1, neverAborted())).rejects.toMatchObject(expected);
  });

  it('an unreachable endpoint', async () => {
    const settings = { ...withToken(), endpoint: 'http://127.0.0.1:9' };
    const source = createGcsSource('gs://private', {}, { settings, retryTimeoutMs: 1 });
    await expect(keysOf(source)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('127.0.0.1:9 cannot be reached'),
      hint: expect.any(String),
    });
  });

  it('an object that may be listed and not read', async () => {
    const [object] = await objectsOf(createGcsSource('gs://private', {}, { settings: withToken() }));
    const settings = { ...withToken(), credentials: { token: gcs.strangerToken } };
    const unauthorized = createGcsSource('gs://private', {}, { settings });
    await expect(bytesOf(unauthorized, object!)).rejects.toMatchObject({
      kind: 'permission',
      message: 'No permission to read a.',
      retry: false,
    });
  });
});

function keyFileOf(name: string, subject: string): string {
  const [path, subjectFile] = [join(folder, `${name}.json`), join(folder, `${name}.subject`)];
  writeFileSync(subjectFile, subject);
  writeFileSync(path, keyFileFor(gcs.endpoint, subjectFile));
  return path;
}
