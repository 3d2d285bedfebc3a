import { describe, expect, it } from 'vitest';
import { elementIn, parseListing } from './s3-listing.ts';
import { entryOf, listingOf } from './s3-server.fixture.ts';

const restored =
  '<RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress><RestoreExpiryDate>2099-01-01T00:00:00.000Z</RestoreExpiryDate></RestoreStatus>';
const xml = String(
  listingOf(
    [entryOf('a&amp;b'), entryOf('c', `<StorageClass>GLACIER</StorageClass>${restored}`)],
    '<NextContinuationToken>t&lt;1</NextContinuationToken>',
  ).body,
);

describe('a listing response', () => {
  it('is parsed', () => {
    expect(parseListing(xml)).toEqual({
      Contents: [
        { Key: 'a&b', Size: 3, LastModified: new Date('2026-01-02T03:04:05Z'), ETag: '"abc"' },
        {
          Key: 'c',
          Size: 3,
          LastModified: new Date('2026-01-02T03:04:05Z'),
          ETag: '"abc"',
          StorageClass: 'GLACIER',
          RestoreStatus: { IsRestoreInProgress: false, RestoreExpiryDate: '2099-01-01T00:00:00.000Z' },
        },
      ],
      IsTruncated: false,
      KeyCount: 2,
      EncodingType: 'url',
      NextContinuationToken: 't<1',
    });
  });

  it('is rejected wherever it was truncated', () => {
    for (let length = 0; length < xml.length; length++) {
      expect(parseListing(xml.slice(0, length)), `the first ${length}`).toBeNull();
    }
  });

  it.each([
    ['another document', '<html><body>Hello</body></html>'],
    ['an error', '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'],
    ['no count', xml.replace(/<KeyCount>.*<\/KeyCount>/, '')],
    ['no word on whether there is more', xml.replace(/<IsTruncated>.*<\/IsTruncated>/, '')],
    ['an entry without a size', xml.replace('<Size>3</Size>', '')],
    ['an entry without an end', xml.replace(/<\/Contents>(?!.*<\/Contents>)/s, '')],
    ['an entry without a key', xml.replace('<Key>c</Key>', '')],
  ])('is not made of %s', (_what, text) => {
    expect(parseListing(text)).toBeNull();
  });

  it('may contain any character, in any notation', () => {
    expect(elementIn('<A>&#65;&#x1F600;&apos;&quot;&gt;</A>', 'A')).toBe('A😀\'">');
    for (const text of ['&nosuch;', '&am', '&', '&#xD800;', '&#x110000;', '&#99999999999;'])
      expect(elementIn(`<A>a${text}b</A>`, 'A')).toBeUndefined();
    expect(elementIn('<A></A>', 'A')).toBe('');
    expect(elementIn('<A>x</B>', 'A')).toBeUndefined();
    expect(elementIn('<B>x</B>', 'A')).toBeUndefined();
  });
});
