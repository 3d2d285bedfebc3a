import { describe, expect, it } from 'vitest';
import { PdfFixture, quoted } from '../pdf.fixture.ts';
import { readWhole } from '../pdf-reading.fixture.ts';
import { actualText } from './actual-text.ts';

/** Read by us, and by the library, which all is left to that has a font among its settings. */
const WAYS = [
  ['quickly', ''],
  ['by the library', '/Settings gs'],
] as const;

async function page(content: string, before: string): Promise<string | undefined> {
  const pdf = new PdfFixture();
  const font = pdf.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  const map = pdf.stream(
    '',
    '1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <e000> endbfchar',
  );
  const unknown = pdf.add(
    `<< /Type /Font /Subtype /TrueType /BaseFont /Odd /FirstChar 65 /LastChar 65 /Widths [500] /ToUnicode ${map} 0 R >>`,
  );
  const meant = pdf.add('<< /ActualText <feff0034003100310031> >>');
  const form = pdf.stream(
    `/Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 ${font} 0 R >> /Properties << /P ${meant} 0 R >> >>`,
    'BT /F1 12 Tf 20 600 Td /Span /P BDC (form) Tj EMC ET',
  );
  const resources =
    `/Properties << /P ${meant} 0 R /Q << >> >> /XObject << /X ${form} 0 R >> ` +
    `/ExtGState << /Settings << /Font [${font} 0 R 12] >> >>`;
  const { texts, reason } = await readWhole(
    pdf.build(pdf.pages([{ content: `${before} ${content}`, resources, fonts: `/F2 ${unknown} 0 R` }])),
  );
  expect(reason).toBeNull();
  return texts['page 1'];
}

const begun = 'BT /F1 12 Tf 20 700 Td';
const span = (meant: string, inner: string) => `/Span << /ActualText ${meant} >> BDC ${inner} EMC`;

describe.each(WAYS)('what a part of a PDF page means, read %s', (_, before) => {
  it.each([
    [
      'replaces unknown characters',
      `${begun} (of) Tj ${span('(fi)', '/F2 12 Tf (A) Tj')} /F1 12 Tf (ce) Tj ET`,
      'office\n',
    ],
    [
      'has its spaces where they belong',
      `${begun} (is ) Tj ${span('(joe@example.com )', '5 Tc (joe@example.com) Tj 0 Tc')} ET`,
      'is joe@example.com \n',
    ],
    [
      'is yielded as well if it differs',
      `${begun} (to ) Tj ${span('(Joe)', '(4111 1111) Tj')} ( now) Tj ET`,
      'to 4111 1111 now\nto Joe now\n',
    ],
    [
      'is yielded if nothing is drawn',
      `${begun} (a) Tj ${span('(4111)', '0 0 9 9 re f')} 0 -20 Td (b) Tj ET`,
      'a\n4111\nb\n',
    ],
    [
      'is one text for several lines',
      `${begun} ${span('(example)', '(exam-) Tj 0 -20 Td (ple) Tj')} ( is) Tj ET`,
      'exam-\nexample\nple is\nis\n',
    ],
    [
      'changes nothing where it is a soft hyphen',
      `${begun} (12) Tj ${span('<feff00ad>', '(-) Tj')} (34) Tj ET`,
      '12-34\n',
    ],
    [
      'is that of the outer part',
      `${begun} ${span('(abc)', `(a) Tj ${span('(x)', '(b) Tj')} (c) Tj`)} ET`,
      'abc\n',
    ],
    ['may have a name', `${begun} /Span /P BDC (A) Tj EMC ET`, 'A\n4111\n'],
    [
      'may be nothing',
      `${begun} /Span /Q BDC (A) Tj EMC /Span /None BDC (B) Tj EMC /Span BMC (C) Tj EMC ET`,
      'ABC\n',
    ],
    ['may be in a form', `${begun} (A) Tj ET /X Do`, 'A\nform\n4111\n'],
    ['may have no end, or too many', `${begun} EMC EMC /Span << /ActualText (x) >> BDC (A) Tj ET`, 'A\nx\n'],
    [
      'may be in Unicode',
      `${begun} ${span(quoted('\xef\xbb\xbf\xc3\xa9'), '(A) Tj')} ${span('(\\217)', '(B) Tj')} ET`,
      'AB\né‘\n',
    ],
  ])('%s', async (_name, content, text) => {
    expect(await page(content, before)).toBe(text);
  });
});

describe('properties that many parts of a PDF page have', () => {
  it.each([
    ['text', '4111', '4111'],
    ['long text that is nothing', ' '.repeat(1000), ' '],
    ['no text', undefined, null],
  ])('are asked once for their %s', (_, text, expected) => {
    let requestCount = 0;
    const properties = dictionaryOf(() => {
      requestCount++;
      return text;
    });
    const resources = dictionaryOf(() => dictionaryOf(() => properties));
    for (let i = 0; i < 3; i++) expect(actualText({ name: 'P' }, resources)).toBe(expected);
    expect(requestCount).toBe(1);
  });
});

function dictionaryOf(get: () => unknown) {
  return { get, getRaw: get, getArray: get };
}
