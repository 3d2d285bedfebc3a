import { describe, expect, it } from 'vitest';
import { readBack, relations, textAt, zipped } from './office.fixture.ts';
import { paragraph, word, wordFiles, wordPart } from './word.fixture.ts';
import { readWord } from './word.ts';

async function bodyText(inside: string, more = {}): Promise<string | null> {
  const seen = await readBack(readWord, word(inside, more));
  expect(seen.error).toBeNull();
  return textAt(seen, null);
}

const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
const cell = (...paragraphs: string[]) =>
  `<w:tc><w:tcPr><w:tcW w:w="10"/></w:tcPr>${paragraphs.map(paragraph).join('')}</w:tc>`;

describe('text of a Word document', () => {
  it('has a line for each paragraph, of all its runs', async () => {
    const inside = `<w:p>${run('4111 11')}${run('11 1111 1111')}</w:p>${paragraph('Größe &lt; 2')}<w:p/><w:p/><w:p/>${paragraph('end')}`;
    expect(await bodyText(inside)).toBe('4111 1111 1111 1111\nGröße < 2\n\nend\n');
  });

  it('has tabs and breaks in place, and none for tab stops', async () => {
    const tabs = '<w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>';
    const inside = `<w:p>${tabs}<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r></w:p>`;
    expect(await bodyText(inside)).toBe('a\tb\nc-d\n');
  });

  it('has tables with tabs between cells and a line for each row', async () => {
    const rows = `<w:tr>${cell('Name')}${cell('Tax id')}</w:tr><w:tr>${cell('')}${cell('1', '2')}</w:tr>`;
    const nested = `<w:tr><w:tc><w:tbl><w:tr>${cell('x')}${cell('y')}</w:tr></w:tbl><w:p/></w:tc>${cell('z')}</w:tr>`;
    expect(await bodyText(`${paragraph('before')}<w:tbl>${rows}${nested}</w:tbl>${paragraph('after')}`)).toBe(
      'before\nName\tTax id\n\t1\n2\nx\ty\n\tz\nafter\n',
    );
  });

  it('has what was deleted', async () => {
    const inside = `<w:p><w:del w:author="Bob"><w:r><w:delText>old</w:delText></w:r></w:del><w:ins>${run(' new')}</w:ins></w:p>`;
    expect(await bodyText(inside)).toBe('old new\n');
  });

  it('has the text of boxes once, though there are several alternatives for drawing them', async () => {
    const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
    const inside = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps">${box('once')}</mc:Choice><mc:Fallback>${box('once')}</mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    expect(await bodyText(inside)).toBe('once\n');
    expect(await bodyText(inside.replace('once', ''))).toBe('once\n');
  });

  it('includes link targets, unless the text contains them', async () => {
    const links = relations({
      rId9: ['hyperlink', 'mailto:ann@example.org'],
      rId8: ['hyperlink', 'https://example.org/'],
    });
    const link = (id: string, text: string) => `<w:hyperlink r:id="${id}">${text}</w:hyperlink>`;
    const inside = `<w:p>${link('rId9', run('Ann'))}${run(', ')}${link('rId9', run('ann@') + run('example.org'))}${run(', ')}${link('rId8', run('https://example.org'))}</w:p>`;
    expect(await bodyText(inside, { 'word/_rels/document.xml.rels': links })).toBe(
      'Ann <mailto:ann@example.org>, ann@example.org, https://example.org\n',
    );
  });

  it('includes field instructions, except layout fields', async () => {
    const field = (instruction: string, result: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction.slice(0, 9)}</w:instrText></w:r><w:r><w:instrText>${instruction.slice(9)} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const simple = `<w:fldSimple w:instr=" HYPERLINK &quot;http://x.org&quot; ">${run('here')}</w:fldSimple>`;
    const inside = `<w:p>${field('HYPERLINK "mailto:a@b.org"', 'a@b.org')}${run(' ')}${field('HYPERLINK "mailto:c@d.org"', 'mail')}${run(' ')}${field('PAGEREF _Toc123456789 \\h', '7')}${run(' ')}${field('MERGEFIELD Iban', 'x')}${run(' ')}${simple}</w:p>`;
    expect(await bodyText(inside)).toBe(
      'a@b.org mail <mailto:c@d.org> 7 MERGEFIELD Iban x here <http://x.org>\n',
    );
  });

  it('has the descriptions of pictures', async () => {
    const inside = `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" title="Passport" descr="Passport of Ann"/></wp:inline></w:drawing></w:r></w:p>`;
    expect(await bodyText(inside)).toBe('Passport\nPassport of Ann\n');
  });
});

