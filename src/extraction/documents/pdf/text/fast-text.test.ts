import fc from 'fast-check';
import type { PDFPageProxy } from 'unpdf/pdfjs';
import { describe, expect, it } from 'vitest';
import { addItem, type LibraryItem } from '../page.ts';
import { at, lines, PdfFixture, quoted } from '../pdf.fixture.ts';
import { pdfLibrary } from '../pdfjs/library.ts';
import { PageLines, type PageText } from './lines.ts';

interface BothWays {
  readonly fast: PageText | null;
  readonly library: PageText;
}

/** The first page, by the fast path and by the library, which is used if marks are requested as well. */
function bothWays(file: Buffer): Promise<BothWays> {
  return withPage(file, async (page) => {
    const fast = await readFastText(page);
    const slow = new PageLines();
    for (const { items } of await chunksOf(page.streamTextContent({ includeMarkedContent: true }))) {
      for (const item of items) addItem(slow, item, new Set());
    }
    return { fast, library: slow.text(false) };
  });
}

async function readFastText(page: PDFPageProxy): Promise<PageText | null> {
  const [chunk] = await chunksOf(page.streamTextContent());
  return chunk?.text ?? null;
}

async function withPage<T>(file: Buffer, read: (page: PDFPageProxy) => Promise<T>): Promise<T> {
  const { getDocument } = await pdfLibrary();
  const task = getDocument({ data: Uint8Array.from(file), useSystemFonts: true, verbosity: 0 });
  try {
    return await read(await (await task.promise).getPage(1));
  } finally {
    await task.destroy();
  }
}

interface Chunk {
  readonly items: readonly LibraryItem[];
  readonly text?: PageText;
}

async function chunksOf(stream: ReadableStream<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  return chunks;
}

/**
 * Letters with wide spacing: the library does not report the gaps, so they are joined in the fast path only. Some of them may already be
 * joined: then there are at least four short words in a row.
 */
function standApart(line: string): boolean {
  const lengths = line.split(/\s/).map((word) => word.length);
  return lengths.some((_, from) => {
    const three = lengths.slice(from, from + 3);
    if (three.length === 3 && three.every((length) => length === 1 || length === 2)) return true;
    return lengths.some((_, last) => last >= from + 3 && mean(lengths.slice(from, last + 1)) <= 2.5);
  });
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

/** `text`, without the blanks of such lines. */
function comparable(text: PageText | null, library: PageText): object | null {
  const isApart = library.lines.map(standApart);
  return (
    text && { ...text, lines: text.lines.map((line, i) => (isApart[i] ? line.replace(/\s/g, '') : line)) }
  );
}

const TO_UNICODE =
  '1 begincodespacerange <0000> <ffff> endcodespacerange\n' +
  '2 beginbfrange <0001> <005e> <0021> <0100> <0110> <05d0> endbfrange\n' +
  '4 beginbfchar <0060> <0020> <0061> <0301> <0062> <fb01> <0063> <200b> endbfchar';

/** Fonts of many kinds, a form, a picture and settings. */
function page(content: string): Buffer {
  const pdf = new PdfFixture();
  const unicode = pdf.stream('', TO_UNICODE);
  const wide = pdf.add(
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Wide /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) ' +
      '/Supplement 0 >> /DW 600 /W [1 [300 400 500] 256 272 550] >>',
  );
  const composite = (encoding: string) =>
    `<< /Type /Font /Subtype /Type0 /BaseFont /Wide /Encoding /${encoding} /DescendantFonts [${wide} 0 R] /ToUnicode ${unicode} 0 R >>`;
  const stroke = pdf.stream('', '500 0 d0 0 0 500 700 re f');
  const drawn =
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.002 0 0 0.002 0 0] /FirstChar 65 /LastChar 66 ` +
    `/Widths [500 400] /Encoding << /Differences [65 /A /B] >> /CharProcs << /A ${stroke} 0 R /B ${stroke} 0 R >> >>`;
  const odd =
    `<< /Type /Font /Subtype /TrueType /BaseFont /Odd /FirstChar 32 /LastChar 126 /Widths [${Array.from({ length: 95 }, (_, i) => 200 + i * 6).join(' ')}] ` +
    `/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [97 /eacute /alpha /fi] >> >>`;
  const fonts = `/F2 ${pdf.add(composite('Identity-H'))} 0 R /F3 ${pdf.add(drawn)} 0 R /F4 ${pdf.add(odd)} 0 R /F5 ${pdf.add(composite('Identity-V'))} 0 R`;
  const form = pdf.stream(
    `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Matrix [1 0 0 1 5 7] /Resources << /Font << /F1 ${fonts.split(' ').slice(1, 4).join(' ')} >> >>`,
    'BT /F1 9 Tf 100 300 Td <000100020003> Tj ET',
  );
  const size = '/Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8';
  const picture = pdf.raw(`/Type /XObject /Subtype /Image ${size}`, Buffer.alloc(1));
  const resources = `/XObject << /X ${form} 0 R /gs#20G ${form} 0 R /P ${picture} 0 R >> /ExtGState << /G << /LW 2 >> >>`;
  return pdf.build(pdf.pages([{ content, resources, fonts }]));
}

const number = fc
  .oneof(fc.integer({ min: -40, max: 40 }), fc.double({ min: -9, max: 9, noNaN: true }))
  .map((n) => n.toFixed(3));
const turned = fc.constantFrom(
  '1 0 0 1',
  '0 1 -1 0',
  '-1 0 0 -1',
  '0 -1 1 0',
  '.8 .6 -.6 .8',
  '1 0 .3 1',
  '1 0 0 -1',
  '2 0 0 2',
);
const spot = fc
  .tuple(fc.integer({ min: -20, max: 620 }), fc.integer({ min: -20, max: 800 }))
  .map((xy) => xy.join(' '));
