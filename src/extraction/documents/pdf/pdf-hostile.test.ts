import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { inMemory } from '../pictures/read-window.ts';
import { lines, PdfFixture } from './pdf.fixture.ts';
import { readPdf } from './pdf.ts';
import { readWhole } from './pdf-reading.fixture.ts';

const built = (build: (pdf: PdfFixture) => Buffer) => build(new PdfFixture());
const page = { content: lines('text') };

describe('a hostile PDF document ends', () => {
  it.each<[string, Buffer]>([
    [
      'with pages in a circle',
      built((pdf) => {
        const pages = pdf.reserve();
        pdf.set(pages, `<< /Type /Pages /Kids [${pages} 0 R ${pages} 0 R] /Count 1000000 >>`);
        return pdf.build(pdf.add(`<< /Type /Catalog /Pages ${pages} 0 R >>`));
      }),
    ],
    [
      'with a million pages that are not there',
      built((pdf) => {
        const pages = pdf.reserve();
        const only = pdf.add(`<< /Type /Page /Parent ${pages} 0 R >>`);
        pdf.set(pages, `<< /Type /Pages /Kids [${only} 0 R] /Count 1000000 >>`);
        return pdf.build(pdf.add(`<< /Type /Catalog /Pages ${pages} 0 R >>`));
      }),
    ],
    [
      'with a drawing that draws itself',
      built((pdf) => {
        const form = pdf.reserve();
        const resources = `/XObject << /X ${form} 0 R >>`;
        pdf.set(
          form,
          `<< /Subtype /Form /Resources << ${resources} >> /Length 5 >>\nstream\n/X Do\nendstream`,
        );
        return pdf.build(pdf.pages([{ content: '/X Do', resources }]));
      }),
    ],
    ['with deep nesting', built((pdf) => pdf.build(pdf.pages([{ content: `${'['.repeat(1e5)}1` }])))],
    [
      'with deep nesting in its root',
      built((pdf) => pdf.build(pdf.pages([page], `/A ${'['.repeat(1e5)}${']'.repeat(1e5)}`))),
    ],
    [
      'with bookmarks in a circle',
      built((pdf) => {
        const item = pdf.reserve();
        pdf.set(item, `<< /Title (again) /First ${item} 0 R /Next ${item} 0 R >>`);
        return pdf.build(pdf.pages([page], `/Outlines << /First ${item} 0 R >>`));
      }),
    ],
    [
      'with fields in a circle',
      built((pdf) => {
        const field = pdf.reserve();
        pdf.set(field, `<< /T (a) /FT /Tx /V (b) /Kids [${field} 0 R] /Parent ${field} 0 R >>`);
        return pdf.build(pdf.pages([page], `/AcroForm << /Fields [${field} 0 R] >>`));
      }),
    ],
    [
      'with attachments in a circle',
      built((pdf) => {
        const names = pdf.reserve();
        pdf.set(names, `<< /Kids [${names} 0 R] >>`);
        return pdf.build(pdf.pages([page], `/Names << /EmbeddedFiles ${names} 0 R >>`));
      }),
    ],
    [
      'with references to each other',
      built((pdf) => {
        const [one, other] = [pdf.reserve(), pdf.reserve()];
        pdf.set(one, `${other} 0 R`);
        pdf.set(other, `${one} 0 R`);
        return pdf.build(pdf.pages([{ ...page, entries: `/Annots ${one} 0 R` }], `/AcroForm ${one} 0 R`));
      }),
    ],
    [
      'with a length that is its own',
      built((pdf) => {
        const stream = pdf.reserve();
        pdf.set(stream, `<< /Length ${stream} 0 R >>\nstream\nBT ET\nendstream`);
        return pdf.build(pdf.pages([{ ...page, entries: `/Contents ${stream} 0 R` }]));
      }),
    ],
    [
      'with a table of two thousand million objects',
      built((pdf) =>
        Buffer.from(
          pdf
            .build(pdf.pages([page]))
            .toString('latin1')
            .replace(/xref\n0 \d+/, 'xref\n0 2000000000'),
          'latin1',
        ),
      ),
    ],
    [
      'with objects that have no end, and no table of objects',
      built((pdf) => {
        const file = pdf
          .build(pdf.pages([page]))
          .toString('latin1')
          .replace(/startxref\n\d+/, 'startxref\n0');
        return Buffer.from(
          file.replace('xref\n', `${'9 0 obj\n<< /Type /Font /\nendobj\n'.repeat(5000)}xref\n`),
        );
      }),
    ],
  ])('%s', async (_, file) => {
    const { texts } = await readWhole(file);
    expect(JSON.stringify(texts).length).toBeLessThan(10_000);
  });

  // In another process, because an unhandled rejection in the library would fail the test.
  it('for any modification', async () => {
    const changer = fork(join(import.meta.dirname, 'pdf-changes.fixture.ts'), ['500'], { stdio: 'ignore' });
    const [report] = await once(changer, 'message');
    expect(report).toEqual({ read: 500, defects: [] });
  }, 120_000);
});