describe('parts of a Word document', () => {
  const parts = {
    'word/_rels/document.xml.rels': relations({
      rId1: ['footer', 'footer1.xml'],
      rId2: ['comments', '/word/comments.xml'],
      rId3: ['header', 'header1.xml'],
      rId4: ['footnotes', 'footnotes.xml'],
      rId5: ['endnotes', '../word/endnotes.xml'],
      rId6: ['settings', 'settings.xml'],
      rId7: ['people', 'people.xml'],
      rId8: ['chart', 'charts/chart1.xml'],
      rId9: ['diagramData', 'diagrams/data1.xml'],
      rId10: ['aFChunk', 'afchunk.html'],
    }),
    'word/header1.xml': wordPart('hdr', paragraph('Secret')),
    'word/footer1.xml': wordPart('ftr', paragraph('Page')),
    'word/footnotes.xml': wordPart('footnotes', `<w:footnote w:id="1">${paragraph('See p. 3')}</w:footnote>`),
    'word/endnotes.xml': wordPart('endnotes', `<w:endnote w:id="1">${paragraph('The end')}</w:endnote>`),
    'word/comments.xml': wordPart(
      'comments',
      `<w:comment w:id="0" w:author="Bob Ross" w:date="2024-01-01T00:00:00Z">${paragraph('Call 030 123456')}</w:comment>`,
    ),
    'word/settings.xml': wordPart(
      'settings',
      '<w:mailMerge><w:connectString w:val="Server=db;Password=hunter2"/></w:mailMerge>',
    ),
    'word/people.xml':
      '<w15:people><w15:person w15:author="Bob Ross"><w15:presenceInfo w15:userId="S::bob@example.org::1"/></w15:person></w15:people>',
    'word/charts/chart1.xml':
      '<c:chart><c:title><a:p><a:r><a:t>Salaries</a:t></a:r></a:p></c:title><c:pt><c:v>Ann</c:v></c:pt><c:pt><c:v>9000</c:v></c:pt></c:chart>',
    'word/diagrams/data1.xml':
      '<dgm:dataModel><dgm:t><a:bodyPr/><a:p><a:r><a:t>Boss</a:t></a:r></a:p></dgm:t></dgm:dataModel>',
    'word/afchunk.html': '<p>chunk',
    'word/media/image1.png': 'PNG',
    'word/embeddings/Microsoft_Excel_Sheet1.xlsx': 'PK..',
    'word/embeddings/oleObject1.bin': 'ole',
    'docProps/custom.xml':
      '<Properties xmlns:vt="x"><property fmtid="{}" pid="2" name="Client"><vt:lpwstr>Jane Doe</vt:lpwstr></property></Properties>',
  };

  it('follow the text, each with its location', async () => {
    const seen = await readBack(readWord, word(paragraph('Body'), parts));
    expect(seen.error).toBeNull();
    expect(seen.texts).toEqual([
      { location: null, text: 'Body\n' },
      { location: 'header', text: 'Secret\n' },
      { location: 'footer', text: 'Page\n' },
      { location: 'footnotes', text: 'See p. 3\n' },
      { location: 'endnotes', text: 'The end\n' },
      { location: 'comments', text: 'Bob Ross: Call 030 123456\n' },
      { location: 'drawings', text: 'Salaries\nAnn\n9000\nBoss\n' },
      {
        location: 'properties',
        text:
          'connectString: Server=db;Password=hunter2\nauthor: Bob Ross\nuserId: S::bob@example.org::1\n' +
          'title: Contract\ncreator: Ann Smith\nCompany: Acme & Co\nTitlesOfParts: Part one\nClient: Jane Doe\n',
      },
    ]);
  });

  it('are entries if they are documents themselves; pictures only where they are read', async () => {
    const bytes = word(paragraph('Body'), parts);
    const names = async (ocr: boolean) =>
      (await readBack(readWord, bytes, { ocr })).entries.map(({ name }) => name.replace('word/', ''));
    const documents = ['embeddings/Microsoft_Excel_Sheet1.xlsx', 'embeddings/oleObject1.bin'];
    expect(await names(false)).toEqual(['afchunk.html', ...documents]);
    expect(await names(true)).toEqual(['afchunk.html', 'media/image1.png', ...documents]);
  });

  it('are found by their usual names without relationships', async () => {
    const { '_rels/.rels': _, '[Content_Types].xml': __, ...bare } = wordFiles(paragraph('Body'));
    const seen = await readBack(readWord, zipped(bare));
    expect(seen).toMatchObject({ error: null });
    expect(textAt(seen, null)).toBe('Body\n');
    expect(textAt(seen, 'properties')).toContain('creator: Ann Smith\n');
  });

  it('are found by type if they have other names', async () => {
    const files = wordFiles(paragraph('Body'));
    const renamed = Object.fromEntries(
      Object.entries(files).map(([name, data]) => [
        name.replace('word/document', 'word/document2'),
        String(data).replace('/document.xml', '/document2.xml'),
      ]),
    );
    expect(textAt(await readBack(readWord, zipped(renamed)), null)).toBe('Body\n');
    const { '_rels/.rels': _, ...byType } = renamed;
    expect(textAt(await readBack(readWord, zipped(byType)), null)).toBe('Body\n');
  });
});

