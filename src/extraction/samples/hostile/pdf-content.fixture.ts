import { deflateSync } from 'node:zlib';
import { lines, PdfFixture, type PdfPage } from '../../documents/pdf/pdf.fixture.ts';
import { hostileFiles } from './hostile-file.fixture.ts';

const MEGABYTE = 1_000_000;
const many = (count: number, text: string) => `${text} `.repeat(count);

/** A file of one page, with compressed streams. */
const onePage = (page: (fixture: PdfFixture) => PdfPage) => () => {
  const fixture = new PdfFixture();
  fixture.compressed = true;
  return fixture.build(fixture.pages([page(fixture)]));
};
const content = (make: () => string) => onePage(() => ({ content: make() }));

const form = (fixture: PdfFixture, inside: string, resources = '') =>
  fixture.stream(`/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources << ${resources} >>`, inside);

/** A page that shows text in this font. */
const font = (entries: (fixture: PdfFixture) => string, text = '(some text)') =>
  onePage((fixture) => ({
    content: `BT /F2 9 Tf 9 9 Td ${text} Tj ET`,
    fonts: `/F2 << /Type /Font ${entries(fixture)} >>`,
  }));
const mapped = (map: string) =>
  font((fixture) => `/Subtype /TrueType /BaseFont /X /ToUnicode ${fixture.stream('', map)} 0 R`);
const composite = (descendant: string, encoding = '/Identity-H') =>
  font(
    () =>
      `/Subtype /Type0 /BaseFont /X /Encoding ${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X ${descendant} >>]`,
    '<00010002>',
  );
const MAP_START =
  '/CIDInit /ProcSet findresource begin begincmap /CMapName /X def 1 begincodespacerange <0000> <ffff> endcodespacerange';

const huge = (entries: string) =>
  onePage((fixture) => {
    const picture = fixture.stream(
      `/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceGray ${entries}`,
      Buffer.alloc(100),
    );
    return { content: many(1000, '/Im Do'), resources: `/XObject << /Im ${picture} 0 R >>` };
  });

