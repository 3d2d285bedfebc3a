import { deflateSync } from 'node:zlib';
import { lines, PdfFixture } from '../documents/pdf/pdf.fixture.ts';
import {
  exifOf,
  exifSegment,
  gifOf,
  jpegOf,
  tiffOf,
  webpOf,
  XMP,
} from '../documents/pictures/metadata/metadata.fixture.ts';
import * as metafile from '../documents/pictures/metafile/metafile.fixture.ts';
import { drawText, pngChunk, pngOf } from '../documents/pictures/picture.fixture.ts';
import { mutated } from './mutate.fixture.ts';
import { MARKER, type Sample } from './sample.fixture.ts';

const CHARACTER_MAP = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def
1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange
1 beginbfchar <80> <20ac> endbfchar endcmap end end`;

/** `change`: of what its pages show. */
function pdfWith(
  compressed: boolean,
  change: (content: string) => string | Buffer = (content) => content,
): Buffer {
  const pdf = new PdfFixture();
  pdf.compressed = compressed;
  const info = pdf.add('<< /Author (Maria Sanchez) /Title <feff0041> >>');
  const map = pdf.stream('', CHARACTER_MAP);
  const font = pdf.add(`<< /Type /Font /Subtype /TrueType /BaseFont /X /ToUnicode ${map} 0 R >>`);
  const field = pdf.add('<< /Subtype /Widget /Rect [0 0 9 9] /FT /Tx /T (card) /V (4111 1111 1111 1111) >>');
  const link = pdf.add('<< /Subtype /Link /Rect [0 0 99 99] /A << /S /URI /URI (https://example.com) >> >>');
  const file = pdf.stream('/Type /EmbeddedFile', 'a text');
  const drawing = pdf.stream('/Type /XObject /Subtype /Form /BBox [0 0 99 99]', lines('drawn'));
  const names = `(a) << /F (a.txt) /EF << /F ${file} 0 R >> >>`;
  const pages = [
    {
      content: `${lines('one', MARKER)} /X Do BT /F2 9 Tf 9 9 Td (two) Tj ET`,
      fonts: `/F2 ${font} 0 R`,
      resources: `/XObject << /X ${drawing} 0 R >>`,
      entries: `/Annots [${field} 0 R ${link} 0 R]`,
    },
    { content: lines('three') },
  ].map((page) => ({ ...page, content: change(page.content).toString('latin1') }));
  const catalogue = `/AcroForm << /Fields [${field} 0 R] >> /Names << /EmbeddedFiles << /Names [${names}] >> >>`;
  return pdf.build(pdf.pages(pages, catalogue), `/Info ${info} 0 R`);
}

const rtf =
  "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Times;}}{\\info{\\author Ann}}{\\header top}caf\\'e9 " +
  `\\u8364?5 \\trowd a\\cell b\\cell\\row {\\field{\\*\\fldinst HYPERLINK "mailto:a@b.c"}{\\fldrslt here}}{\\*\\unknown hidden}the ${MARKER}\\par` +
  '{\\pict\\pngblip 89504e470d0a1a0a}{\\object{\\*\\objdata 0105000002000000}}{\\footnote the note}}';

const pixels = drawText(['CARD 4111'], 2);
const comment = [0xfe, Buffer.from(`the ${MARKER}`)] as const;
const text = (type: string, content: Buffer | string) =>
  pngChunk(type, Buffer.concat([Buffer.from('Comment\0'), Buffer.from(content as string)]));

const pictures: Readonly<Record<string, Uint8Array>> = {
  png: pngOf(
    pixels,
    text('tEXt', `the ${MARKER}`),
    text('zTXt', Buffer.concat([Buffer.of(0), deflateSync(Buffer.from('packed words'))])),
    pngChunk('eXIf', exifOf(false)),
  ),
  jpg: jpegOf(exifSegment(exifOf()), [0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${XMP}`)], comment),
  tiff: tiffOf([
    new Map<number, string | number>([
      [0x010e, `the ${MARKER}`],
      [0x0100, 9],
      [0x0101, 9],
    ]),
    new Map([[0x013b, 'Ann']]),
  ]),
  gif: gifOf(`the ${MARKER}`, 2),
  webp: webpOf(
    ['VP8X', Buffer.alloc(10)],
    ['EXIF', exifOf()],
    ['XMP ', Buffer.from(XMP.replace('José', MARKER))],
  ),
};

const { emfFont, emfRecord, emfText, longs, wmfText } = metafile;
const metafiles: Readonly<Record<string, Uint8Array>> = {
  emf: metafile.emfOf(
    metafile.emfPlus([0x4001, 1, longs(0, 0, 0, 0)], metafile.plusString('in the newer records')),
    emfFont(1, -10),
    emfRecord(22, longs(24)),
    emfText('harbour', { x: 10, y: 10 }),
    emfText(' master 7412', { x: 45, y: 10 }),
    emfText(Buffer.from('in bytes'), { y: 30 }),
    metafile.emfTexts('one', 'two'),
    metafile.emfSmallText('small', 0x300),
    metafile.emfPlus(metafile.plusDriverString('letters of a driver')),
    emfRecord(81, Buffer.alloc(600)),
  ),
  wmf: metafile.placeable(
    metafile.wmfOf(
      metafile.wmfFont(-10),
      metafile.wmfRecord(0x012d, Buffer.alloc(2)),
      wmfText('harbour'),
      wmfText(' master 7412', { x: 35 }),
      metafile.wmfPlainText('the oldest way', 0, 40),
      metafile.wmfRecord(0x0f43, Buffer.alloc(600)),
    ),
  ),
};

export const pageSamples: readonly Sample[] = [
  {
    format: 'pdf',
    name: 'sample.pdf',
    bytes: pdfWith(false),
    marker: MARKER,
    deeper: (random) => pdfWith(true, (content) => mutated(Buffer.from(content), random)),
  },
  { format: 'packed pdf', name: 'packed.pdf', bytes: pdfWith(true), marker: MARKER },
  { format: 'rtf', name: 'sample.rtf', bytes: Buffer.from(rtf, 'latin1'), marker: MARKER },
  ...Object.entries(pictures).map(([format, bytes]) => ({
    format,
    name: `sample.${format}`,
    bytes,
    marker: MARKER,
    reason: 'picture: OCR is off',
  })),
  ...Object.entries(metafiles).map(([format, bytes]) => ({
    format,
    name: `sample.${format}`,
    bytes,
    marker: MARKER,
  })),
];
