import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../../budget/limits.ts';
import { ExtractionError } from '../../../extraction-error.ts';
import { drawText, pngChunk, pngOf } from '../picture.fixture.ts';
import { pictureType } from '../picture-type.ts';
import { inMemory } from '../read-window.ts';
import {
  exifOf,
  exifSegment,
  gifOf,
  gifWithXmp,
  heicOf,
  jpegOf,
  tiffOf,
  webpOf,
  XMP,
} from './metadata.fixture.ts';
import { metadataLines } from './metadata.ts';

async function readMetadata(
  file: Buffer,
  budget = new ExtractionBudget(),
): Promise<{ lines: string[]; reason: string | null }> {
  const lines: string[] = [];
  try {
    for await (const line of metadataLines(inMemory(file), pictureType(file)!, budget)) lines.push(line);
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { lines, reason: error.message };
  }
  return { lines, reason: null };
}

const linesOf = async (file: Buffer) => (await readMetadata(file)).lines;

const EXIF = [
  'Artist: M. Sanchez',
  'Owner: Maria Sanchez',
  'Serial number: 082024001',
  'GPS: 48.8584, 2.2945',
];
const SHOWN = ['photoshop:City: Paris', 'dc:creator: Maria & José'];
const pixel = drawText([''], 1);
const text = (type: string, ...parts: (string | Buffer)[]) =>
  pngChunk(type, Buffer.concat(parts.map((part) => Buffer.from(part as string))));

describe("a picture's EXIF data", () => {
  it.each([
    ['JPEG', jpegOf(exifSegment(exifOf()))],
    ['PNG', pngOf(pixel, pngChunk('eXIf', exifOf(false)))],
    ['WebP', webpOf(['VP8X', Buffer.alloc(10)], ['EXIF', exifOf()])],
    ['HEIC', heicOf(exifOf(false))],
    ['TIFF', exifOf()],
  ])('in %s', async (_, file) => {
    expect(await readMetadata(file)).toEqual({ lines: EXIF, reason: null });
  });

  it('is read in both orders of bytes', async () => {
    expect(await linesOf(jpegOf(exifSegment(exifOf(false))))).toEqual(EXIF);
  });

  it('formats southern and western coordinates as negative degrees', async () => {
    const gps = new Map<number, string | [number, number][]>([
      [1, 'S'],
      [
        2,
        [
          [33, 1],
          [51, 1],
          [0, 0],
        ],
      ],
      [3, 'W'],
      [
        4,
        [
          [70, 1],
          [30, 1],
          [0, 1],
        ],
      ],
    ]);
    expect(await linesOf(tiffOf([new Map([[0x8825, gps]])]))).toEqual(['GPS: -33.85, -70.5']);
  });

  it('ignores coordinates out of range', async () => {
    const gps = new Map<number, string | [number, number][]>([
      [2, [[95, 1]]],
      [4, [[2, 1]]],
    ]);
    expect(await linesOf(tiffOf([new Map([[0x8825, gps]])]))).toEqual([]);
  });

  it('has comments in several encodings', async () => {
    const comment = (head: string, body: Buffer) => Buffer.concat([Buffer.from(head.padEnd(8, '\0')), body]);
    const fields = new Map<number, Buffer>([
      [0x9286, comment('UNICODE', Buffer.from('Grüße', 'utf16le'))],
      [0x9c9d, Buffer.from('José\0', 'utf16le')],
      [0x010e, Buffer.from('Caf\xe9', 'latin1')],
      [0x8298, Buffer.from('© Zoë', 'utf8')],
    ]);
    expect(await linesOf(tiffOf([fields]))).toEqual([
      'Comment: Grüße',
      'Author: José',
      'Description: Café',
      'Copyright: © Zoë',
    ]);
  });

  it('is read of every page', async () => {
    const pages = ['one', 'two', 'three'].map((name) => new Map([[0x010d, `page ${name}`]]));
    expect(await linesOf(tiffOf(pages))).toEqual([
      'Document: page one',
      'Document: page two',
      'Document: page three',
    ]);
  });

  it('in a cycle is read once', async () => {
    const file = tiffOf([new Map([[0x013b, 'Maria Sanchez']])]);
    file.writeUInt32LE(file.readUInt32LE(4), file.length - 4); // the last directory's next one
    expect(await readMetadata(file)).toEqual({
      lines: ['Artist: Maria Sanchez'],
      reason: 'corrupt: TIFF directory',
    });
  });

  it('that points out of the file is damage', async () => {
    const file = tiffOf([new Map([[0x013b, 'Maria Sanchez']])]);
    expect(await readMetadata(file.subarray(0, 20))).toMatchObject({
      reason: expect.stringMatching(/^corrupt: /),
    });
  });

  it('whose directories overlap is not followed for ever', async () => {
    const file = Buffer.alloc(900_000, 0xff); // everywhere begins a directory of 65,535 fields
    file.set(Buffer.from('II*\0\x08\0\0\0', 'latin1'));
    for (let at = 8; at < 100_000; at += 4) file.writeUInt32LE(at + 4, at + 2 + 12 * 65_535);
    expect((await readMetadata(file)).reason).toBe('limit: picture metadata');
  });

  it('with a value of megabytes is not followed', async () => {
    const file = tiffOf([new Map([[0x010e, 'x'.repeat(2 ** 20)]])]);
    expect((await readMetadata(file)).reason).toBe('limit: picture metadata');
  });
});

