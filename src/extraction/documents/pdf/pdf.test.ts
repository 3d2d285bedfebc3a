import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import type { RandomAccess } from '../../document-item.ts';
import { inMemory } from '../pictures/read-window.ts';
import { at, lines, PdfFixture, pdfOf } from './pdf.fixture.ts';
import { readPdf } from './pdf.ts';
import { readWhole } from './pdf-reading.fixture.ts';

const CARD = 'Card 4111 1111 1111 1111';

describe('the pages of a PDF document', () => {
  it('are read one by one', async () => {
    expect(await readWhole(pdfOf(['Hello (world)', CARD], ['The end']))).toEqual({
      texts: { 'page 1': `Hello (world)\n${CARD}\n`, 'page 2': 'The end\n' },
      entries: {},
      reason: null,
    });
  });

  it('are read when they are compressed', async () => {
    const pdf = new PdfFixture();
    pdf.compressed = true;
    const { texts, reason } = await readWhole(pdf.build(pdf.pages([{ content: lines(CARD) }])));
    expect([texts, reason]).toEqual([{ 'page 1': `${CARD}\n` }, null]);
  });

  it('have what is inside of forms that are drawn on them', async () => {
    const pdf = new PdfFixture();
    const form = pdf.stream('/Type /XObject /Subtype /Form /BBox [0 0 600 800]', at([72, 600, 'inside']));
    const resources = `/XObject << /X ${form} 0 R >>`;
    const content = `${lines('before')} /X Do`;
    const { texts } = await readWhole(pdf.build(pdf.pages([{ content, resources }])));
    expect(texts).toEqual({ 'page 1': 'before\ninside\n' });
  });

  it('keep the gaps of numbers and part the columns of tables', async () => {
    const row = at(
      [72, 700, 'Maria'],
      [106, 700, 'Sanchez'],
      [200, 700, '4111'],
      [229, 700, '1111'],
      [400, 700, 'Paris'],
    );
    const pdf = new PdfFixture();
    const { texts } = await readWhole(pdf.build(pdf.pages([{ content: row }])));
    expect(texts).toEqual({ 'page 1': 'Maria Sanchez\t4111 1111\tParis\n' });
  });

  it('have labels and what was filled in later on one line', async () => {
    const labels = at([72, 700, 'Name:'], [72, 680, 'Card:']);
    const filled = at([160, 680, '4111 1111 1111 1111'], [160, 701, 'Maria Sanchez']);
    const pdf = new PdfFixture();
    const { texts } = await readWhole(pdf.build(pdf.pages([{ content: `${labels} ${filled}` }])));
    expect(texts).toEqual({ 'page 1': 'Name:\tMaria Sanchez\nCard:\t4111 1111 1111 1111\n' });
  });

  it('keep what they were cropped by', async () => {
    const pdf = new PdfFixture();
    const content = at([72, 700, 'to be seen'], [72, 100, 'hidden']);
    const file = pdf.build(pdf.pages([{ content, entries: '/CropBox [0 400 612 792]' }]));
    expect((await readWhole(file)).texts).toEqual({ 'page 1': 'to be seen\nhidden\n' });
  });

  it('are no more than the limit', async () => {
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, pages: 2 });
    expect(await readWhole(pdfOf(['one'], ['two'], ['three']), { budget })).toMatchObject({
      texts: { 'page 1': 'one\n', 'page 2': 'two\n' },
      reason: 'limit: pages',
    });
  });

  it('are divided into chunks of a useful size', async () => {
    const content = at(
      ...Array.from({ length: 4000 }, (_, i) => [72, 790 - i / 6, `line ${i} of many lines`] as const),
    );
    const pdf = new PdfFixture();
    const sizes: number[] = [];
    const input = inMemory(pdf.build(pdf.pages([{ content }])));
    for await (const item of readPdf(input, new ExtractionBudget(), { ocr: false })) {
      if (item.is === 'text') sizes.push(item.text.length);
    }
    expect(sizes.length).toBe(2);
    expect(Math.max(...sizes)).toBeLessThan(50 * 1024);
  });
});

