/** A process that reads randomly modified documents, and reports errors that are not an ExtractionError. */
import { lines, PdfFixture } from './pdf.fixture.ts';
import { readWhole } from './pdf-reading.fixture.ts';

let state = 1;

/** The same changes every time. */
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function goodDocument(compressed: boolean): Buffer {
  const pdf = new PdfFixture();
  pdf.compressed = compressed;
  const info = pdf.add('<< /Author (Maria Sanchez) >>');
  const field = pdf.add('<< /Subtype /Widget /Rect [0 0 9 9] /FT /Tx /T (card) /V (4111 1111 1111 1111) >>');
  const link = pdf.add('<< /Subtype /Link /Rect [0 0 99 99] /A << /S /URI /URI (https://example.com) >> >>');
  const file = pdf.stream('/Type /EmbeddedFile', 'a text');
  const names = `(a) << /F (a.txt) /EF << /F ${file} 0 R >> >>`;
  const root = pdf.pages(
    [
      { content: lines('one', 'two'), entries: `/Annots [${field} 0 R ${link} 0 R]` },
      { content: lines('three') },
    ],
    `/AcroForm << /Fields [${field} 0 R] >> /Names << /EmbeddedFiles << /Names [${names}] >> >>`,
  );
  return pdf.build(root, `/Info ${info} 0 R`);
}

function changed(good: Buffer): Buffer {
  if (random(5) === 0) return good.subarray(0, random(good.length));
  const bytes = Buffer.from(good);
  for (let changes = 1 + random(10); changes > 0; changes--) bytes[random(bytes.length)] = random(256);
  return bytes;
}

const documents = [goodDocument(false), goodDocument(true)];
const report = { read: 0, defects: [] as string[] };
for (let run = 0; run < Number(process.argv[2]); run++) {
  try {
    await readWhole(changed(documents[run % documents.length]!));
  } catch (error) {
    report.defects.push(String(error));
  }
  report.read++;
}
process.send?.(report);