describe("a picture's XMP packet", () => {
  const segment = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${XMP}`);

  it.each([
    ['JPEG', jpegOf([0xe1, segment])],
    ['PNG', pngOf(pixel, text('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', XMP))],
    ['WebP', webpOf(['XMP ', Buffer.from(XMP)])],
    ['TIFF', tiffOf([new Map([[0x02bc, Buffer.from(XMP)]])])],
  ])('in %s', async (_, file) => {
    expect(await readMetadata(file)).toEqual({ lines: SHOWN, reason: null });
  });

  it('in GIF, next to a comment', async () => {
    const lines = ['Comment: by Maria', ...SHOWN];
    expect(await readMetadata(gifWithXmp(XMP))).toEqual({ lines, reason: null });
  });

  it('that ends within a tag is damaged, and what precedes is kept', async () => {
    const cut = XMP.slice(0, XMP.indexOf('</rdf:Description'));
    expect(await readMetadata(webpOf(['XMP ', Buffer.from(`${cut}<`)]))).toEqual({
      lines: SHOWN,
      reason: 'corrupt: truncated XMP packet',
    });
  });
});

describe("a picture's other texts", () => {
  it('are comments and press captions in JPEG', async () => {
    const caption = Buffer.from('\x1c\x02\x50\0\x0dMaria Sanchez\x1c\x02\x5a\0\x05Paris', 'latin1');
    const size = Buffer.alloc(4);
    size.writeUInt32BE(caption.length);
    const resource = Buffer.concat([
      Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0', 'latin1'),
      size,
      caption,
    ]);
    const file = jpegOf([0xfe, Buffer.from('by Maria')], [0xed, resource]);
    expect(await linesOf(file)).toEqual(['Comment: by Maria', 'Author: Maria Sanchez', 'City: Paris']);
  });

  it('are text chunks in PNG, compressed or not', async () => {
    const file = pngOf(
      pixel,
      text('tEXt', 'Author\0Maria Sanchez'),
      text('zTXt', 'Comment\0\0', deflateSync('a secret')),
      text('iTXt', 'Title\0\x01\0fr\0Titre\0', deflateSync('Été')),
    );
    expect(await linesOf(file)).toEqual(['Author: Maria Sanchez', 'Comment: a secret', 'Title: Été']);
  });

  it('are profiles that PNG has as digits', async () => {
    const hex = Buffer.concat([Buffer.from('Exif\0\0'), exifOf()]).toString('hex');
    const file = pngOf(
      pixel,
      text('zTXt', 'Raw profile type exif\0\0', deflateSync(`\nexif\n     ${hex.length / 2}\n${hex}`)),
    );
    expect(await linesOf(file)).toEqual(EXIF);
  });

  it('are comments in GIF', async () => {
    expect(await linesOf(gifOf('by Maria', 3))).toEqual(['Comment: by Maria']);
  });

  it('that are compressed count with their decompressed size', async () => {
    const file = pngOf(pixel, text('zTXt', 'Comment\0\0', deflateSync('x'.repeat(10_000))));
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, decompressedBytes: 9999 });
    expect(await readMetadata(file, budget)).toEqual({ lines: [], reason: 'limit: decompressed size' });
  });

  it('that would exceed the memory limit are not decompressed', async () => {
    const file = pngOf(pixel, text('zTXt', 'Comment\0\0', deflateSync(Buffer.alloc(2 ** 25))));
    expect((await readMetadata(file)).reason).toBe('limit: picture metadata');
  });

  it('hide no others when they are broken', async () => {
    const file = pngOf(pixel, pngChunk('eXIf', Buffer.from('nothing')), text('tEXt', 'Author\0Maria'));
    expect(await readMetadata(file)).toEqual({
      lines: ['Author: Maria'],
      reason: 'corrupt: truncated TIFF data',
    });
  });
});

describe('a hostile picture', () => {
  const files: readonly Buffer[] = [
    jpegOf(
      exifSegment(exifOf()),
      [0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${XMP}`)],
      [0xfe, Buffer.from('x')],
    ),
    pngOf(pixel, pngChunk('eXIf', exifOf()), text('zTXt', 'Comment\0\0', deflateSync('a secret'))),
    webpOf(['EXIF', exifOf()], ['XMP ', Buffer.from(XMP)]),
    heicOf(exifOf()),
    gifOf('by Maria', 3),
    gifWithXmp(XMP),
    tiffOf([new Map([[0x013b, 'Maria']]), new Map([[0x02bc, Buffer.from(XMP)]])]),
  ];

  it.each(files.map((file) => [pictureType(file)!, file] as const))(
    '%s: ends wherever it is cut',
    async (type, file) => {
      for (let length = 16; length < file.length; length++) {
        const lines = metadataLines(inMemory(file.subarray(0, length)), type, new ExtractionBudget());
        await expect(ended(lines)).resolves.toBeLessThan(100);
      }
    },
  );

  it.each(files.map((file) => [pictureType(file)!, file] as const))(
    '%s: ends whatever is in it',
    async (type, file) => {
      const change = fc.tuple(fc.nat(file.length - 1), fc.nat(255));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
          const changed = Buffer.from(file);
          for (const [at, byte] of changes) changed[at] = byte;
          expect(await ended(metadataLines(inMemory(changed), type, new ExtractionBudget()))).toBeLessThan(
            1000,
          );
        }),
        { numRuns: 1000 },
      );
    },
  );
});

/** The number of lines before the end or an ExtractionError; any other error is a defect. */
async function ended(lines: AsyncIterable<string>): Promise<number> {
  let count = 0;
  try {
    for await (const _ of lines) count++;
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
  }
  return count;
}
