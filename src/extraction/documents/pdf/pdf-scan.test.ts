import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { closeOcr } from '../pictures/ocr.ts';
import { drawText } from '../pictures/picture.fixture.ts';
import { rotated } from '../pictures/pixels.ts';
import { lines, PdfFixture } from './pdf.fixture.ts';
import { readWhole } from './pdf-reading.fixture.ts';

afterAll(closeOcr);

const CARD = 'CARD 4111 1111 1111 1111';
const PAINT = 'q 600 0 0 300 0 200 cm /Im1 Do Q';

interface Scan {
  readonly content?: string;
  readonly entries?: string;
  /** Of the picture: its filter, for one. */
  readonly filter?: string;
  readonly turn?: number;
  readonly mask?: boolean;
}

function scanned(...scans: readonly Scan[]): Buffer {
  const pdf = new PdfFixture();
  return pdf.build(
    pdf.pages(
      scans.map(({ content = PAINT, entries = '', filter = '/FlateDecode', turn = 0, mask = false }) => {
        const { width, height, data } = rotated(drawText([CARD, CARD], 5), turn);
        const size = `/Width ${width} /Height ${height} /Filter ${filter}`;
        const form = mask
          ? '/ImageMask true /BitsPerComponent 1'
          : '/ColorSpace /DeviceGray /BitsPerComponent 8';
        const bytes = mask ? bitsOf(data, width) : Buffer.from(data);
        const picture = pdf.raw(`/Type /XObject /Subtype /Image ${size} ${form}`, deflateSync(bytes));
        return { content, entries, resources: `/XObject << /Im1 ${picture} 0 R >>` };
      }),
    ),
  );
}

function bitsOf(grey: Uint8Array | Uint8ClampedArray, width: number): Buffer {
  const stride = Math.ceil(width / 8);
  const bits = Buffer.alloc(stride * (grey.length / width));
  for (const [i, value] of grey.entries()) {
    const x = i % width;
    if (value > 0) bits[Math.floor(i / width) * stride + (x >> 3)]! |= 128 >> (x & 7);
  }
  return bits;
}

const read = { 'page 1 (OCR)': expect.stringContaining(CARD) };

describe('a scanned page', () => {
  it('without OCR is not read, and not called read', async () => {
    expect(await readWhole(scanned({}))).toEqual({
      texts: {},
      entries: {},
      reason: 'scanned page: OCR is off',
    });
  });

  it('with OCR is read', async () => {
    expect(await readWhole(scanned({}), { ocr: true })).toEqual({ texts: read, entries: {}, reason: null });
  });

  it.each([90, 180, 270])('that is to be turned by %i degrees is read upright', async (degrees) => {
    const file = scanned({ entries: `/Rotate ${degrees}`, turn: 360 - degrees });
    expect(await readWhole(file, { ocr: true })).toMatchObject({ texts: read, reason: null });
  });

  it('of single bits is read', async () => {
    expect(await readWhole(scanned({ mask: true }), { ocr: true })).toMatchObject({
      texts: read,
      reason: null,
    });
  });

  it('may have a number printed on it', async () => {
    const file = scanned({ content: `${PAINT} ${lines('page 1 of 2')}` });
    expect(await readWhole(file)).toMatchObject({
      texts: { 'page 1': 'page 1 of 2\n' },
      reason: 'scanned page: OCR is off',
    });
  });

  it('is none with a text of some length', async () => {
    const file = scanned({ content: `${PAINT} ${lines('This is the text of an illustrated page.')}` });
    expect((await readWhole(file)).reason).toBeNull();
  });

  it('is none with an ornament only', async () => {
    const pdf = new PdfFixture();
    const size = '/Width 20 /Height 20 /ColorSpace /DeviceGray /BitsPerComponent 8';
    const picture = pdf.raw(`/Type /XObject /Subtype /Image ${size}`, Buffer.alloc(400));
    const file = pdf.build(pdf.pages([{ content: PAINT, resources: `/XObject << /Im1 ${picture} 0 R >>` }]));
    expect((await readWhole(file)).reason).toBeNull();
  });

  it('in an unsupported format is reported', async () => {
    const file = scanned({ filter: '/JBIG2Decode' }, {});
    expect(await readWhole(file, { ocr: true })).toMatchObject({
      texts: { 'page 2 (OCR)': expect.stringContaining(CARD) },
      reason: 'unsupported format: picture in PDF',
    });
  });

  it('is one too many beyond the limit', async () => {
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, pictures: 1 });
    expect(await readWhole(scanned({}, { turn: 180 }), { ocr: true, budget })).toMatchObject({
      texts: read,
      reason: 'limit: pictures',
    });
  });
});