const text = fc.oneof(
  fc.constantFrom('Maria Sanchez', '4111 1111 1111 1111', ' ', '', 'a', ' b', 'c ', 'ABBA').map(quoted),
  fc.string({ maxLength: 12 }).map(quoted),
  fc.constantFrom(
    '<000100020003>',
    '<0100010101020103>',
    '<00010060000200610003>',
    '<006200630041>',
    '<4120a0ad42>',
  ),
);
const operation = fc.oneof(
  { weight: 6, arbitrary: text.map((codes) => `${codes} Tj`) },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.oneof(text, fc.integer({ min: -900, max: 900 })), { maxLength: 6 })
      .map((parts) => `[${parts.join(' ')}] TJ`),
  },
  { weight: 3, arbitrary: fc.tuple(number, number).map((xy) => `${xy.join(' ')} Td`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('/F1', '/F2', '/F3', '/F4'), fc.constantFrom('1', '8', '12', '-10'))
      .map((font) => `${font.join(' ')} Tf`),
  },
  fc.tuple(turned, spot).map((matrix) => `${matrix.join(' ')} Tm`),
  fc.tuple(turned, fc.tuple(number, number)).map(([turn, xy]) => `${turn} ${xy.join(' ')} cm`),
  fc.tuple(number, fc.constantFrom('Tc', 'Tw', 'Ts', 'TL')).map((set) => set.join(' ')),
  fc.constantFrom(
    '60 Tz',
    '100 Tz',
    '-100 Tz',
    '14 TL',
    'T*',
    'q',
    'Q',
    'BT',
    'ET',
    '/X Do',
    '/P Do',
    '/G gs',
    '/Span BMC',
    '/Span << /ActualText (meant) >> BDC',
    '/Span << /ActualText (ABBA) >> BDC',
    'EMC',
    'EMC',
    '0 Tc',
  ),
  text.map((codes) => `${codes} '`),
  fc.tuple(number, number, text).map((all) => `${all.join(' ')} "`),
  fc.tuple(number, number).map((xy) => `${xy.join(' ')} TD`),
);

describe('the text of a PDF page on the fast path', () => {
  it('is the same as the library reads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
        const { fast, library } = await bothWays(page(`BT /F1 12 Tf 72 700 Td ${operations.join('\n')}`));
        expect(comparable(fast, library)).toEqual(comparable(library, library));
      }),
      // Always the same pages: of 20,000 one has a gap that is exactly as wide as a bound, and sums of widths round to either side.
      { numRuns: 300, seed: 2026 },
    );
  });

  it.each([
    ['lines', lines('Maria', 'Sanchez')],
    ['a form', '/X Do'],
    ['a form that is called like settings', '/G gs /gs#20G Do'],
    ['characters of other scripts', 'BT /F2 12 Tf 72 700 Td <010001010102> Tj ET'],
    ['characters that are drawn', 'BT /F3 12 Tf 72 700 Td (ABBA) Tj ET'],
    ['nothing', ''],
  ])('may have %s', async (_, content) => {
    const { fast, library } = await bothWays(page(content));
    expect(fast).toEqual(library);
    expect(fast).not.toBeNull();
  });

  it.each([
    ['is written downward', 'BT /F5 12 Tf 72 700 Td <000100020003> Tj ET'],
    ['has no font', '(text) Tj'],
    ['has operators without what they need', '/X 1 Td (a) Do BT /F1 12 Tf 72 700 Td (b) Tj ET'],
  ])('is left to the library where it %s', async (_, content) => {
    expect((await bothWays(page(content))).fast).toBeNull();
  });

  // The library can't: its calls would be too deep.
  it('may be in forms that are in each other ten thousand times', async () => {
    const pdf = new PdfFixture();
    const font = pdf.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
    const form = (resources: string, content: string) =>
      pdf.stream(`/Subtype /Form /BBox [0 0 600 800] /Resources << ${resources} >>`, content);
    let inner = form(`/Font << /F1 ${font} 0 R >>`, lines('deep'));
    for (let i = 0; i < 10_000; i++) inner = form(`/XObject << /X ${inner} 0 R >>`, '/X Do');
    const file = pdf.build(pdf.pages([{ content: '/X Do', resources: `/XObject << /X ${inner} 0 R >>` }]));
    expect(await withPage(file, readFastText)).toEqual({
      lines: ['deep'],
      characters: 4,
      unknown: 0,
      cut: false,
    });
  }, 60_000);

  it('is truncated if few codes represent too many characters', async () => {
    const pdf = new PdfFixture();
    const map = `1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <${'0042'.repeat(200)}> endbfchar`;
    const font = pdf.add(
      `<< /Type /Font /Subtype /TrueType /BaseFont /Odd /FirstChar 65 /LastChar 65 /Widths [0] /ToUnicode ${pdf.stream('', map)} 0 R >>`,
    );
    const content = `BT /F2 1 Tf 72 700 Td (${'A'.repeat(20_000)}) Tj ET`;
    const file = pdf.build(pdf.pages([{ content, fonts: `/F2 ${font} 0 R` }]));
    const text = await withPage(file, readFastText);
    expect(text?.cut).toBe(true);
    expect(text?.characters).toBe(1_000_200);
  });

  it('continues after runs that are positioned elsewhere', async () => {
    const { fast } = await bothWays(page(at([72, 700, 'one'], [95, 700, 'two'], [72, 680, 'three'])));
    expect(fast).toEqual({ lines: ['one two', 'three'], characters: 11, unknown: 0, cut: false });
  });
});
