import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayKey, keyOf } from '../../src/base/key.ts';
import { FULL_RANGE } from '../../src/base/range.ts';
import { sourceConformance } from '../../src/sources/conformance.ts';
import { createGcsSource } from '../../src/sources/gcs/gcs-source.ts';
import { createRequestGateLog } from '../../src/sources/request-gate.fixture.ts';
import type { ScopeOptions } from '../../src/sources/scope-options.ts';
import type { Source } from '../../src/sources/source.ts';
import {
  bytesOf,
  compareBytes,
  expectReadError,
  keysOf,
  neverAborted,
  objectsOf,
} from '../../src/sources/source-test-helpers.ts';
import { textOf } from '../../src/sources/store/key-text.ts';
import type { About, Bucket } from '../support/fake-gcs/buckets.ts';
import { type FakeGcs, startFakeGcs } from '../support/fake-gcs/server.ts';

let gcs: FakeGcs;
let made = 0;
beforeAll(async () => {
  gcs = await startFakeGcs();
});
afterAll(() => gcs.stop());

sourceConformance('GCS stand-in', (expected) => {
  // The names of Google's objects are text without line breaks.
  const held = [...expected].flatMap(([key, bytes]) => {
    const name = textOf(key);
    return name === null || /[\r\n]/.test(name) ? [] : [{ key, name, bytes }];
  });
  const bucket = bucketWith(held.map(({ name, bytes }) => [name, bytes]));
  return {
    source: sourceOf(bucket),
    objects: new Map(held.map(({ key, bytes }) => [key, bytes])),
    change: (key) => put(bucket, textOf(key)!, Buffer.alloc(expected.get(key)!.length, 'other ')),
    remove: (key) => void bucket.objects.delete(textOf(key)!),
  };
});

describe('names of every kind in the GCS stand-in', () => {
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
      './x',
      '../x',
      'a/../b',
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
      'x\u0001y',
    ],
    ...[
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
      '\u{10ffff}',
    ],
  ];
  const bucket = () => bucketWith(names.map((name) => [name, `I am ${JSON.stringify(name)}`]));

  it('are all listed, in byte order, and what is in them is read', async () => {
    const source = sourceOf(bucket());
    const keys = names.map(keyOf).sort(compareBytes);
    expect((await keysOf(source)).map(displayKey)).toEqual(keys.map(displayKey));
    for (const object of await objectsOf(source)) {
      const content = (await bytesOf(source, object)).toString();
      expect(content).toBe(`I am ${JSON.stringify(textOf(object.key))}`);
      expect(await source.find(object.key, neverAborted())).toEqual(object);
    }
  });

  it('may be a prefix, to the letter', async () => {
    const one = bucket();
    for (const prefix of names) {
      const source = createGcsSource(`gs://${one.name}/${prefix}`, {}, { settings: settings() });
      const expected = names.filter((name) => name.startsWith(prefix)).map(keyOf);
      expect(await keysOf(source), prefix).toEqual(expected.sort(compareBytes));
      expect(source.id).toBe(`gs://${one.name}/${prefix}`);
    }
  });
});

describe('thousands of objects in the GCS stand-in', () => {
  const names = Array.from({ length: 3456 }, (_, i) => `${i % 7}/${String(i).padStart(5, '0')}.csv`);
  const sorted = names.map(keyOf).sort(compareBytes);
  let bucket: Bucket;
  beforeAll(() => {
    bucket = bucketWith(names.map((name) => [name, name]));
  });

  it('are listed page after page, none of them twice and none left out', async () => {
    const gate = createRequestGateLog();
    expect(await keysOf(createGcsSource(`gs://${bucket.name}`, {}, { settings: settings(), gate }))).toEqual(
      sorted,
    );
    expect(gate.passed).toHaveLength(4);
    const [after, upTo] = [sorted[777]!, sorted[2999]!];
    expect(await keysOf(sourceOf(bucket), { after, upTo })).toEqual(sorted.slice(778, 3000));
  });

  it('are returned in pages, until there are no more', async () => {
    const source = sourceOf(bucket);
    for (let at = 0; at < sorted.length; at += 500) {
      const after = at === 0 ? FULL_RANGE.after : sorted[at - 1]!;
      const { keys, bytes, more } = await source.page!({ after, upTo: null }, 500, neverAborted());
      expect(keys).toEqual(sorted.slice(at, at + 500));
      expect(bytes).toBe(keys.reduce((sum, key) => sum + key.length, 0));
      expect(more).toBe(at + 500 < sorted.length);
    }
  });

  it('continue after an object that was deleted', async () => {
    const source = sourceOf(bucket);
    const after = sorted[1000]!;
    const object = bucket.objects.get(textOf(after)!)!;
    bucket.objects.delete(object.name);
    expect(await keysOf(source, { after, upTo: null })).toEqual(sorted.slice(1001));
    bucket.objects.set(object.name, object);
  });
});

