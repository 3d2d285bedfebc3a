/** PDF documents of pages with text, and optionally a filled-in form. */
import { lines, PdfFixture, quoted } from '../../../src/extraction/documents/pdf/pdf.fixture.ts';
import { zlibbed } from './deflate.ts';

export interface PdfText {
  readonly title: string;
  readonly author: string;
  /** Lines of each page. */
  readonly pages: readonly (readonly string[])[];
  /** Fields at the foot of the last page, with what was filled in. */
  readonly form?: Readonly<Record<string, string>>;
}

export function pdf({ title, author, pages, form = {} }: PdfText): Buffer {
  const file = new PackedPdf();
  const fields = Object.entries(form).map(([name, value], n) => file.add(field(name, value, 260 - 34 * n)));
  const list = fields.map((number) => `${number} 0 R`).join(' ');
  const font = file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const filled =
    fields.length === 0
      ? ''
      : `/AcroForm << /Fields [${list}] /DA (/Helv 11 Tf 0 g) /DR << /Font << /Helv ${font} 0 R >> >> >>`;
  const root = file.pages(
    pages.map((texts, n) => ({
      content: lines(...texts),
      entries: n === pages.length - 1 && fields.length > 0 ? `/Annots [${list}]` : '',
    })),
    filled,
  );
  const when = '(D:20240305091200Z)';
  const about = `/Title ${quoted(title)} /Author ${quoted(author)} /Creator (Writer) /Producer (LibreOffice 7.6) /CreationDate ${when}`;
  return file.build(root, `/Info ${file.add(`<< ${about} >>`)} 0 R`);
}

/** A field that is its own widget. */
function field(name: string, value: string, y: number): string {
  return `<< /Type /Annot /Subtype /Widget /FT /Tx /T ${quoted(name)} /V ${quoted(value)} /F 4 /DA (/Helv 11 Tf 0 g) /Rect [72 ${y} 420 ${y + 22}] >>`;
}

class PackedPdf extends PdfFixture {
  override stream(entries: string, data: string | Buffer): number {
    return this.raw(`/Filter /FlateDecode ${entries}`, zlibbed(Buffer.from(data as string, 'latin1')));
  }
}
