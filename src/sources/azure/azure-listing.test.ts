import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { parseListing } from './azure-listing.ts';

const blob = (name: string, { properties = '', metadata = '', attributes = '' } = {}) =>
  `<Blob><Name${attributes}>${name}</Name><Properties><Last-Modified>Sun, 15 Nov 2026 12:00:00 GMT</Last-Modified>` +
  `<Etag>0x8D</Etag><Content-Length>12</Content-Length>${properties}</Properties>${metadata}<OrMetadata /></Blob>`;
const listing = (blobs: string, marker = '<NextMarker />') =>
  `\ufeff<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="https://x/box"><Prefix>a&amp;</Prefix>` +
  `<MaxResults>2</MaxResults><Blobs>${blobs}</Blobs>${marker}</EnumerationResults>`;

describe('a listing of Azure', () => {
  it('contains name, size, time and state of every blob, and the continuation marker', () => {
    const archived = { properties: '<AccessTier>Archive</AccessTier>' };
    const xml = listing(blob('a/b') + blob('c', archived), '<NextMarker>go-on</NextMarker>');
    const { named, marker } = parseListing(xml);
    const modified = Date.parse('2026-11-15T12:00:00Z');
    const identity = `c.${modified.toString(36)}.0x8D`;
    expect(named.map(({ object }) => object)).toEqual([
      { key: 'a/b', size: 12, modified, identity },
      { key: 'c', size: 12, modified, identity, unreadable: 'archived' },
    ]);
    expect(marker).toBe('go-on');
  });

  it('may be empty', () => {
    expect(parseListing(listing(''))).toEqual({ named: [], marker: null });
    expect(parseListing(listing('').replace('<Blobs></Blobs>', '<Blobs />'))).toEqual({
      named: [],
      marker: null,
    });
  });

  it('allows any characters in names', () => {
    const property = fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
      const [first] = parseListing(listing(blob(escaped(name)))).named;
      expect(first).toMatchObject({ name, object: { key: keyOf(name) } });
    });
    fc.assert(property);
    const [odd] = parseListing(listing(blob('a%EF%BF%BFb%25', { attributes: ' Encoded="true"' }))).named;
    expect(odd?.name).toBe('a\uffffb%');
    const [plain] = parseListing(listing(blob('a%20b&#xD;&#10;&lt;&apos;'))).named;
    expect(plain?.name).toBe("a%20b\r\n<'");
  });

  it('allows metadata of any name, which is not parsed as blobs', () => {
    const words = ['Blob', 'Name', 'Metadata', 'NextMarker', 'Content-Length', 'Properties'];
    const metadata = `<Metadata>${words.map((word) => `<${word}>9</${word}>`).join('')}</Metadata>`;
    const { named, marker } = parseListing(listing(blob('a', { metadata }) + blob('b')));
    expect(named.map(({ name, object }) => [name, object?.size])).toEqual([
      ['a', 12],
      ['b', 12],
    ]);
    expect(marker).toBeNull();
  });

  it('marks folders, which are empty', () => {
    const metadata = '<Metadata><Hdi_isfolder>true</Hdi_isfolder></Metadata>';
    const empty = blob('folder', { metadata }).replace('>12<', '>0<');
    const { named } = parseListing(listing(empty + blob('not', { metadata })));
    expect(named.map(({ object }) => object?.key)).toEqual([undefined, 'not']);
  });

  it('is rejected if it was truncated anywhere', () => {
    const xml = listing(blob('a') + blob('b'), '<NextMarker>go-on</NextMarker>');
    for (let length = 0; length < xml.length; length++) {
      expect(() => parseListing(xml.slice(0, length)), xml.slice(0, length)).toThrow('cut off');
    }
    expect(parseListing(xml).named).toHaveLength(2);
  });
});

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