describe('what a bucket of the GCS stand-in holds', () => {
  it('is read at once, whatever its class', async () => {
    const bucket = bucketWith([]);
    const classes = ['ARCHIVE', 'COLDLINE', 'NEARLINE', 'STANDARD'];
    for (const storageClass of classes) put(bucket, storageClass, 'content', { storageClass });
    const source = sourceOf(bucket);
    for (const object of await objectsOf(source)) {
      expect(object.unreadable).toBeUndefined();
      expect(String(await bytesOf(source, object))).toBe('content');
    }
    expect(await keysOf(source)).toEqual(classes);
  });

  it('is read as it is stored, though the service would unpack it', async () => {
    const packed = gzipSync('packed '.repeat(1000));
    const bucket = bucketWith([]);
    put(bucket, 'packed', packed, { contentEncoding: 'gzip' });
    const source = sourceOf(bucket);
    const [object] = await objectsOf(source);
    expect((await bytesOf(source, object!)).equals(packed)).toBe(true);
    expect((await bytesOf(source, object!, { from: 2, to: 7 })).equals(packed.subarray(2, 7))).toBe(true);
  });

  it('is refused when it is written while it is read', async () => {
    const size = 8 << 20;
    const bucket = bucketWith([['big', Buffer.alloc(size, 'one ')]]);
    const source = sourceOf(bucket);
    const [object] = await objectsOf(source);
    expect(await bytesOf(source, object!, { from: 0, to: size / 2 })).toHaveLength(size / 2);
    put(bucket, 'big', Buffer.alloc(size, 'two '));
    const rest = bytesOf(source, object!, { from: size / 2, to: size });
    await expect(rest).rejects.toMatchObject({ kind: 'changed' });
    await expectReadError(source, object!, 'changed');
  });

  it('keeps to the scope', async () => {
    const bucket = bucketWith([
      ['a.csv', 'x'],
      ['a.log', 'x'],
      ['logs/b.csv', 'x'.repeat(99)],
    ]);
    const scoped = (scope: ScopeOptions) => sourceOf(bucket, scope);
    expect(await keysOf(scoped({ include: ['*.csv'] }))).toEqual(['a.csv', 'logs/b.csv']);
    expect(await keysOf(scoped({ exclude: ['logs'] }))).toEqual(['a.csv', 'a.log']);
    const [, , large] = await objectsOf(scoped({ maxSize: 10 }));
    expect(large?.unreadable).toBe('larger than the size limit');
  });
});

function settings() {
  return { endpoint: gcs.endpoint, credentials: { token: gcs.token } };
}

function bucketWith(contents: Iterable<readonly [string, Uint8Array | string]>): Bucket {
  const bucket = gcs.buckets.create(`bucket-${made++}`);
  for (const [name, content] of contents) put(bucket, name, content);
  return bucket;
}

function put(bucket: Bucket, name: string, content: Uint8Array | string, about: About = {}): void {
  gcs.buckets.put(bucket, name, Buffer.from(content), about);
}

function sourceOf(bucket: Bucket, scope: ScopeOptions = {}): Source {
  return createGcsSource(`gs://${bucket.name}`, scope, { settings: settings() });
}
