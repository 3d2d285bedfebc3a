import { afterAll, describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { ExtractionError } from '../../extraction-error.ts';
import { exifOf, exifSegment, gifOf, heicOf, jpegOf, tiffOf } from './metadata/metadata.fixture.ts';
import { closeOcr, recognize } from './ocr.ts';
import { drawText, pngChunk, pngOf } from './picture.fixture.ts';
import { readPicture } from './picture.ts';
import { pnmOf } from './pixels.ts';
import { inMemory } from './read-window.ts';

afterAll(closeOcr);

const CARD = 'CARD 4111 1111 1111 1111';
const drawn = drawText([CARD, CARD], 4);

async function readAll(file: Buffer, ocr: boolean, budget = new ExtractionBudget()) {
  const texts: Record<string, string> = {};
  try {
    for await (const item of readPicture(inMemory(file), budget, { ocr })) {
      if (item.is === 'text')
        texts[item.location!] = `${texts[item.location!] ?? ''}${Buffer.from(item.text)}`;
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { texts, reason: error.message };
  }
  return { texts, reason: null };
}

/** Pages of grey pixels without compression. */
function scansOf(...texts: readonly string[]): Buffer {
  const pictures = texts.map((text) => drawText([text], 4));
  const pages = (offsets: readonly number[]) =>
    pictures.map(
      ({ width, height, data }, page) =>
        new Map([
          [0x0100, width],
          [0x0101, height],
          [0x0102, 8],
          [0x0103, 1],
          [0x0106, 1],
          [0x0111, offsets[page] ?? 0],
          [0x0115, 1],
          [0x0116, height],
          [0x0117, data.length],
        ]),
    );
  let at = tiffOf(pages([])).length;
  const offsets = pictures.map(({ data }) => {
    at += data.length;
    return at - data.length;
  });
  return Buffer.concat([tiffOf(pages(offsets)), ...pictures.map(({ data }) => Buffer.from(data))]);
}

describe('reading a picture', () => {
  it('without OCR has its metadata, and is reported as not read', async () => {
    expect(await readAll(jpegOf(exifSegment(exifOf())), false)).toEqual({
      texts: {
        properties:
          'Artist: M. Sanchez\nOwner: Maria Sanchez\nSerial number: 082024001\nGPS: 48.8584, 2.2945\n',
      },
      reason: 'picture: OCR is off',
    });
  });

  it('with OCR has its text', async () => {
    const { texts, reason } = await readAll(
      pngOf(drawn, pngChunk('tEXt', Buffer.from('Author\0Maria'))),
      true,
    );
    expect(texts).toEqual({ properties: 'Author: Maria\n', picture: expect.stringContaining(CARD) });
    expect(reason).toBeNull();
  });

  it('has each property once, even if the file repeats it', async () => {
    const comment = [0xfe, Buffer.from('by Maria')] as const;
    expect((await readAll(jpegOf(comment, comment), false)).texts).toEqual({
      properties: 'Comment: by Maria\n',
    });
  });

  it('reads every page', async () => {
    const { texts, reason } = await readAll(scansOf(CARD, 'CARD 1414 4141'), true);
    expect(reason).toBeNull();
    expect(texts).toEqual({
      'page 1': expect.stringContaining(CARD),
      'page 2': expect.stringContaining('1414 4141'),
    });
  });

  it('continues after broken metadata, and reports them at the end', async () => {
    const { texts, reason } = await readAll(pngOf(drawn, pngChunk('eXIf', Buffer.from('broken!!'))), true);
    expect(texts.picture).toContain(CARD);
    expect(reason).toBe('corrupt: TIFF data');
  });

  it.each([
    ['what is no picture', Buffer.from('hello, world, hello'), 'unsupported format: picture'],
    ['a format that can not be decoded', heicOf(exifOf()), 'unsupported format: HEIC image'],
    ['an animation', gifOf('by Maria', 2), 'unsupported format: animation'],
    ['a broken picture', pngOf(drawn).subarray(0, 200), 'corrupt: PNG image'],
  ])('of %s ends with the reason', async (_, file, reason) => {
    expect((await readAll(file, true)).reason).toBe(reason);
  });

  it('is refused when too many were read', async () => {
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, pictures: 1 });
    expect(await readAll(scansOf(CARD, CARD), true, budget)).toMatchObject({
      texts: { 'page 1': expect.stringContaining(CARD) },
      reason: 'limit: pictures',
    });
  });
});

describe('OCR', () => {
  it('reads single bits and bitmaps', async () => {
    const { width, height, data } = drawn;
    const rgb = Buffer.alloc(54 + 4 * width * height, 255);
    rgb.write('BM');
    rgb.writeUInt32LE(54, 10);
    rgb.writeInt32LE(width, 18);
    rgb.writeInt32LE(-height, 22);
    rgb.writeUInt16LE(32, 28);
    rgb.writeUInt32LE(0, 30);
    for (const [i, grey] of data.entries()) rgb.fill(grey, 54 + 4 * i, 54 + 4 * i + 3);
    expect(await recognize(rgb)).toContain(CARD);
    const bits = new Uint8Array(Math.ceil(width / 8) * height);
    for (const [i, grey] of data.entries()) {
      const x = i % width;
      if (grey > 0) bits[Math.floor(i / width) * Math.ceil(width / 8) + (x >> 3)]! |= 128 >> (x & 7);
    }
    expect(await recognize(pnmOf({ width, height, data: bits, form: 'bits' }))).toContain(CARD);
  });

  it("continues after a picture that can't be read", async () => {
    const broken = pngOf(drawn).fill(0, 60, 120);
    await expect(recognize(broken)).rejects.toThrow('corrupt: PNG image');
    expect(await recognize(pngOf(drawn))).toContain(CARD);
  });

  it('refuses a picture by its dimensions, before decoding it', async () => {
    const large = pngOf(drawn);
    large.writeUInt32BE(100_001, 16);
    large.writeUInt32BE(1000, 20);
    await expect(recognize(large)).rejects.toThrow('limit: picture size');
  });

  it('sees nothing in a few pixels', async () => {
    expect(await recognize(pngOf({ ...drawn, width: 7, height: 7 }))).toBe('');
  });

  it('starts again after it was closed', async () => {
    await closeOcr();
    expect(await recognize(pngOf(drawn))).toContain(CARD);
  });
});