describe('a damaged Word document', () => {
  it('without its text is none', async () => {
    const { 'word/document.xml': _, ...rest } = wordFiles('');
    expect(await readBack(readWord, zipped(rest))).toMatchObject({
      texts: [],
      error: 'corrupt: missing part',
    });
  });

  it('keeps what precedes the damage and the other parts', async () => {
    const files = wordFiles(paragraph('one').repeat(2), {
      'word/_rels/document.xml.rels': relations({
        rId1: ['header', 'header1.xml'],
        rId2: ['footer', 'gone.xml'],
        rId3: ['footnotes', 'footnotes.xml'],
      }),
      'word/header1.xml': wordPart('hdr', `${paragraph('kept')}<w:p><w:r><w:t>and cut`).slice(0, -8),
      'word/footnotes.xml': wordPart('footnotes', paragraph('note')),
    });
    const seen = await readBack(readWord, zipped(files));
    expect(textAt(seen, null)).toBe('one\none\n');
    expect(textAt(seen, 'header')).toBe('kept\nand cut\n');
    expect(textAt(seen, 'footnotes')).toBe('note\n');
    expect(seen.error).toBe('corrupt: truncated XML');
  });

  it('that refers to itself in circles is read once', async () => {
    const circle = relations({
      rId1: ['header', 'document.xml'],
      rId2: ['footer', 'footer1.xml'],
      rId3: ['header', 'footer1.xml'],
    });
    const seen = await readBack(
      readWord,
      word(paragraph('once'), {
        'word/_rels/document.xml.rels': circle,
        'word/_rels/footer1.xml.rels': circle,
        'word/footer1.xml': wordPart('ftr', paragraph('foot')),
      }),
    );
    expect(seen.texts.map(({ text }) => text).filter((text) => /once|foot/.test(text))).toEqual([
      'once\n',
      'foot\n',
    ]);
    expect(seen.error).toBeNull();
  });

  it('nested too deeply stops at the limit', async () => {
    const seen = await readBack(readWord, word(paragraph('first') + '<w:sdt>'.repeat(5000)));
    expect(seen).toMatchObject({ texts: [{ text: 'first\n' }], error: 'limit: nesting' });
  });

  it('of other bytes than XML is corrupt', async () => {
    const files = wordFiles('', { 'word/document.xml': Buffer.alloc(1000, 0xff) });
    const seen = await readBack(readWord, zipped(files));
    expect(textAt(seen, null)).toBeNull();
    expect(seen.error).toBe('corrupt: XML');
  });
});