describe('annotations of a PDF document', () => {
  function annotated(...annotations: readonly string[]): Buffer {
    const pdf = new PdfFixture();
    const numbers = annotations.map((annotation) =>
      pdf.add(`<< /Type /Annot /Rect [0 0 99 20] ${annotation} >>`),
    );
    const entries = `/Annots [${numbers.map((number) => `${number} 0 R`).join(' ')}]`;
    const form = `/AcroForm << /Fields [${numbers.map((number) => `${number} 0 R`).join(' ')}] >>`;
    return pdf.build(pdf.pages([{ content: lines('text'), entries }], form));
  }

  it.each([
    [
      'links',
      '/Subtype /Link /A << /S /URI /URI (https://example.com/?user=maria) >>',
      'https://example.com/?user=maria',
    ],
    [
      'addresses',
      '/Subtype /Link /A << /S /URI /URI (mailto:maria@example.com) >>',
      'mailto:maria@example.com',
    ],
    ['comments', '/Subtype /Text /T (Maria) /Contents (call me)', 'Maria: call me'],
    ['hidden comments', '/Subtype /Text /F 2 /Contents (nobody sees me)', 'nobody sees me'],
    [
      'fields',
      '/Subtype /Widget /FT /Tx /T (card) /TU (Card number) /V (4111 1111 1111 1111)',
      'card (Card number): 4111 1111 1111 1111',
    ],
    ['choices', '/Subtype /Widget /FT /Ch /T (city) /V (Paris) /Opt [(Rome) (Paris)]', 'city: Paris'],
    ['boxes that are ticked', '/Subtype /Widget /FT /Btn /T (married) /V /Yes /AS /Yes', 'married: Yes'],
  ])('%s', async (_, annotation, text) => {
    expect(await readWhole(annotated(annotation))).toEqual({
      texts: { 'page 1': `text\n${text}\n` },
      entries: {},
      reason: null,
    });
  });

  it('ignores check boxes that are not ticked', async () => {
    const { texts } = await readWhole(annotated('/Subtype /Widget /FT /Btn /T (married) /V /Off /AS /Off'));
    expect(texts).toEqual({ 'page 1': 'text\n' });
  });

  it.each([
    ['has, though it is drawn too', '/V (4111)', 'card: 4111'],
    ['has only as a drawing', '', 'card: drawn'],
  ])('a value that a field %s is yielded once', async (_, value, line) => {
    const pdf = new PdfFixture();
    const fonts = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
    const drawing = pdf.stream(
      `/Subtype /Form /BBox [0 0 99 20] /Resources << ${fonts} >>`,
      at([2, 5, 'drawn']),
    );
    const field = pdf.add(
      `<< /Subtype /Widget /Rect [0 0 99 20] /FT /Tx /T (card) ${value} /AP << /N ${drawing} 0 R >> >>`,
    );
    const form = `/AcroForm << /Fields [${field} 0 R] >>`;
    const root = pdf.pages([{ content: lines('text'), entries: `/Annots [${field} 0 R]` }], form);
    expect((await readWhole(pdf.build(root))).texts).toEqual({ 'page 1': `text\n${line}\n` });
  });

  it.each([
    ['signatures', '/Subtype /Widget /FT /Sig /T (Signature1)', 'Signature1: signed by Maria'],
    ['stamps', '/Subtype /Stamp', 'signed by Maria'],
    ['nothing of a button', '/Subtype /Widget /FT /Btn /Ff 65536 /T (send)', null],
  ])('%s, as they are drawn', async (_, annotation, line) => {
    const pdf = new PdfFixture();
    const fonts = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
    const inner = pdf.stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 99 20] /Resources << ${fonts} >>`,
      at([2, 5, 'signed by Maria']),
    );
    const drawing = pdf.stream(
      `/Subtype /Form /BBox [0 0 99 20] /Resources << /XObject << /n2 ${inner} 0 R >> >>`,
      '/n2 Do',
    );
    const mark = pdf.add(`<< /Rect [0 0 99 20] ${annotation} /AP << /N ${drawing} 0 R >> >>`);
    const form = `/AcroForm << /Fields [${mark} 0 R] >>`;
    const root = pdf.pages([{ content: lines('text'), entries: `/Annots [${mark} 0 R]` }], form);
    const text = line === null ? 'text\n' : `text\n${line}\n`;
    expect(await readWhole(pdf.build(root))).toEqual({
      texts: { 'page 1': text },
      entries: {},
      reason: null,
    });
  });

  it('fields without a page are part of the form', async () => {
    const pdf = new PdfFixture();
    const field = pdf.add('<< /Subtype /Widget /Rect [0 0 9 9] /FT /Tx /T (ssn) /V (078-05-1120) >>');
    const root = pdf.pages([{ content: lines('text') }], `/AcroForm << /Fields [${field} 0 R] >>`);
    expect((await readWhole(pdf.build(root))).texts).toEqual({
      'page 1': 'text\n',
      form: 'ssn: 078-05-1120\n',
    });
  });

  it('files are entries', async () => {
    const pdf = new PdfFixture();
    pdf.compressed = true;
    const file = pdf.stream('/Type /EmbeddedFile', 'content of the file');
    const spec = `<< /Type /Filespec /F (notes.txt) /EF << /F ${file} 0 R >> >>`;
    const note = pdf.add(`<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS ${spec} >>`);
    const root = pdf.pages([{ content: lines('text'), entries: `/Annots [${note} 0 R]` }]);
    expect(await readWhole(pdf.build(root))).toMatchObject({
      entries: { 'notes.txt': 'content of the file' },
      reason: null,
    });
  });
});

describe('what a PDF document has besides its pages', () => {
  it('has its author once, though it is stored twice', async () => {
    const pdf = new PdfFixture();
    const info = pdf.add('<< /Author (Maria Sanchez) /Title (Salaries) /Customer (4711) >>');
    const xmp = pdf.raw(
      '/Type /Metadata /Subtype /XML',
      Buffer.from(
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
          '<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Salaries</dc:title>' +
          '<dc:rights>Maria Sanchez, Paris</dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>',
      ),
    );
    const root = pdf.pages([{ content: lines('text') }], `/Metadata ${xmp} 0 R`);
    expect((await readWhole(pdf.build(root, `/Info ${info} 0 R`))).texts.properties).toBe(
      'Title: Salaries\nAuthor: Maria Sanchez\nCustomer: 4711\ndc:rights: Maria Sanchez, Paris\n',
    );
  });

  it('are bookmarks', async () => {
    const pdf = new PdfFixture();
    const [outlines, first, second, child] = [pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.reserve()];
    pdf.set(outlines, `<< /First ${first} 0 R /Last ${second} 0 R >>`);
    pdf.set(
      first,
      `<< /Title (Sanchez, Maria) /Next ${second} 0 R /First ${child} 0 R /Last ${child} 0 R >>`,
    );
    pdf.set(child, '<< /Title (Salary) >>');
    pdf.set(second, '<< /Title (Smith, John) >>');
    const root = pdf.pages([{ content: lines('text') }], `/Outlines ${outlines} 0 R`);
    expect((await readWhole(pdf.build(root))).texts.outline).toBe('Sanchez, Maria\nSalary\nSmith, John\n');
  });

  it('are scripts, which are read and not run', async () => {
    const pdf = new PdfFixture();
    const script = "globalThis.ran = 'yes'";
    const root = pdf.pages([{ content: lines('text') }], `/OpenAction << /S /JavaScript /JS (${script}) >>`);
    expect((await readWhole(pdf.build(root))).texts.scripts).toBe(`${script}\n`);
    expect('ran' in globalThis).toBe(false);
  });

  it('are attachments, and one that is missing fails alone', async () => {
    const pdf = new PdfFixture();
    pdf.compressed = true;
    const file = pdf.stream('/Type /EmbeddedFile', 'a;b\n1;2\n');
    const names =
      `(a) << /Type /Filespec /UF (table.csv) /EF << /F ${file} 0 R >> >> ` +
      '(b) << /Type /Filespec /UF (lost.txt) /EF << /F 99 0 R >> >>';
    const root = pdf.pages(
      [{ content: lines('text') }],
      `/Names << /EmbeddedFiles << /Names [${names}] >> >>`,
    );
    expect(await readWhole(pdf.build(root))).toEqual({
      texts: { 'page 1': 'text\n' },
      entries: { 'table.csv': 'a;b\n1;2\n', 'lost.txt': 'corrupt: PDF attachment' },
      reason: null,
    });
  });
});

describe('an encrypted PDF document', () => {
  const locked = (password: string) => {
    const pdf = new PdfFixture();
    pdf.compressed = true;
    const info = pdf.add('<< /Author (Maria Sanchez) >>');
    return pdf.build(pdf.pages([{ content: lines(CARD) }]), `/Info ${info} 0 R`, password);
  };

  it('opens without a user password', async () => {
    expect(await readWhole(locked(''))).toEqual({
      texts: { properties: 'Author: Maria Sanchez\n', 'page 1': `${CARD}\n` },
      entries: {},
      reason: null,
    });
  });

  it('stays closed without the password', async () => {
    expect(await readWhole(locked('secret'))).toEqual({ texts: {}, entries: {}, reason: 'encrypted' });
  });

  it('is not opened without the certificate', async () => {
    const pdf = new PdfFixture();
    const key = '/ID [<00> <00>] /Encrypt << /Filter /Adobe.PubSec /V 4 /SubFilter /adbe.pkcs7.s5 >>';
    const file = pdf.build(pdf.pages([{ content: lines(CARD) }]), key);
    expect(await readWhole(file)).toEqual({ texts: {}, entries: {}, reason: 'encrypted' });
  });
});

describe('a PDF document that is larger than memory should hold', () => {
  const GAP = 300 * 1024 * 1024;

  /** A large object of zeros near the end, which is never requested. */
  function huge(failsAt = Number.POSITIVE_INFINITY): RandomAccess & { requestCount: number } {
    const pdf = new PdfFixture();
    const root = pdf.pages([{ content: lines(CARD) }]);
    pdf.raw('', Buffer.from('@'));
    const [head = '', tail = ''] = pdf.build(root).toString('latin1').split('@');
    const end = tail.replace(/startxref\n(\d+)/, (_, place) => `startxref\n${Number(place) + GAP - 1}`);
    const input = {
      requestCount: 0,
      size: head.length + GAP + end.length,
      read(from: number, to: number): Promise<Uint8Array> {
        input.requestCount += to - from;
        if (input.requestCount > failsAt) return Promise.reject(new Error('the source is gone'));
        const bytes = Buffer.alloc(Math.min(to, input.size) - from);
        if (from < head.length) bytes.write(head.slice(from), 'latin1');
        const back = head.length + GAP - from;
        if (back < bytes.length) bytes.write(end.slice(Math.max(0, -back)), Math.max(0, back), 'latin1');
        return Promise.resolve(bytes);
      },
    };
    return input;
  }

  it('is read only where its pages are', async () => {
    const input = huge();
    expect(await readWhole(input)).toMatchObject({ texts: { 'page 1': `${CARD}\n` }, reason: null });
    expect(input.requestCount).toBeLessThan(10 * 1024 * 1024);
  });

  it('fails as its source does', async () => {
    await expect(readWhole(huge(2 * 1024 * 1024))).rejects.toThrow('the source is gone');
  });
});
