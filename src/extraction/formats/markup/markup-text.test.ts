import { describe, expect, it } from 'vitest';
import { extractBytes } from '../../extract.ts';
import { viaBytes, viaStream } from '../../extraction.fixture.ts';

const utf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8');
const seen = (name: string, content: string) => utf8(viaBytes(name, Buffer.from(content)).parts[0]!.text);
const html = (content: string) => seen('a.html', content);
const xml = (content: string) => seen('a.xml', content);

describe('entities of HTML', () => {
  it.each([
    ['J&uuml;rgen &amp; S&ouml;hne', 'Jürgen & Söhne'],
    ['ann&#64;example&#x2E;com', 'ann@example.com'],
    ['&commat;&period;&lowbar;', '@._'],
    ['&euro;&#128;&#8364;&Omega;&hellip;', '€€€Ω…'],
    ['&#x1F600;', '😀'],
    ['&lt;ann@x.de&gt; &quot;&apos;', '<ann@x.de> "\''],
  ])('%s is read as %s', (written, read) => expect(html(written)).toBe(read));

  it('special blanks and hyphens become plain ones', () => {
    expect(html('4111&nbsp;1111&#160;1111&thinsp;1111')).toBe('4111 1111 1111 1111');
    expect(html('555&#8209;123&#x2010;4567')).toBe('555-123-4567');
  });

  it('lines keep their numbers', () => {
    expect(html('a&#10;b&#xD;c\nd')).toBe('a b c\nd');
  });

  it.each([
    'a & b',
    'a&b=c;d',
    '?a=1&copy=2',
    '&nosuch;',
    '&;',
    '&#;',
    '&#x;',
    '&#xZZ;',
    '&#0;',
    '&#xD800;',
    '&#x110000;',
    '&#99999999;',
    '&#123456789;',
    '&amp',
    '&abcdefghi;',
    '&#12',
    '&',
  ])('%s stays as it is', (written) => expect(html(written)).toBe(written));

  it('are decoded once only', () => expect(html('&amp;lt;&amp;amp;')).toBe('&lt;&amp;'));
});

describe('entities of XML', () => {
  it('are five and the numbers; what a document declares for itself is not expanded', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>';
    expect(xml(bomb)).toBe(bomb);
    expect(xml('&lt;&gt;&amp;&quot;&apos;&#64;&#x40; &eacute;')).toBe('<>&"\'@@ &eacute;');
  });

  it('tags with any names stay', () => {
    const rows = '<r><a>4111</a><b>1111</b></r>';
    expect(xml(rows)).toBe(rows);
  });
});

describe('words that are divided', () => {
  it.each([
    ['<b>4111</b>1111', '<b>41111111'],
    ['41<b>11</b>11<i class=x>11</i>', '41111111</i>'],
    ['ann<wbr>@<wbr/>example.<wbr>com', 'ann@example.com'],
    ['Stra<em>ß</em>e', 'Straße'],
    ['1<B><I>2</I></B>3', '123'],
    ['12<b></b><i></i>34', '1234'],
    ['1&#50;<b>&#51;</b>4', '1234'],
    ['4111&shy;1111\u00ad2222\u200b3333&#8203;4444', '41111111222233334444'],
    ['12<span style="color: red" lang=en>34</span>56', '123456'],
    ['4000 <b>0012</b> 3456 7890', '4000 0012 3456 7890'],
    ['<b>4000</b> <i>0012</i> <b>3456</b> 7890', '<b>4000 0012 3456 7890'],
    ['4000&nbsp;<b>0012</b>&nbsp;3456', '4000 0012 3456'],
    ['4000\u00ad <b>0012</b>', '4000 0012</b>'],
  ])('%s is read as %s', (written, read) => expect(html(written)).toBe(read));

  it.each([
    'see <b>4111</b> times',
    'see <b>this</b> 1111',
    '12 <b>times',
    '12  <b>34',
    '<span>4111</span> <span>1234</span>',
    '<td>12</td><td>34</td>',
    'x<br>y',
    'x<bdo>y',
    '4111<sup>2</sup>',
    '<span>4111</span><span>12/25</span>',
    '<a>ann@x.de</a><b></b><a>bob@y.de</a>',
    '1<a href="mailto:ann@x.de">2',
    '1<b title="ann@x.de">2',
    '1<b\nclass=x>2',
    '1<b',
    '1<',
    '1</b 2',
    'a\u00ad b',
  ])('%s stays as it is', (written) => expect(html(written)).toBe(written));

  it('a tag longer than any, and more of them than any, stay', () => {
    const long = `1<b class="${'x'.repeat(300)}">2`;
    expect(html(long)).toBe(long);
    const many = `1${'<b>'.repeat(400)}2`;
    expect(html(many)).toBe(many);
  });
});

