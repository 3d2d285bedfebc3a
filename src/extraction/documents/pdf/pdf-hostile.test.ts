import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lines, PdfFixture } from './pdf.fixture.ts';
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

  // Not in this process: what the library forgets to catch is nobody's failure, but the test runner thinks it is.
  it('however it was changed', async () => {
    const changer = fork(join(import.meta.dirname, 'pdf-changes.fixture.ts'), ['500'], { stdio: 'ignore' });
    const [report] = await once(changer, 'message');
    expect(report).toEqual({ read: 500, defects: [] });
  }, 120_000);
});
