import { describe, expect, it } from 'vitest';
import { inMemory } from '../../../archives/memory.fixture.ts';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../../budget/limits.ts';
import { mutated } from '../../../samples/mutate.fixture.ts';
import { SeededRandom } from '../../../samples/seeded-random.fixture.ts';
import { gather, placesOf, type Read } from '../../items.fixture.ts';
import { flatCell, flatOpen, flatRow, flatWord, flatWorkbook, wordRuns } from './flat-office.fixture.ts';
import { readFlatOffice } from './flat-office.ts';

function read(text: string | Uint8Array, ocr = false, budget = new ExtractionBudget()): Promise<Read> {
  return gather(readFlatOffice(inMemory(Buffer.from(text as string)), budget, { ocr }));
}

const CARD = '4111 1111 1111 1111';
const PICTURE = Buffer.from('a picture').toString('base64');

describe('OpenDocument in one XML file', () => {
  it('has the values that its runs divide whole, and paragraphs as lines', async () => {
    const text = flatOpen(
      'text',
      '<text:p>Card <text:span>4111 1111 </text:span><text:span>1111</text:span> 1111</text:p><text:p>next</text:p>',
      '<office:master-styles><style:master-page><style:header><text:p>head</text:p></style:header></style:master-page></office:master-styles>' +
        '<office:scripts><office:script>Sub Main</office:script></office:scripts>',
    );
    expect(placesOf(await read(text))).toEqual({
      '': `Card ${CARD}\nnext\n`,
      header: 'head\n',
      properties: 'creator: Ann Smith\n',
      scripts: 'Sub Main\n',
    });
  });

  it('has sheets', async () => {
    const cell = (text: string) =>
      `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
    const row = (...texts: string[]) => `<table:table-row>${texts.map(cell).join('')}</table:table-row>`;
    const { texts } = await read(
      flatOpen(
        'spreadsheet',
        `<table:table table:name="People">${row('Name', 'Card') + row('Ann', CARD)}</table:table>`,
      ),
    );
    expect(texts[0]).toMatchObject({ location: 'People', text: `Name\tCard\nAnn\t${CARD}\n` });
    expect(texts[0]!.grid?.columns).toEqual(['Name', 'Card']);
  });

  it('has objects, and pictures where they are read', async () => {
    const embedded = (element: string) =>
      `<draw:${element}><office:binary-data>${PICTURE}</office:binary-data></draw:${element}>`;
    const text = flatOpen('text', `<text:p>a${embedded('image')}b${embedded('object-ole')}c</text:p>`);
    const plain = await read(text);
    expect(placesOf(plain)['']).toBe('abc\n');
    expect(plain.entries.map(({ bytes }) => bytes.toString())).toEqual(['a picture']);
    expect((await read(text, true)).entries).toHaveLength(2);
  });

  it('has scripts whose values are whole for any chunking', async () => {
    const script = `<ooo:source-code>\n${`key = "${CARD}"\n`.repeat(10_000)}</ooo:source-code>`;
    const { texts } = await read(flatOpen('text', '', `<office:scripts>${script}</office:scripts>`));
    const scripts = texts.find(({ location }) => location === 'scripts')!;
    expect(scripts.text.split('\n').filter((line) => line !== '' && line !== `key = "${CARD}"`)).toEqual([]);
  });

  it('has the text of embedded documents, without their metadata', async () => {
    const inner =
      '<draw:frame><draw:object><office:document><office:meta><meta:generator>G1</meta:generator></office:meta>' +
      '<office:automatic-styles><number:text>-</number:text></office:automatic-styles>' +
      '<office:body><office:chart><text:p>title</text:p></office:chart></office:body></office:document></draw:object></draw:frame>';
    const text = flatOpen(
      'text',
      `<text:p>ann@a.org${inner}</text:p><text:p><text:meta>tagged</text:meta></text:p>`,
    );
    expect(placesOf(await read(text))['']).toBe('ann@a.org\ntitle\n\ntagged\n');
  });

  it('continues after an object that is too large for memory', async () => {
    const object = `<draw:object-ole><office:binary-data>${PICTURE.repeat(4)}</office:binary-data></draw:object-ole>`;
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, heldBytes: 20 });
    const { texts, entries, error } = await read(
      flatOpen('text', `<text:p>a${object}</text:p><text:p>b</text:p>`),
      false,
      budget,
    );
    expect(texts[0]).toMatchObject({ location: null, text: 'a\nb\n' });
    expect(entries).toEqual([]);
    expect(error).toBe('limit: embedded object');
  });
});

describe('a Word document in one XML file', () => {
  it('has the values that its runs divide whole, and paragraphs as lines', async () => {
    const text = flatWord(
      wordRuns('Card 4111 1111 ', '1111', ' 1111') +
        wordRuns('next') +
        '<w:p><w:hlink w:dest="mailto:joe@example.com"><w:r><w:t>Joe</w:t></w:r></w:hlink></w:p>',
    );
    expect(placesOf(await read(text))).toEqual({
      '': `Card ${CARD}\nnext\nJoe <mailto:joe@example.com>\n`,
      properties: 'Author: Ann Smith\n',
    });
  });

  it('yields text outside of the body by location', async () => {
    const text = flatWord(
      `<w:p><w:r><w:t>a</w:t></w:r><w:r><w:footnote>${wordRuns('note')}</w:footnote></w:r>` +
        `<w:r><aml:annotation aml:author="Bob" aml:type="Word.Comment"><aml:content>${wordRuns('no')}</aml:content></aml:annotation></w:r>` +
        `<w:r><w:t>b</w:t></w:r><aml:annotation aml:type="Word.Deletion"><aml:content><w:r><w:delText>gone</w:delText></w:r></aml:content></aml:annotation></w:p>` +
        `<w:sectPr><w:hdr w:type="odd">${wordRuns('head')}</w:hdr><w:ftr w:type="odd">${wordRuns('foot')}</w:ftr></w:sectPr>`,
    );
    expect(placesOf(await read(text))).toMatchObject({
      '': 'abgone\n',
      footnotes: 'note\n',
      comments: 'Bob: no\n',
      header: 'head\n',
      footer: 'foot\n',
    });
  });

  it('has tables, objects, and pictures where they are read', async () => {
    const cells = (...texts: string[]) =>
      `<w:tr>${texts.map((text) => `<w:tc>${wordRuns(text)}</w:tc>`).join('')}</w:tr>`;
    const table = `<w:tbl>${cells('Name', 'Card')}${cells('Ann', CARD)}${cells('Bob', CARD)}</w:tbl>`;
    const picture = `<w:p><w:r><w:pict><w:binData w:name="wordml://1.jpg">${PICTURE}</w:binData></w:pict></w:r></w:p>`;
    const { texts, entries } = await read(flatWord(table + picture));
    expect(texts[0]).toMatchObject({
      location: 'table 1',
      text: `Name\tCard\nAnn\t${CARD}\nBob\t${CARD}\n`,
    });
    expect(entries).toEqual([]);
    expect((await read(flatWord(picture), true)).entries).toEqual([
      { name: '1.jpg', bytes: Buffer.from('a picture') },
    ]);
  });

  it('may be a package of parts', async () => {
    const part = (name: string, inside: string) =>
      `<pkg:part pkg:name="${name}"><pkg:xmlData>${inside}</pkg:xmlData></pkg:part>`;
    const package_ = (...parts: string[]) =>
      `<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">${parts.join('')}</pkg:package>`;
    const text = package_(
      part('/word/document.xml', `<w:document><w:body>${wordRuns('4111 ', '1111')}</w:body></w:document>`),
      part(
        '/word/comments.xml',
        `<w:comments><w:comment w:author="B">${wordRuns('c')}</w:comment></w:comments>`,
      ),
      part('/word/_rels/a.rels', '<Relationship TargetMode="External" Target="mailto:a@b.org"/>'),
      part('/docProps/core.xml', '<cp:coreProperties><dc:creator>Ann</dc:creator></cp:coreProperties>'),
    );
    expect(placesOf(await read(text))).toEqual({
      '': '4111 1111\n',
      comments: 'B: c\n',
      links: 'mailto:a@b.org\n',
      properties: 'creator: Ann\n',
    });
    const others = package_(
      part('/customXml/item1.xml', '<c><card type="x">4111</card>more</c>'),
      part('/word/settings.xml', '<w:settings><w:docVar w:name="pin" w:val="1234"/></w:settings>'),
      `<pkg:part pkg:name="/word/afchunk1.mht"><pkg:binaryData>${PICTURE}</pkg:binaryData></pkg:part>`,
    );
    expect(placesOf(await read(others))).toEqual({
      data: 'card: 4111\ncard: more\n',
      properties: 'name: pin\ndocVar: 1234\n',
    });
    expect((await read(others)).entries).toHaveLength(1);
    expect((await read(package_(part('/xl/workbook.xml', '<a/>')))).error).toBe(
      'unsupported format: workbook in one file',
    );
  });
});

