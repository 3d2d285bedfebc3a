import { describe, expect, it } from 'vitest';
import { readEpub } from './epub.ts';
import { type Files, readBack, textAt, zipped } from './office.fixture.ts';

const page = (inside: string) =>
  `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A book</title><style>p { color: red }</style></head>\n<body>\n${inside}\n</body></html>`;

function epub(chapters: readonly string[], more: Files = {}): Files {
  const items = chapters.map(
    (_, i) => `<item id="c${i}" href="text/c%20${i}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const order = chapters.map((_, i) => `<itemref idref="c${chapters.length - 1 - i}"/>`);
  return {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/content.opf': `<package xmlns:dc="x"><metadata><dc:title>Letters</dc:title><dc:creator>Ann Smith</dc:creator><meta name="cover" content="i"/></metadata><manifest>${items.join('')}<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="x" href="extra.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${order.join('')}</spine></package>`,
    'OEBPS/nav.xhtml': page('<nav>contents</nav>'),
    'OEBPS/extra.xhtml': page('<p>extra</p>'),
    ...Object.fromEntries(chapters.map((inside, i) => [`OEBPS/text/c ${i}.xhtml`, page(inside)])),
    ...more,
  };
}

describe('an electronic book', () => {
  it('yields chapters in reading order', async () => {
    const seen = await readBack(readEpub, zipped(epub(['<p>Second</p>', '<h1>First</h1>'])));
    expect(seen).toEqual({
      texts: [
        { location: 'chapter 1', text: 'A book\nFirst\n' },
        { location: 'chapter 2', text: 'A book\nSecond\n' },
        { location: 'chapter 3', text: 'A book\nextra\n' },
        { location: 'properties', text: 'title: Letters\ncreator: Ann Smith\n' },
      ],
      entries: [],
      error: null,
    });
  });

  it('has lines for blocks, tabs between cells, and the names of characters', async () => {
    const inside = `<div>\n <p>Caf&eacute;&nbsp;&mdash; <b>4111</b>&#160;<i>1111</i>\n next</p>text<br/>more <a href="mailto:ann@example.org">Ann</a> <img alt="A face" src="x"/></div>
      <table><tr><th>Name</th><td><p>Ann</p></td></tr><tr><td>Born</td><td>1980</td></tr></table><pre>a\n b</pre><ul><li>x<li>y</ul>`;
    const seen = await readBack(readEpub, zipped(epub([inside])));
    expect(textAt(seen, 'chapter 1')).toBe(
      'A book\nCafé\u00a0— 4111\u00a01111 next\ntext\nmore Ann <mailto:ann@example.org> A face\nName\tAnn\nBorn\t1980\na\n b\nx\ny\n',
    );
    expect(seen.error).toBeNull();
  });

  const encrypted = (method: string, uri: string) =>
    `<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="${method}"/><ds:KeyInfo><enc:EncryptedKey><enc:EncryptionMethod Algorithm="rsa"/></enc:EncryptedKey></ds:KeyInfo><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`;

  it('is encrypted as far as its chapters are; fonts may be', async () => {
    const aes = encrypted('http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'OEBPS/text/c%200.xhtml');
    const seen = await readBack(
      readEpub,
      zipped(epub(['<p>no</p>', '<p>yes</p>'], { 'META-INF/encryption.xml': aes })),
    );
    expect(seen.texts.map(({ location }) => location)).toEqual(['chapter 1', 'chapter 3', 'properties']);
    expect(seen.error).toBe('encrypted');
    const font = encrypted('http://www.idpf.org/2008/embedding', 'OEBPS/text/c%200.xhtml');
    expect(
      await readBack(readEpub, zipped(epub(['<p>x</p>'], { 'META-INF/encryption.xml': font }))),
    ).toMatchObject({
      error: null,
    });
  });

  it('without its manifest, or with missing parts, reports it', async () => {
    const files = epub(['<p>a</p>']);
    const { 'OEBPS/content.opf': _, ...none } = files;
    expect((await readBack(readEpub, zipped(none))).error).toBe('corrupt: missing part');
    const { 'OEBPS/text/c 0.xhtml': __, ...some } = files;
    expect(await readBack(readEpub, zipped(some))).toMatchObject({
      texts: [{ location: 'chapter 2' }, { location: 'properties' }],
      error: 'corrupt: missing part',
    });
    const { 'META-INF/container.xml': ___, ...unnamed } = files;
    expect((await readBack(readEpub, zipped(unnamed))).error).toBeNull();
  });
});
