import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { lines, PdfFixture, pdfOf } from './pdf.fixture.ts';
import { readWhole } from './pdf-reading.fixture.ts';

const GOOD = 'a good page';

/** A page with this content stream, followed by a valid one. */
function withContent(entries: string, data: Buffer): Buffer {
  const pdf = new PdfFixture();
  const [pages, first, second] = [pdf.reserve(), pdf.reserve(), pdf.reserve()];
  const font = '<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
  const page = (content: number) =>
    `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font ${font} >> >>`;
  pdf.set(first, page(pdf.raw(entries, data)));
  pdf.set(second, page(pdf.stream('', lines(GOOD))));
  pdf.set(pages, `<< /Type /Pages /Kids [${first} 0 R ${second} 0 R] /Count 2 >>`);
  return pdf.build(pdf.add(`<< /Type /Catalog /Pages ${pages} 0 R >>`));
}

const changed = (file: Buffer, from: string | RegExp, to: string) =>
  Buffer.from(file.toString('latin1').replace(from, to), 'latin1');

describe('a damaged PDF document', () => {
  it.each([
    ['of other data', Buffer.from('%PDF-1.7 and nothing else'), 'corrupt: PDF document'],
    ['of no data', Buffer.alloc(0), 'corrupt: PDF document'],
    ['without an end', pdfOf(['one']).subarray(0, 300), 'corrupt: PDF document'],
  ])('%s has no text', async (_, file, reason) => {
    expect(await readWhole(file)).toEqual({ texts: {}, entries: {}, reason });
  });

  it('is read as far as its objects can be found', async () => {
    const file = changed(pdfOf([GOOD]), /startxref\n\d+/, 'startxref\n7');
    expect(await readWhole(file)).toMatchObject({
      texts: { 'page 1': `${GOOD}\n` },
      reason: 'corrupt: PDF cross-reference table',
    });
  });

  it('keeps what precedes and follows broken data', async () => {
    const text = lines(...Array.from({ length: 40 }, (_, i) => `line ${i} ${Math.sin(i)}`));
    const compressed = deflateSync(text);
    compressed.fill(0x55, compressed.length - 60, compressed.length - 20);
    const { texts, reason } = await readWhole(withContent('/Filter /FlateDecode', compressed));
    expect(texts).toEqual({ 'page 1': expect.stringContaining('line 5'), 'page 2': `${GOOD}\n` });
    expect(reason).toMatch(/^corrupt: PDF (?:stream|page)$/);
  });

  it('reports data with a wrong checksum', async () => {
    const compressed = deflateSync(lines('hello'));
    compressed[compressed.length - 1]! ^= 1;
    expect(await readWhole(withContent('/Filter /FlateDecode', compressed))).toMatchObject({
      texts: { 'page 1': 'hello\n', 'page 2': `${GOOD}\n` },
      reason: 'corrupt: PDF stream',
    });
  });

  it('that only lacks the checksum is not damaged', async () => {
    const compressed = deflateSync(lines('hello'));
    expect(await readWhole(withContent('/Filter /FlateDecode', compressed.subarray(0, -3)))).toMatchObject({
      texts: { 'page 1': 'hello\n' },
      reason: null,
    });
  });

  it.each([
    ['an unknown filter', '/Filter /Magic', Buffer.from('abc'), 'unsupported format: PDF filter'],
    ['a stream that is none', '/Filter /FlateDecode', Buffer.from('abc'), 'corrupt: PDF stream'],
    ['a font that is missing', '', Buffer.from('BT /F9 12 Tf 72 700 Td (text) Tj ET'), 'corrupt: PDF font'],
  ])('with %s goes on with the next page', async (_, entries, data, reason) => {
    expect(await readWhole(withContent(entries, data))).toMatchObject({
      texts: { 'page 2': `${GOOD}\n` },
      reason,
    });
  });

  it('continues after an invalid page', async () => {
    const file = changed(pdfOf(['one'], ['two'], ['three']), /\/Kids \[(\d+)/, '/Kids [1');
    const { texts, reason } = await readWhole(file);
    expect(texts).toMatchObject({ 'page 2': 'two\n', 'page 3': 'three\n' });
    expect(reason).toBeNull();
  });
});

describe('text of a PDF document without a Unicode mapping', () => {
  /** In a font whose characters are numbered from 1 on, as they were met. */
  const read = (codes: string) => {
    const pdf = new PdfFixture();
    const widths = Array(126).fill(500).join(' ');
    const font = pdf.add(
      `<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Own /FirstChar 1 /LastChar 126 /Widths [${widths}] >>`,
    );
    const content = `BT /F2 12 Tf 72 720 Td <${codes}> Tj ET`;
    return readWhole(pdf.build(pdf.pages([{ content, fonts: `/F2 ${font} 0 R` }])));
  };

  it('is reported to be missing', async () => {
    const { reason } = await read('010203040506070801020304');
    expect(reason).toBe('unsupported format: PDF text without Unicode');
  });

  it('may be a sign among others', async () => {
    const seen = await read(`01${Buffer.from('Maria').toString('hex')}`);
    expect(seen).toMatchObject({ texts: { 'page 1': '\x01Maria\n' }, reason: null });
  });
});

describe('a PDF document that unpacks to too much', () => {
  const bomb = deflateSync(Buffer.alloc(40 * 1024 * 1024, ' '));

  it('is cut off, and the next page is read', async () => {
    expect(await readWhole(withContent('/Filter /FlateDecode', bomb))).toMatchObject({
      texts: { 'page 2': `${GOOD}\n` },
      reason: 'limit: compression ratio',
    });
  });

  it('also if it was compressed twice', async () => {
    const twice = deflateSync(bomb);
    const { reason } = await readWhole(withContent('/Filter [/FlateDecode /FlateDecode]', twice));
    expect(reason).toBe('limit: compression ratio');
  });

  it('ends where the object has used up what it may', async () => {
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, decompressedBytes: 1000 });
    const compressed = deflateSync(`${lines('hello')}${' '.repeat(1000)}`);
    expect(await readWhole(withContent('/Filter /FlateDecode', compressed), { budget })).toEqual({
      texts: { 'page 1': 'hello\n' },
      entries: {},
      reason: 'limit: decompressed size',
    });
  });
});
