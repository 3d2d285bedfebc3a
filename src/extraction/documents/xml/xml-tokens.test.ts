import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionError } from '../../extraction-error.ts';
import { XmlTokens, type XmlVocabulary } from './xml-tokens.ts';

/** Tokens as one line each, texts joined; what stopped them last. */
function tokensOf(xml: string | Uint8Array, sizes: readonly number[] = [4096], vocabulary?: XmlVocabulary) {
  const bytes = Buffer.from(xml as string);
  const tokens = new XmlTokens(vocabulary);
  const seen: string[] = [];
  const drain = () => {
    while (tokens.next()) {
      if (tokens.token !== 'text') seen.push(`${tokens.token} ${tokens.name}`);
      else if (seen.at(-1)?.startsWith('text ')) seen.push(seen.pop() + tokens.text);
      else if (tokens.text !== '') seen.push(`text ${tokens.text}`);
    }
  };
  try {
    for (let from = 0, i = 0; from < bytes.length; i++) {
      const size = sizes[i % sizes.length]!;
      tokens.push(Uint8Array.from(bytes.subarray(from, from + size)));
      drain();
      from += size;
    }
    tokens.pushEnd();
    drain();
    tokens.finish();
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    seen.push(error.message);
  }
  return seen;
}

/** The first element's attributes. */
function openTag(tag: string): XmlTokens {
  const tokens = new XmlTokens();
  tokens.push(Buffer.from(tag.padEnd(300)));
  expect(tokens.next()).toBe(true);
  return tokens;
}

const REAL =
  '\ufeff<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<!DOCTYPE a [<!ENTITY x "y"> <!-- don\'t ]> -->]>' +
  '<w:a xmlns:w="u" b="1 > 0"><!-- <no> --><w:t xml:space="preserve">Müller &amp; Söhne &#x20AC;&#8364; 𝄞</w:t><w:br/>' +
  '<![CDATA[a <b> &amp; ]] ]]]>x</w:a >';
const REAL_TOKENS = [
  'text \r\n',
  'open a',
  'open t',
  'text Müller & Söhne €€ 𝄞',
  'close t',
  'open br',
  'close br',
  'text a <b> &amp; ]] ]x',
  'close a',
];

describe('tokens of XML', () => {
  it('are tags without prefixes and decoded text; comments, instructions and types are passed over', () => {
    expect(tokensOf(REAL)).toEqual(REAL_TOKENS);
  });

  it('are the same for any chunking', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (sizes) => {
        expect(tokensOf(REAL, sizes)).toEqual(REAL_TOKENS);
      }),
    );
  });

  it('are decoded from UTF-16 and from declared encodings', () => {
    const utf16 = Buffer.from('\ufeff<a>Ähm €</a>', 'utf16le');
    expect(tokensOf(utf16, [3])).toEqual(['open a', 'text Ähm €', 'close a']);
    expect(tokensOf(Buffer.from(utf16).swap16())).toEqual(['open a', 'text Ähm €', 'close a']);
    expect(tokensOf(utf16.subarray(2))).toEqual(['open a', 'text Ähm €', 'close a']);
    const latin = Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>\x80 \xc4</a>', 'latin1');
    expect(tokensOf(latin, [1])).toEqual(['open a', 'text € Ä', 'close a']);
    expect(tokensOf('<?xml version="1.0" encoding="klingon"?><a>x</a>')).toContain('text x');
  });

  it('leave invalid references unchanged', () => {
    const text = '&custom; & &#0; &#xD800; &#1114112; &#xZ; &amp &lt&gt;; &;';
    expect(tokensOf(`<a>${text}</a>`)[1]).toBe(`text ${text.replace('&gt;', '>')}`);
    expect(tokensOf(`<a>1 < 2 <3 <</a>`)).toEqual(['open a', 'text 1 < 2 <3 <', 'close a']);
  });

  it('have the names of characters that the vocabulary brings', () => {
    const vocabulary = { entities: new Map([['nbsp', ' ']]), loose: true };
    expect(tokensOf('<a>x&nbsp;y', [1], vocabulary)).toEqual(['open a', 'text x y']);
  });
});