describe('offsets of text in markup', () => {
  it('is that in the object, to the byte', () => {
    const page = '\ufeff<p>J&uuml;rgen: <b>4111</b>1111&nbsp;&#50;222&shy;3 ann@x.de</p>';
    const bytes = Buffer.from(page);
    const { parts } = viaBytes('a.html', bytes);
    const text = Buffer.from(parts[0]!.text, 'latin1');
    const originOf = (found: string, by = 0) => parts[0]!.part.sourceOffset(text.indexOf(found) + by);
    expect(originOf('J')).toBe(bytes.indexOf('J'));
    expect(originOf('ürgen')).toBe(bytes.indexOf('&uuml;'));
    expect(originOf('rgen')).toBe(bytes.indexOf('rgen'));
    expect(originOf('41111111')).toBe(bytes.indexOf('4111'));
    expect(originOf('41111111', 4)).toBe(bytes.indexOf('1111&nbsp'));
    expect(originOf('41111111', 8)).toBe(bytes.indexOf('&nbsp;'));
    expect(originOf('2222')).toBe(bytes.indexOf('&#50;'));
    expect(originOf('ann@')).toBe(bytes.indexOf('ann@'));
    expect(parts[0]!.part.sourceOffset(text.length)).toBe(bytes.length);
  });

  it('is found through UTF-16 too', async () => {
    const page = `<p>${'é'.repeat(50_000)} &amp; <b>4111</b>1111 😀 end</p>`;
    const bytes = Buffer.from(`\ufeff${page}`, 'utf16le');
    const { parts } = await viaStream('a.html', bytes, [10_007]);
    const text = Buffer.from(parts[0]!.text, 'latin1');
    expect(text.toString()).toBe(page.replace('&amp;', '&').replace('</b>', ''));
    const at = 2 + 2 * page.indexOf('end');
    expect(parts[0]!.part.sourceOffset(text.indexOf('end'))).toBe(at);
    expect(parts[0]!.part.sourceOffset(text.indexOf('41111111'))).toBe(2 + 2 * page.indexOf('4111'));
  });

  it('in a text of one byte a character entities are bytes too', () => {
    const bytes = Buffer.from('<p>Stra\xdfe &auml; &euro; <b>1</b>2\xad3</p>', 'latin1');
    const { parts } = viaBytes('a.html', bytes);
    expect(parts[0]).toMatchObject({ charset: 'latin1', text: '<p>Stra\xdfe \xe4 &euro; <b>12\xad3</p>' });
  });
});

it('a page without character references is passed through without a copy', () => {
  const bytes = Buffer.from('<p>Ann Smith, <b>ann@example.com</b></p>');
  const texts: Uint8Array[] = [];
  const sink = { begin: () => {}, text: (text: Uint8Array) => void texts.push(text), end: () => {} };
  expect(extractBytes('a.html', bytes, sink)).toEqual({ state: 'read', format: 'html' });
  expect(texts).toHaveLength(1);
  expect(texts[0]).toHaveLength(bytes.length);
  expect(texts[0]!.buffer).toBe(bytes.buffer);
  expect(texts[0]!.byteOffset).toBe(bytes.byteOffset);
});