export const pdfContents = hostileFiles({
  'PDF: one drawing 300,000 times': [
    'a.pdf',
    onePage((fixture) => ({
      content: many(300_000, '/X Do'),
      resources: `/XObject << /X ${form(fixture, lines('drawn'))} 0 R >>`,
    })),
  ],
  'PDF: one empty drawing three million times': [
    'a.pdf',
    onePage((fixture) => ({
      content: many(3 * MEGABYTE, '/X Do'),
      resources: `/XObject << /X ${form(fixture, '')} 0 R >>`,
    })),
  ],
  'PDF: a long drawing without text 10,000 times': [
    'a.pdf',
    onePage((fixture) => ({
      content: many(10_000, '/X Do'),
      resources: `/XObject << /X ${form(fixture, many(100_000, '0 0 m 1 1 l S'))} 0 R >>`,
    })),
  ],
  'PDF: a drawing of itself': [
    'a.pdf',
    onePage((fixture) => {
      const self = fixture.reserve();
      fixture.set(
        self,
        `<< /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${self} 0 R >> >> /Length 6 >>\nstream\n/X Do \nendstream`,
      );
      return { content: many(1000, '/X Do'), resources: `/XObject << /X ${self} 0 R >>` };
    }),
  ],
  'PDF: drawings in each other, 10,000 deep': [
    'a.pdf',
    onePage((fixture) => {
      let inner = form(fixture, lines('deep'));
      for (let i = 0; i < 10_000; i++) inner = form(fixture, '/X Do', `/XObject << /X ${inner} 0 R >>`);
      return { content: '/X Do', resources: `/XObject << /X ${inner} 0 R >>` };
    }),
  ],
  'PDF: one stream 5,000 times in a page': [
    'a.pdf',
    onePage((fixture) => {
      const stream = fixture.stream('', many(20_000, '0 0 m'));
      return { content: '', entries: `/Contents [${many(5000, `${stream} 0 R`)}]` };
    }),
  ],
  'PDF: 50 million operators': ['a.pdf', content(() => many(25 * MEGABYTE, 'q Q'))],
  'PDF: 20 million saved states': ['a.pdf', content(() => many(20 * MEGABYTE, 'q'))],
  'PDF: 20 million texts without letters': [
    'a.pdf',
    content(() => `BT /F1 9 Tf ${many(20 * MEGABYTE, '() Tj')} ET`),
  ],
  'PDF: letters one by one': [
    'a.pdf',
    content(() => `BT /F1 9 Tf ${many(5 * MEGABYTE, '(a) Tj 9 0 Td')} ET`),
  ],
  'PDF: letters on top of each other': [
    'a.pdf',
    content(() => `BT /F1 9 Tf ${many(900_000, '(a) Tj 0 0 Td')} ET`),
  ],
  'PDF: letters far apart, upward': [
    'a.pdf',
    content(() => `BT /F1 9 Tf ${many(900_000, '(a) Tj -7 13 Td')} ET`),
  ],
  'PDF: an array of 20 million numbers': [
    'a.pdf',
    content(() => `BT /F1 9 Tf [${many(20 * MEGABYTE, '1')}] TJ ET`),
  ],
  'PDF: arrays in each other on a page': ['a.pdf', content(() => '['.repeat(20 * MEGABYTE))],
  'PDF: inline pictures without an end': ['a.pdf', content(() => many(MEGABYTE, 'BI /W 1 /H 1 ID x'))],
  'PDF: a text of 100 MB': ['a.pdf', content(() => `BT /F1 9 Tf (${'word '.repeat(20 * MEGABYTE)}) Tj ET`)],
  'PDF: a million fonts are chosen': [
    'a.pdf',
    content(() => `BT ${many(3 * MEGABYTE, '/F1 9 Tf /F9 8 Tf')} ET`),
  ],
  'PDF: marked text in each other': [
    'a.pdf',
    content(() => many(3 * MEGABYTE, '/Span << /ActualText (x) >> BDC')),
  ],
  'PDF: character map of all codes, 3,000 times': [
    'a.pdf',
    mapped(`${MAP_START} ${many(3000, '1 beginbfrange <0000> <ffff> <0041> endbfrange')} endcmap`),
  ],
  'PDF: character map of four billion codes': [
    'a.pdf',
    mapped(
      `${MAP_START} 1 beginbfrange <00000000> <ffffffff> <0041> endbfrange 1 begincidrange <00000000> <ffffffff> 0 endcidrange endcmap`,
    ),
  ],
  'PDF: character map with long texts': [
    'a.pdf',
    mapped(`${MAP_START} 1 beginbfrange <0000> <ffff> <${'0041'.repeat(50_000)}> endbfrange endcmap`),
  ],
  'PDF: widths of two billion letters': ['a.pdf', composite('/W [0 2000000000 500]')],
  'PDF: widths again and again': ['a.pdf', composite(`/W [${many(2000, '0 65535 500')}]`)],
  'PDF: a font with two billion codes': [
    'a.pdf',
    font(() => '/Subtype /Type1 /BaseFont /X /FirstChar 0 /LastChar 2000000000 /Widths [1]'),
  ],
  'PDF: a font whose letters show themselves': [
    'a.pdf',
    onePage((fixture) => {
      const type3 = fixture.reserve();
      const letter = fixture.stream('', `1 0 d0 BT /F3 9 Tf ${many(50, '(aaaa) Tj')} ET`);
      fixture.set(
        type3,
        `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << /a ${letter} 0 R >> /Resources << /Font << /F3 ${type3} 0 R >> >> >>`,
      );
      return { content: `BT /F3 9 Tf ${many(1000, '(aaaa) Tj')} ET`, fonts: `/F3 ${type3} 0 R` };
    }),
  ],
  'PDF: 20,000 fonts': [
    'a.pdf',
    onePage((fixture) => {
      const map = fixture.stream('', `${MAP_START} 1 beginbfrange <0000> <ffff> <0041> endbfrange endcmap`);
      const names = Array.from({ length: 20_000 }, (_, i) => i);
      const each = names.map(
        (i) => `/G${i} << /Type /Font /Subtype /Type1 /BaseFont /X${i} /ToUnicode ${map} 0 R >>`,
      );
      return { content: `BT ${names.map((i) => `/G${i} 9 Tf (a) Tj`).join(' ')} ET`, fonts: each.join(' ') };
    }),
  ],
  'PDF: a picture of 60,000 × 60,000': ['a.pdf', huge('')],
  'PDF: a JBIG2 picture of 60,000 × 60,000': ['a.pdf', huge('/Filter /JBIG2Decode')],
  'PDF: a stream of one letter by run lengths': [
    'a.pdf',
    () => {
      const fixture = new PdfFixture();
      const runs = Buffer.alloc(4 * MEGABYTE, Buffer.from([129, 0x20]));
      const stream = fixture.raw('/Filter [/FlateDecode /RunLengthDecode]', deflateSync(runs));
      return fixture.build(fixture.pages([{ content: '', entries: `/Contents ${stream} 0 R` }]));
    },
  ],
});
