/** EPUB books of chapters. */
import { each, escaped } from './xml.ts';
import { zip } from './zip.ts';

export interface Book {
  readonly title: string;
  readonly author: string;
  readonly chapters: readonly { readonly title: string; readonly paragraphs: readonly string[] }[];
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function book({ title, author, chapters }: Book): Buffer {
  const paths = chapters.map((_, n) => `chapter-${n + 1}.xhtml`);
  const pages = chapters.map(({ title, paragraphs }, n) => [
    `OEBPS/${paths[n]!}`,
    page(title, `<h1>${escaped(title)}</h1>\n${each(paragraphs, (text) => `<p>${escaped(text)}</p>\n`)}`),
  ]);
  const list = each(chapters, ({ title }, n) => `<li><a href="${paths[n]!}">${escaped(title)}</a></li>`);
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${DECLARATION}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    'OEBPS/content.opf': packageXml(title, author, paths),
    'OEBPS/nav.xhtml': page('Contents', `<nav epub:type="toc"><ol>${list}</ol></nav>\n`),
    ...Object.fromEntries(pages),
  });
}

function packageXml(title: string, author: string, paths: readonly string[]): string {
  const items = each(
    paths,
    (path, n) => `<item id="c${n + 1}" href="${path}" media-type="application/xhtml+xml"/>`,
  );
  const spine = each(paths, (_, n) => `<itemref idref="c${n + 1}"/>`);
  const about =
    `<dc:identifier id="id">urn:brightwater:guest-book</dc:identifier><dc:title>${escaped(title)}</dc:title>` +
    `<dc:language>en</dc:language><dc:creator>${escaped(author)}</dc:creator><meta property="dcterms:modified">2024-03-05T09:12:00Z</meta>`;
  return (
    `${DECLARATION}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${about}</metadata>` +
    `<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${items}</manifest><spine>${spine}</spine></package>`
  );
}

const page = (title: string, body: string) =>
  `${DECLARATION}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>${escaped(title)}</title></head>\n<body>\n${body}</body></html>\n`;