describe('an Excel workbook in one XML file', () => {
  it('has its sheets with values as they are stored', async () => {
    const rows =
      flatRow(flatCell('Name'), flatCell('Card'), flatCell('Born'), flatCell('Member')) +
      flatRow(
        flatCell('<B>4111 1111 </B><Font>1111 1111</Font>'),
        flatCell('4.111111111111111E15', 'Number'),
        flatCell('1980-05-01T00:00:00.000', 'DateTime'),
        flatCell('1', 'Boolean'),
      ) +
      `<Row ss:Index="5">${flatCell('Bob', 'String', 'ss:MergeAcross="1"')}${flatCell('x')}${flatCell('y', 'String', 'ss:Index="6"')}</Row>`;
    const { texts, error } = await read(flatWorkbook({ People: rows }));
    expect(error).toBeNull();
    expect(texts[0]).toMatchObject({
      location: 'People',
      text: `Name\tCard\tBorn\tMember\n${CARD}\t4111111111111111\t1980-05-01\tTRUE\n\n\nBob\t\tx\t\t\ty\n`,
    });
    expect(texts[0]!.grid?.columns).toEqual(['Name', 'Card', 'Born', 'Member']);
    expect(texts.at(-1)).toMatchObject({ location: 'properties', text: 'Author: Ann Smith\n' });
  });

  it('yields comments, links, formulas without a value, headers and footers', async () => {
    const cell =
      '<Cell ss:HRef="mailto:joe@example.com"><Data ss:Type="String">Joe</Data><Comment ss:Author="Ann"><ss:Data><B>is</B> gone</ss:Data></Comment></Cell>' +
      '<Cell ss:Formula="=RC[-1]&amp;4111"><Comment ss:Author="Bo"><ss:Data><B>Bo:</B>\nis here</ss:Data></Comment></Cell>';
    const text = flatWorkbook({ S: flatRow(cell) }).replace(
      '</Table>',
      '</Table><x:WorksheetOptions><x:PageSetup><x:Header x:Data="&amp;Lann@example.org&amp;CList"/><x:Footer x:Data="&amp;P"/></x:PageSetup></x:WorksheetOptions>',
    );
    expect(placesOf(await read(text))).toMatchObject({
      S: 'Joe\t=RC[-1]&4111\n',
      'S comments': 'A1: Ann: is gone\nB1: Bo: is here\n',
      'S links': 'mailto:joe@example.com\n',
      'S header': 'ann@example.org\nList\n',
    });
  });

  it('yields validation messages, and names defined as a value', async () => {
    const rule =
      '<x:DataValidation><x:Range>R1C3</x:Range><x:Type>List</x:Type><x:Value>&quot;a,b&quot;</x:Value>' +
      '<x:InputMessage>Choose</x:InputMessage></x:DataValidation><x:DataValidation><x:Range>R2</x:Range><x:Value>R1C1:R2C2</x:Value></x:DataValidation>';
    const names =
      '<Names><NamedRange ss:Name="pin" ss:RefersTo="=&quot;1234&quot;"/><NamedRange ss:Name="all" ss:RefersTo="=S!R1C1"/></Names>';
    const text = flatWorkbook({ S: flatRow(flatCell('x')) }).replace('</Table>', `</Table>${rule}`);
    expect(placesOf(await read(text.replace('<Styles>', `${names}<Styles>`)))).toMatchObject({
      S: 'x\n',
      'S validation': 'R1C3: a,b\nR1C3: Choose\n',
      names: 'pin: 1234\n',
    });
  });

  it('skips repeated empty rows', async () => {
    const rows = `${flatRow(flatCell('a'))}<Row ss:Height="20" ss:Span="2"/>${flatRow(flatCell('b'))}`;
    expect(placesOf(await read(flatWorkbook({ S: rows })))).toMatchObject({ S: 'a\n\n\n\nb\n' });
  });

  it('with a cell position out of range is reported as damaged, and keeps what came before', async () => {
    const rows = flatRow(flatCell('Ann')) + flatRow(flatCell('x', 'String', 'ss:Index="99999999"'));
    const { texts, error } = await read(flatWorkbook({ S: rows }));
    expect(error).toBe('corrupt: cell reference');
    expect(texts[0]).toMatchObject({ text: 'Ann\n' });
    expect(texts.at(-1)).toMatchObject({
      location: 'rest',
      text: expect.stringMatching(/^<Data ss:Type="String">x</),
    });
  });
});

