import { beforeAll, describe, expect, inject, it } from 'vitest';
import { displayKey, type Key, keyOf } from '../../src/base/key.ts';
import { FULL_RANGE } from '../../src/base/range.ts';
import { type MakeSourceFixture, sourceConformance } from '../../src/sources/conformance.ts';
import { openSource } from '../../src/sources/open.ts';
import { createS3Source } from '../../src/sources/s3/s3-source.ts';
import type { ScopeOptions } from '../../src/sources/scope-options.ts';
import type { SourceSettings } from '../../src/sources/settings.ts';
import {
  bytesOf,
  compareBytes,
  expectReadError,
  keysOf,
  neverAborted,
  objectsOf,
} from '../../src/sources/source-test-helpers.ts';
import { textOf } from '../../src/sources/store/key-text.ts';
import { type Bucket, freshBucket } from '../support/servers/s3-bucket.ts';

const server = inject('s3');

describe('a bucket of a real S3 server', () => {
  if ('missing' in server) return it.skip(server.missing, () => {});

  const bucketWorld: MakeSourceFixture = async (expected) => {
    const bucket = await freshBucket(server);
    const texts = [...expected].flatMap(([key, bytes]) => {
      const name = textOf(key);
      return name === null ? [] : [{ key, name, bytes }];
    });
    await bucket.putAll(new Map(texts.map(({ name, bytes }) => [name, bytes])));
    return {
      source: sourceOf(bucket),
      objects: new Map(texts.map(({ key, bytes }) => [key, bytes])),
      change: (key) => bucket.put(textOf(key)!, Buffer.alloc(expected.get(key)!.length, 'other ')),
      remove: (key) => bucket.remove(textOf(key)!),
    };
  };
  sourceConformance('S3', bucketWorld);

  describe('with names of every kind', () => {
    const names = [
      ...[
        'a b',
        'a+b',
        'a%2Bb',
        'a%20b',
        '%',
        '%zz',
        'a&<>"\'b',
        '&amp;',
        'a\\b',
        'a?b=c#d',
        'a;b',
        'a:b@c',
        '*',
      ],
      ...[
        '..',
        './x',
        '../x',
        '//x',
        'a//b',
        'p',
        'p/',
        'p//',
        '_x',
        '__y',
        ' ',
        '  x  ',
        '\t',
        'line\nbreak',
        'r\rr',
      ],
      ...[
        'x\u0001y',
        '\u007f',
        '\u0085',
        '\u2028',
        '\ufeffx',
        'é',
        'e\u0301',
        '東京/東',
        '\uff21',
        '\uffee',
        '😀',
        '\u{10fffd}',
      ],
    ];
    let bucket: Bucket;
    beforeAll(async () => {
      bucket = await freshBucket(server);
      await bucket.putAll(new Map(names.map((name) => [name, `I am ${JSON.stringify(name)}`])));
    });

    it('lists every one of them, in byte order, and reads what is in it', async () => {
      const source = sourceOf(bucket);
      const keys = names.map(keyOf).sort(compareBytes);
      expect((await keysOf(source)).map(displayKey)).toEqual(keys.map(displayKey));
      for (const object of await objectsOf(source)) {
        const content = (await bytesOf(source, object)).toString();
        expect(content).toBe(`I am ${JSON.stringify(textOf(object.key))}`);
        expect(await source.find(object.key, neverAborted())).toEqual(object);
      }
    });

    it('takes any of them as a prefix, to the letter', async () => {
      for (const prefix of names) {
        const source = sourceOf(bucket, { prefix });
        const expected = names.filter((name) => name.startsWith(prefix)).map(keyOf);
        expect(await keysOf(source), prefix).toEqual(expected.sort(compareBytes));
        expect(source.id).toBe(`s3://${bucket.name}/${prefix}`);
        expect(await keysOf(await openSource(source.id, {}, { settings: bucket.settings }))).toEqual(
          expected,
        );
      }
    });
  });

  describe('with thousands of keys', () => {
    const names = Array.from(
      { length: 3456 },
      (_, i) => `${i % 7}/${String(i).padStart(5, '0')}.${i % 2 ? 'log' : 'csv'}`,
    );
    const sorted = names.map(keyOf).sort(compareBytes);
    let bucket: Bucket;
    beforeAll(async () => {
      bucket = await freshBucket(server);
      await bucket.putAll(new Map(names.map((name) => [name, name])));
    });

    it('lists page after page, none of them twice and none left out', async () => {
      expect(await keysOf(sourceOf(bucket))).toEqual(sorted);
      const [after, upTo] = [sorted[777]!, sorted[2999]!];
      expect(await keysOf(sourceOf(bucket), { after, upTo })).toEqual(sorted.slice(778, 3000));
    });

    it('reports a page of a thousand and that there are more', async () => {
      const { keys, bytes, more } = await sourceOf(bucket).page!(FULL_RANGE, 1000, neverAborted());
      expect(keys).toEqual(sorted.slice(0, 1000));
      expect(bytes).toBe(keys.reduce((sum, key) => sum + key.length, 0));
      expect(more).toBe(true);
    });

    it.each<[string, ScopeOptions, (name: Key) => boolean]>([
      ['names that are included', { include: ['*.csv'] }, (name) => name.endsWith('.csv')],
      ['folders that are excluded', { exclude: ['3', '5/'] }, (name) => !/^[35]/.test(name)],
      ['one folder', { include: ['/4/**'], exclude: ['*7.log'] }, (name) => /^4.*(?<!7\.log)$/.test(name)],
    ])('keeps to %s', async (_what, scope, isWanted) => {
      expect(await keysOf(sourceOf(bucket, { scope }))).toEqual(sorted.filter(isWanted));
    });

    it('chooses the same sample as any other source, within the prefix', async () => {
      const tenth = await keysOf(sourceOf(bucket, { scope: { sample: 10 } }));
      expect(tenth.length).toBeGreaterThan(200);
      expect(tenth.length).toBeLessThan(500);
      const within = await keysOf(sourceOf(bucket, { scope: { sample: 10 }, prefix: '2/' }));
      expect(within).toEqual(tenth.filter((key) => key.startsWith('2/')));
    });
  });

  it('marks what is larger than the limit and leaves out what is older than wanted', async () => {
    const bucket = await freshBucket(server);
    await bucket.putAll(
      new Map([
        ['large', 'x'.repeat(100)],
        ['small', 'x'.repeat(10)],
      ]),
    );
    const [large, small] = await objectsOf(sourceOf(bucket, { scope: { maxSize: 10 } }));
    expect([large?.unreadable, small?.unreadable]).toEqual(['larger than the size limit', undefined]);
    const [changed] = await objectsOf(sourceOf(bucket));
    expect(
      await keysOf(sourceOf(bucket, { scope: { modifiedSince: changed!.modified! - 60_000 } })),
    ).toHaveLength(2);
    expect(await keysOf(sourceOf(bucket, { scope: { modifiedSince: changed!.modified! + 60_000 } }))).toEqual(
      [],
    );
  });

  it('refuses an object that is written while it is read', async () => {
    const bucket = await freshBucket(server);
    const size = 32 << 20;
    await bucket.put('big', Buffer.alloc(size, 'one '));
    const source = sourceOf(bucket);
    const [object] = await objectsOf(source);
    const half = { from: 0, to: size / 2 };
    expect(await bytesOf(source, object!, half)).toHaveLength(size / 2);
    await bucket.put('big', Buffer.alloc(size, 'two '));
    await expect(bytesOf(source, object!, { from: size / 2, to: size })).rejects.toMatchObject({
      kind: 'changed',
    });
    await expectReadError(source, object!, 'changed');
  });

  it('reads public objects anonymously, and reports that the rest is not public', async () => {
    const bucket = await freshBucket(server);
    await bucket.put('a', 'for all');
    const { endpoint } = server;
    const unauthorized = sourceOf(bucket, { settings: { endpoint, anonymous: true } });
    await expect(keysOf(unauthorized)).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringContaining(`list the bucket ${bucket.name}`),
    });
    await bucket.publish();
    const [object] = await objectsOf(unauthorized);
    expect((await bytesOf(unauthorized, object!)).toString()).toBe('for all');
    expect(unauthorized.quota).toMatch(/^s3:127\.0\.0\.1:\d+:anonymous$/);
  });

  describe('reports errors clearly', () => {
    const { endpoint, accessKeyId, secretAccessKey } = server;
    const wrong: [string, SourceSettings, object][] = [
      [
        'a missing bucket',
        {},
        { kind: 'not-found', message: expect.stringContaining('No bucket no-such-bucket') },
      ],
      [
        'a wrong secret',
        { credentials: { accessKeyId, secretAccessKey: 'wrong' } },
        { kind: 'permission', message: expect.stringContaining('secret access key is wrong') },
      ],
      [
        'an unknown key',
        { credentials: { accessKeyId: 'UNKNOWN', secretAccessKey } },
        { kind: 'permission', message: expect.stringContaining('does not know the access key') },
      ],
    ];
    it.each(wrong)('%s', async (_what, settings, expected) => {
      const all = { endpoint, credentials: { accessKeyId, secretAccessKey }, ...settings };
      const source = createS3Source('s3://no-such-bucket', {}, { settings: all });
      await expect(keysOf(source)).rejects.toMatchObject({
        ...expected,
        hint: expect.any(String),
        retry: false,
      });
      await expect(source.page!(FULL_RANGE, 1, neverAborted())).rejects.toMatchObject(expected);
      await expect(source.find(keyOf('x'), neverAborted())).rejects.toMatchObject(expected);
    });
  });
});

interface More {
  readonly scope?: ScopeOptions;
  readonly settings?: SourceSettings;
  readonly prefix?: string;
}

function sourceOf(bucket: Bucket, { scope = {}, settings = bucket.settings, prefix = '' }: More = {}) {
  return createS3Source(`s3://${bucket.name}/${prefix}`, scope, { settings });
}