describe('attributes of a tag', () => {
  it('are found by their name without a prefix', () => {
    const tag = openTag(`<c xmlns:q="u" x:r = 'A1'\n s="&lt;2&quot;" t=s u v="/" checked/>`);
    expect(['r', 's', 't', 'u', 'v', 'checked'].map((name) => tag.attribute(name))).toEqual([
      'A1',
      '<2"',
      's',
      '',
      '/',
      '',
    ]);
    expect([tag.attribute('q'), tag.attribute('x'), tag.attribute('')]).toEqual([null, null, null]);
  });

  it('can be requested with a prefix', () => {
    const tag = openTag('<p:sldId id="256" r:id="rId2"/>');
    expect(tag.attribute('id')).toBe('256');
    expect(tag.prefixedAttribute('id')).toBe('rId2');
    expect(openTag('<a id="1">').prefixedAttribute('id')).toBeNull();
  });
});

describe('hostile XML', () => {
  it('expands nothing that it declares itself', () => {
    const lol = '<!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
    expect(tokensOf(`${lol}<l>&b;&c;</l>`)).toEqual(['open l', 'text &b;&c;', 'close l']);
  });

  it('may nest two thousand deep', () => {
    expect(tokensOf('<a>'.repeat(2000) + '</a>'.repeat(2000)).at(-1)).toBe('close a');
    expect(tokensOf('<a>'.repeat(2001)).at(-1)).toBe('limit: nesting');
  });

  it('may have tags of four megabytes, in linear time for any chunking', () => {
    const value = 'x'.repeat(2_000_000);
    expect(tokensOf(`<a b="${value}"/>`, [7])).toEqual(['open a', 'close a']);
    expect(tokensOf(`<a b="${value}${value}${value}`, [1000])).toEqual(['limit: length of a tag']);
    expect(tokensOf(`<${value}${value}${value}/>`, [10_000_000])).toEqual(['limit: length of a tag']);
  });

  it('may have text of any length in any chunks', () => {
    const tokens = new XmlTokens();
    tokens.push(Buffer.from(`<a>${' '.repeat(300)}`));
    let length = 0;
    for (let i = 0; i < 300_000; i++) {
      tokens.push(Buffer.from('&amp;&am'.slice(i % 3)));
      while (tokens.next()) if (tokens.token === 'text') length += tokens.text.length;
    }
    expect(length).toBeGreaterThan(900_000);
  });

  it.each([
    '<a>',
    '<a>x',
    '<a><b></b>',
    '<a',
    '<a b="',
    '<a>&am',
    '<a><!-- ',
    '<a/><?x',
    '<!DOCTYPE a [',
    '<a/><',
  ])('is truncated: %s', (xml) => {
    expect(tokensOf(xml).at(-1)).toBe('corrupt: truncated XML');
  });

  it.each(['<a/><?b?>', '<a/><!---->', '<a/>\n'])('is complete: %s', (xml) => {
    expect(tokensOf(xml).filter((token) => token.startsWith('corrupt'))).toEqual([]);
  });

  it('does not close what is not open, and is not without an element', () => {
    expect(tokensOf('<a></a></a>').at(-1)).toBe('corrupt: XML');
    expect(tokensOf('').at(-1)).toBe('corrupt: XML');
    expect(tokensOf('text').at(-1)).toBe('corrupt: XML');
  });

  it('yields tokens or an error, the same for any chunking', () => {
    const bit = fc.constantFrom(
      ...[
        '<',
        '>',
        '/',
        '"',
        "'",
        '=',
        '&',
        ';',
        '!',
        '?',
        '-',
        '--',
        '[',
        ']',
        ']]>',
        'a',
        'b:c',
        ' ',
        '<a>',
      ],
      ...['</a>', '<!--', '<![CDATA[', '<!DOCTYPE', '&amp;', '&#65;', '€', '\0', '\n'],
    );
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (bits, size) => {
        const xml = bits.join('');
        expect(tokensOf(xml, [size])).toEqual(tokensOf(xml));
      }),
      { numRuns: 3000 },
    );
  });
});
