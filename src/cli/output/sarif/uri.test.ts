import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyBytes, keyFromBytes, keyOf } from '../../../base/key.ts';
import { baseUri, keyUri } from './uri.ts';

describe('the URI of a key', () => {
  it.each([
    ['a b/ü.csv', 'a%20b/%C3%BC.csv'],
    ['100%.txt', '100%25.txt'],
    ['what?#', 'what%3F%23'],
    ['mailto:x/y', 'mailto%3Ax/y'],
    ['//host/x', '%2F%2Fhost/x'],
    ['a//b', 'a//b'],
  ])('of %s is %s', (name, uri) => expect(keyUri(keyOf(name))).toBe(uri));

  it('keeps every byte, and stays below its base', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 30 }), (bytes) => {
        const key = keyFromBytes(bytes);
        const uri = keyUri(key);
        const back = uri.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
        expect(back).toBe(keyBytes(key).toString('latin1'));
        expect(new URL(uri, 's3://bucket/').host).toBe('bucket');
      }),
    );
  });
});

describe('the URI of a source', () => {
  it('ends with a slash, so that keys are resolved below it', () => {
    expect(baseUri('s3://bucket/some/prefix')).toBe('s3://bucket/some/prefix/');
    expect(baseUri('/data/my files')).toBe('file:///data/my%20files/');
    expect(baseUri('/data/')).toBe('file:///data/');
    expect(baseUri('fs:/data')).toBe('file:///data/');
    expect(baseUri('file:///data')).toBe('file:///data/');
  });

  it('is left out where there is none', () => {
    expect(baseUri('s3://bad host/')).toBeNull();
  });
});