describe('long text outside of the body of a single-file XML document', () => {
  const long = (n: number, text: string) => text.repeat(n);

  it.each([
    ['headers', flatWord(`<w:sectPr><w:hdr>${long(9000, wordRuns(CARD))}</w:hdr></w:sectPr>`)],
    ['variables', flatWord(long(9000, `<w:docVar w:val="${CARD}"/>`))],
    ['links', flatWorkbook({ S: flatRow(long(9000, `<Cell ss:Index="1" ss:HRef="a:${CARD}"/>`)) })],
    ['scripts', flatOpen('text', '', `<office:scripts>${long(9000, `<a>${CARD}</a>`)}</office:scripts>`)],
    [
      'pages',
      flatOpen(
        'text',
        '',
        `<office:master-styles>${long(9000, `<text:p>${CARD}</text:p>`)}</office:master-styles>`,
      ),
    ],
  ])('is not held until the end: %s', async (_, text) => {
    const sizes: number[] = [];
    for await (const item of readFlatOffice(inMemory(Buffer.from(text)), new ExtractionBudget(), {
      ocr: false,
    }))
      if (item.is === 'text') sizes.push(item.text.length);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(9000 * CARD.length);
  });
});

describe('a damaged Office document in one XML file', () => {
  const good = [
    flatOpen(
      'text',
      `<text:p>a<office:binary-data>${PICTURE}</office:binary-data></text:p><table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>`,
    ),
    flatWord(
      `${wordRuns('a', 'b')}<w:tbl><w:tr><w:tc>${wordRuns('c')}</w:tc></w:tr></w:tbl><w:sectPr><w:hdr>${wordRuns('h')}</w:hdr></w:sectPr>`,
    ),
    flatWorkbook({ S: flatRow(flatCell('1', 'Number', 'ss:Index="2"'), flatCell('x')) }),
  ];

  it('ends, and with no more text than there is', async () => {
    for (let seed = 0; seed < 1500; seed++) {
      const bytes = mutated(Buffer.from(good[seed % good.length]!), new SeededRandom(seed));
      const { length } = await read(bytes, true);
      expect(length).toBeLessThan(10 * bytes.length + 100_000);
    }
  });

  it('is read as plain text after the damage, to the end', async () => {
    for (const [spoiled, reason] of [
      ['</a>'.repeat(9), 'corrupt: XML'],
      ['<a>'.repeat(2001), 'limit: nesting'],
      ['<a b="', 'corrupt: truncated XML'],
    ]) {
      const long = wordRuns(CARD).repeat(3000);
      const { texts, error } = await read(flatWord(wordRuns('before') + spoiled + long + wordRuns('last')));
      expect(texts[0]).toMatchObject({ location: null, text: 'before\n' });
      expect(texts.at(-1)?.location).toBe('rest');
      expect(texts.at(-1)?.text.split(CARD)).toHaveLength(3001);
      expect(texts.at(-1)?.text).toContain('last');
      expect(error).toBe(reason);
    }
  });

  it('includes the cell in which it is truncated', async () => {
    const [rows] = flatRow(flatCell('a'), flatCell(CARD)).split('</Data></Cell></Row>');
    expect((await read(flatWorkbook({ S: rows! }).split('</Table>')[0]!)).texts[0]?.text).toBe(
      `a\t${CARD}\n`,
    );
    const sheet = `<table:table table:name="S"><table:table-row><table:table-cell office:value-type="string"><text:p>${CARD}`;
    expect(
      (await read(flatOpen('spreadsheet', sheet).split('</office:spreadsheet>')[0]!)).texts,
    ).toContainEqual(expect.objectContaining({ location: 'S', text: `${CARD}\n` }));
  });

  it('reports that it was truncated', async () => {
    for (const text of good) expect((await read(text.slice(0, -20))).error).toBe('corrupt: truncated XML');
  });
});
