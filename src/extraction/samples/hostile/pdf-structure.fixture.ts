import { deflateSync } from 'node:zlib';
import { lines, PdfFixture } from '../../documents/pdf/pdf.fixture.ts';
import { hostileFiles } from './hostile-file.fixture.ts';

const MEGABYTE = 1_000_000;
const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const many = (count: number, text: string) => `${text} `.repeat(count);
const pdf =
  (build: (pdf: PdfFixture) => number, trailer = '') =>
  () => {
    const fixture = new PdfFixture();
    return fixture.build(build(fixture), trailer);
  };

/** One page object, listed `count` times by each of the nodes of a tree of `levels`. */
function repeatedPage(count: number, levels = 1, content = lines('one page', 'many times')) {
  return (fixture: PdfFixture): number => {
    const font = fixture.add(HELVETICA);
    const contents = fixture.stream('', content);
    let node = fixture.add(
      `<< /Type /Page /MediaBox [0 0 612 792] /Contents ${contents} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
    );
    for (let level = 1; level <= levels; level++)
      node = fixture.add(`<< /Type /Pages /Count ${count ** level} /Kids [${many(count, `${node} 0 R`)}] >>`);
    return fixture.add(`<< /Type /Catalog /Pages ${node} 0 R >>`);
  };
}

/** A text of this many bytes, compressed twice to a few kilobytes. */
function bomb(fixture: PdfFixture, size: number): number {
  const packed = deflateSync(deflateSync(Buffer.alloc(size, 'some text of an attachment\n')));
  return fixture.raw('/Type /EmbeddedFile /Filter [/FlateDecode /FlateDecode]', packed);
}

function attachments(count: number, size: number) {
  return (fixture: PdfFixture): number => {
    const file = bomb(fixture, size);
    const names = Array.from(
      { length: count },
      (_, i) => `(${i}) << /F (${i}.txt) /EF << /F ${file} 0 R >> >>`,
    );
    return fixture.pages(
      [{ content: lines('one') }],
      `/Names << /EmbeddedFiles << /Names [${names.join(' ')}] >> >>`,
    );
  };
}

function attachedNotes(count: number, size: number) {
  return (fixture: PdfFixture): number => {
    const file = bomb(fixture, size);
    const notes = Array.from({ length: count }, (_, i) =>
      fixture.add(
        `<< /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /F (${i}.txt) /EF << /F ${file} 0 R >> >> >>`,
      ),
    );
    return fixture.pages([
      { content: lines('one'), entries: `/Annots [${notes.map((note) => `${note} 0 R`).join(' ')}]` },
    ]);
  };
}

/** An outline whose entries follow each other in a circle. */
function outlineLoop(fixture: PdfFixture): number {
  const outline = fixture.reserve();
  const item = fixture.reserve();
  fixture.set(item, `<< /Title (again) /Parent ${outline} 0 R /Next ${item} 0 R /First ${item} 0 R >>`);
  fixture.set(outline, `<< /Type /Outlines /First ${item} 0 R /Last ${item} 0 R /Count 1000000 >>`);
  return fixture.pages([{ content: lines('one') }], `/Outlines ${outline} 0 R`);
}

/** Nodes of a tree of names or fields: each lists the one below it ten times. */
function repeatedTree(leaf: string, node: (kids: string) => string, catalogue: (root: number) => string) {
  return (fixture: PdfFixture): number => {
    let kid = fixture.add(leaf);
    for (let level = 0; level < 7; level++) kid = fixture.add(node(many(10, `${kid} 0 R`)));
    return fixture.pages([{ content: lines('one') }], catalogue(kid));
  };
}

const annotations = (count: number) => (fixture: PdfFixture) => {
  const note = fixture.add('<< /Subtype /Text /Rect [0 0 9 9] /Contents (the same note) >>');
  return fixture.pages([{ content: lines('one'), entries: `/Annots [${many(count, `${note} 0 R`)}]` }]);
};

const noTable = (count: number) =>
  `%PDF-1.7\n${Array.from({ length: count }, (_, i) => `${i + 1} 0 obj << /Type /Page /Parent ${count} 0 R >> endobj\n`).join('')}`;

const previousLoop = () => {
  const file = new PdfFixture();
  const built = file.build(file.pages([{ content: lines('one') }]), '/Prev 0000000000').toString('latin1');
  const table = built.lastIndexOf('xref\n0');
  return built.replace('/Prev 0000000000', `/Prev ${String(table).padStart(10, '0')}`);
};

const filters = (fixture: PdfFixture) => {
  let data = Buffer.from(lines('packed'), 'latin1');
  for (let i = 0; i < 2000; i++) data = deflateSync(data) as typeof data;
  const content = fixture.raw(`/Filter [${many(2000, '/FlateDecode')}]`, data);
  return fixture.pages([{ content: '', entries: `/Contents ${content} 0 R` }]);
};

const metadata = (fixture: PdfFixture) => {
  const xml = `<x:xmpmeta>${'<rdf:li>'.repeat(20 * MEGABYTE)}`;
  const stream = fixture.raw(
    '/Type /Metadata /Subtype /XML /Filter /FlateDecode',
    deflateSync(Buffer.from(xml)),
  );
  return fixture.pages([{ content: lines('one') }], `/Metadata ${stream} 0 R`);
};

const objectStreamLoop = (fixture: PdfFixture) => {
  const stream = fixture.reserve();
  fixture.set(
    stream,
    `<< /Type /ObjStm /N 1000000 /First 10 /Extends ${stream} 0 R /Length ${stream} 0 R >>\nstream\n1 0 2 5 \nendstream`,
  );
  return fixture.pages([{ content: lines('one'), entries: `/Contents [${many(1000, `${stream} 0 R`)}]` }]);
};

export const pdfStructures = hostileFiles({
  'PDF: one page 9,000 times': ['a.pdf', pdf(repeatedPage(9000))],
  'PDF: one page of much text 9,000 times': [
    'a.pdf',
    pdf(
      repeatedPage(9000, 1, lines(...Array.from({ length: 500 }, (_, i) => `line ${i} of a page with text`))),
    ),
  ],
  'PDF: one page a million times, by its tree': ['a.pdf', pdf(repeatedPage(100, 3))],
  'PDF: an attachment of 256 MB with 2,000 names': ['a.pdf', pdf(attachments(2000, 256 * MEGABYTE))],
  'PDF: an attachment of 1 MB with 20,000 names': ['a.pdf', pdf(attachments(20_000, MEGABYTE))],
  'PDF: an attachment of 64 MB on 1,000 notes': ['a.pdf', pdf(attachedNotes(1000, 64 * MEGABYTE))],
  'PDF: outline in a circle': ['a.pdf', pdf(outlineLoop)],
  'PDF: tree of names with repeated nodes': [
    'a.pdf',
    pdf(
      repeatedTree(
        '<< /Limits [(a) (b)] /Names [(a) << /F (a.txt) >>] >>',
        (kids) => `<< /Limits [(a) (b)] /Kids [${kids}] >>`,
        (root) => `/Names << /EmbeddedFiles ${root} 0 R /JavaScript ${root} 0 R >>`,
      ),
    ),
  ],
  'PDF: tree of fields with repeated nodes': [
    'a.pdf',
    pdf(
      repeatedTree(
        '<< /T (x) /FT /Tx /V (value) /Subtype /Widget /Rect [0 0 1 1] >>',
        (kids) => `<< /T (x) /Kids [${kids}] >>`,
        (root) => `/AcroForm << /Fields [${root} 0 R] >>`,
      ),
    ),
  ],
  'PDF: one note 100,000 times': ['a.pdf', pdf(annotations(100_000))],
  'PDF: no table of objects': ['a.pdf', () => noTable(80_000)],
  'PDF: table of objects in a circle': ['a.pdf', previousLoop],
  'PDF: 2,000 filters': ['a.pdf', pdf(filters)],
  'PDF: metadata of 20 million open tags': ['a.pdf', pdf(metadata)],
  'PDF: object stream in a circle': ['a.pdf', pdf(objectStreamLoop)],
  'PDF: arrays in each other': [
    'a.pdf',
    pdf((fixture) => fixture.pages([{ content: lines('one'), entries: `/X ${'['.repeat(2 * MEGABYTE)}` }])),
  ],
  'PDF: dictionaries in each other': [
    'a.pdf',
    pdf((fixture) =>
      fixture.pages([{ content: lines('one'), entries: `/X ${'<</A '.repeat(MEGABYTE / 2)}` }]),
    ),
  ],
  'PDF: dictionaries without an end': ['a.pdf', () => `%PDF-1.7\n${'1 0 obj <<\n'.repeat(100_000)}`],
  'PDF: 9,999 pages': [
    'a.pdf',
    pdf((fixture) => fixture.pages(Array.from({ length: 9999 }, () => ({ content: lines('one') })))),
  ],
});
