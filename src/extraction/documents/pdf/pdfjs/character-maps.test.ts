import { describe, expect, it } from 'vitest';
import { PdfFixture } from '../pdf.fixture.ts';
import { readWhole } from '../pdf-reading.fixture.ts';

/** One line of text in a font that is not in the document, as its bytes. */
function eastAsian(encoding: string, ordering: string, text: string): Buffer {
  const pdf = new PdfFixture();
  const info = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >>`;
  const descendant = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ming ${info} >>`;
  const font = pdf.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /Ming /Encoding /${encoding} /DescendantFonts [${descendant}] >>`,
  );
  const content = `BT /F2 12 Tf 72 700 Td <${text}> Tj ET`;
  return pdf.build(pdf.pages([{ content, fonts: `/F2 ${font} 0 R` }]));
}

describe('East Asian text without a map in the document', () => {
  it.each([
    ['UniGB-UCS2-H', 'GB1', '4f60597d00340031', '你好41'],
    ['UniJIS-UTF16-H', 'Japan1', '65e5672c0041', '日本A'],
    ['UniJIS-UCS2-HW-H', 'Japan1', '65e5672c0041', '日本A'],
    ['90ms-RKSJ-H', 'Japan1', '93fa967b41b1', '日本Aｱ'],
    ['GBK-EUC-H', 'GB1', 'c4e3bac33431', '你好41'],
    ['ETen-B5-H', 'CNS1', 'a741a66e3431', '你好41'],
    ['KSCms-UHC-H', 'Korea1', 'bec8b3e73431', '안녕41'],
  ])('%s', async (encoding, ordering, bytes, text) => {
    expect(await readWhole(eastAsian(encoding, ordering, bytes))).toMatchObject({
      texts: { 'page 1': `${text}\n` },
      reason: null,
    });
  });

  it('downward', async () => {
    expect(await readWhole(eastAsian('UniGB-UCS2-V', 'GB1', '4f60597d'))).toMatchObject({
      texts: { 'page 1': '你好\n' },
      reason: null,
    });
  });

  it('by character ids is read as far as it is ASCII, and reported', async () => {
    // The numbers of "41" and of some ideograph.
    expect(await readWhole(eastAsian('Identity-H', 'Japan1', '001500120465'))).toMatchObject({
      texts: { 'page 1': expect.stringMatching(/^41/) },
      reason: 'unsupported format: PDF character map',
    });
  });

  it('in an unknown encoding is reported', async () => {
    expect(await readWhole(eastAsian('CNS1-H', 'CNS1', '2121'))).toMatchObject({
      texts: {},
      reason: 'unsupported format: PDF character map',
    });
  });
});