describe('a PDF document that refers to the same object many times', () => {
  it('has the text of a page once, and does not report the others', async () => {
    const file = built((pdf) => {
      const font = pdf.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
      const content = pdf.stream('', lines('one page'));
      const only = pdf.add(
        `<< /Type /Page /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
      );
      const pages = pdf.add(`<< /Type /Pages /Count 300 /Kids [${`${only} 0 R `.repeat(300)}] >>`);
      return pdf.build(pdf.add(`<< /Type /Catalog /Pages ${pages} 0 R >>`));
    });
    expect(await readWhole(file)).toEqual({ texts: { 'page 1': 'one page\n' }, entries: {}, reason: null });
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, pages: 299 });
    expect((await readWhole(file, { budget })).reason).toBe('limit: pages');
  });

  it('has the bytes of an attachment once, and counts each of its names', async () => {
    const file = built((pdf) => {
      const stream = pdf.stream('/Type /EmbeddedFile', 'a text');
      const other = pdf.stream('/Type /EmbeddedFile', 'another');
      const note = pdf.add(
        `<< /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /F (note.txt) /EF << /F ${stream} 0 R >> >> >>`,
      );
      const names = [stream, stream, other].map(
        (of, i) => `(${i}) << /F (${i}.txt) /EF << /F ${of} 0 R >> >>`,
      );
      return pdf.build(
        pdf.pages(
          [{ ...page, entries: `/Annots [${note} 0 R]` }],
          `/Names << /EmbeddedFiles << /Names [${names.join(' ')}] >> >>`,
        ),
      );
    });
    const entries = { 'note.txt': 'a text', '0.txt': '', '1.txt': '', '2.txt': 'another' };
    expect((await readWhole(file)).entries).toEqual(entries);
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, entries: 3 });
    expect((await readWhole(file, { budget })).reason).toBe('limit: entries');
  });

  it('is truncated if an attachment exceeds the limit of decompressed bytes', async () => {
    const file = built((pdf) => {
      const stream = pdf.raw(
        '/Type /EmbeddedFile /Filter /FlateDecode',
        deflateSync(Buffer.alloc(140 * 2 ** 20)),
      );
      const names = `(a) << /F (a.bin) /EF << /F ${stream} 0 R >> >>`;
      return pdf.build(pdf.pages([page], `/Names << /EmbeddedFiles << /Names [${names}] >> >>`));
    });
    const lengths: number[] = [];
    const reading = async () => {
      for await (const item of readPdf(inMemory(file), new ExtractionBudget(), { ocr: false })) {
        if (item.is === 'text') continue;
        for await (const bytes of item.bytes) lengths.push(bytes.length);
      }
    };
    await expect(reading()).rejects.toThrow('limit: decompressed size');
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(128 * 2 ** 20);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64 * 1024);
  }, 60_000);
});
