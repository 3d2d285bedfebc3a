import { describe, expect, it } from 'vitest';
import { cellName } from '../../../grid.ts';
import { readBack, relations, textAt, zipped } from '../office.fixture.ts';
import { excel, excelFiles, rowXml, sheetXml, workbookOf } from './excel.fixture.ts';
import { readExcel } from './excel.ts';

async function sheetText(rows: string, strings: readonly string[] = []): Promise<string | null> {
  const seen = await readBack(readExcel, excel({ Sheet1: sheetXml(rows) }, strings));
  expect(seen.error).toBeNull();
  return textAt(seen, 'Sheet1');
}

describe('sheets of a workbook', () => {
  it('may list modules of macros, which have no part', async () => {
    const strings: string[] = [];
    const files = excelFiles({ One: sheetXml(rowXml(1, ['a cell'], strings)) }, strings);
    const main = String(files['xl/workbook.xml']).replace(
      '</sheets>',
      '<sheet name="Module1" sheetId="9" r:id=""/>$&',
    );
    const seen = await readBack(readExcel, zipped({ ...files, 'xl/workbook.xml': main }));
    expect(seen).toMatchObject({ texts: [{ location: 'One', text: 'a cell\n' }], error: null });
  });

  it('are grids in the order of the workbook, hidden or not, with the names of their columns', async () => {
    const strings: string[] = [];
    const persons =
      rowXml(1, ['Name', 'Born', 'Tax id'], strings) + rowXml(2, ['Ann &amp; Bo', 1980, 'X1'], strings);
    const bytes = excel(
      { 'Ann&apos;s people': sheetXml(persons), Other: sheetXml(rowXml(1, [1], strings)) },
      strings,
    );
    expect(await readBack(readExcel, bytes)).toEqual({
      texts: [
        {
          location: "Ann's people",
          text: 'Name\tBorn\tTax id\nAnn & Bo\t1980\tX1\n',
          grid: { columns: ['Name', 'Born', 'Tax id'], cells: 'sheet', firstRow: 1 },
        },
        { location: 'Other', text: '1\n', grid: { columns: null, cells: 'sheet', firstRow: 1 } },
      ],
      entries: [],
      error: null,
    });
  });

  it('are found with any folder separators and spelling of names', async () => {
    const files = Object.entries(excelFiles({ Sheet1: sheetXml(rowXml(1, [7, 8], [])) }, []));
    const windows = files.map(([name, data]) => [name.replaceAll('/', '\\').toLowerCase(), data]);
    const seen = await readBack(readExcel, zipped(Object.fromEntries(windows)));
    expect(seen).toMatchObject({ texts: [{ location: 'Sheet1', text: '7\t8\n' }], error: null });
  });

  it('leave room for cells and rows that are empty', async () => {
    const rows =
      '<row r="3"><c r="C3"><v>7</v></c><c r="F3"><v>8</v></c></row><row r="4"><c r="A4" s="1"/></row><row r="6"><c r="B6"><v>9</v></c></row>';
    const seen = await readBack(readExcel, excel({ Sheet1: sheetXml(rows) }));
    expect(seen.texts).toEqual([
      {
        location: 'Sheet1',
        text: '\t\t7\t\t\t8\n\n\n\t9\n',
        grid: { columns: null, cells: 'sheet', firstRow: 3 },
      },
    ]);
  });

  it('begin a new text after a large gap, and where rows are not ascending', async () => {
    const rows = [2, 66, 67, 1_000_000, 5]
      .map((row) => `<row r="${row}"><c><v>${row}</v></c></row>`)
      .join('');
    const seen = await readBack(readExcel, excel({ Sheet1: sheetXml(rows) }));
    expect(seen.texts.map(({ text, grid }) => [grid?.firstRow, text.replace(/\n+/g, ' ')])).toEqual([
      [2, '2 66 67 '],
      [1_000_000, '1000000 '],
      [5, '5 '],
    ]);
  });

  it('count rows and cells that have no reference', async () => {
    const rows = '<row><c><v>1</v></c><c><v>2</v></c></row><row><c r="B2"><v>3</v></c><c><v>4</v></c></row>';
    expect(await sheetText(rows)).toBe('1\t2\n\t3\t4\n');
  });

  it('have texts of several runs, without how they are pronounced', async () => {
    const strings = [
      '<r><rPr><b/></rPr><t>41</t></r><r><t xml:space="preserve">11 1</t></r><rPh sb="0" eb="1"><t>NO</t></rPh><phoneticPr fontId="1"/>',
      'two_x000D_\nlines\there',
      '&quot;quoted&quot;',
      '',
    ];
    const cells = strings.map((_, i) => `<c t="s"><v>${i}</v></c>`).join('');
    const inline =
      '<c t="inlineStr"><is><t>in</t></is></c><c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>';
    expect(await sheetText(`<row>${cells}${inline}</row>`, strings)).toBe(
      `4111 1\ttwo lines here\t'quoted"\t\tin\tab\n`,
    );
  });

  it('have the values of formulas, or the formula where there is none', async () => {
    const rows =
      '<row><c t="str"><f>A1&amp;"x"</f><v>ax</v></c><c><f>SUM(1,2)</f><v>3</v></c><c><f>HYPERLINK("mailto:a@b.org")</f></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>1980-05-17</v></c></row>';
    expect(await sheetText(rows)).toBe('ax\t3\t=HYPERLINK("mailto:a@b.org")\tTRUE\t#N/A\t1980-05-17\n');
  });

  it('have long numbers with all their digits, and dates as dates', async () => {
    const cell = (value: string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;
    const rows = `<row>${cell('4.111111111111111E15')}${cell('4111111111111111')}${cell('1.1000000000000001')}${cell('1E-3')}${cell('29358', 1)}${cell('29358.5', 2)}${cell('78051120', 3)}${cell('29358.5', 4)}${cell('0.75', 5)}</row>`;
    expect(await sheetText(rows)).toBe(
      '4111111111111111\t4111111111111111\t1.1\t0.001\t1980-05-17\t1980-05-17\t078-05-1120\t1980-05-17 12:00:00\t18:00:00\n',
    );
  });

  it('may share one long text: a row longer than a string is written in chunks', async () => {
    const long = 'long '.repeat(300_000);
    const cells = '<c t="s"><v>0</v></c>'.repeat(10);
    const rows = `<row>${cells}<c><v>7</v></c></row><row><c><v>8</v></c></row>`;
    expect(await sheetText(rows, [long])).toBe(`${`${long}\t`.repeat(10)}7\n8\n`);
  });

  it('have dates from 1904 where the workbook counts so', async () => {
    const files = excelFiles({ Sheet1: sheetXml('<row><c s="1"><v>27896</v></c></row>') }, []);
    const book = String(files['xl/workbook.xml']).replace('<workbookPr', '<workbookPr date1904="1"');
    const seen = await readBack(readExcel, zipped({ ...files, 'xl/workbook.xml': book }));
    expect(textAt(seen, 'Sheet1')).toBe('1980-05-17\n');
  });
});

describe('text outside of the sheets', () => {
  it('includes comments with their cells, and threaded comments', async () => {
    const more = {
      'xl/worksheets/_rels/sheet1.xml.rels': relations({
        rId1: ['comments', '../comments1.xml'],
        rId2: ['threadedComment', '../threadedComments/threadedComment1.xml'],
      }),
      'xl/comments1.xml':
        '<comments><authors><author>Ann</author></authors><commentList><comment ref="B2" authorId="0"><text><r><t>Ann:</t></r><r><t xml:space="preserve">\nold salary</t></r></text></comment><comment ref="C3"><text><t>[Threaded comment]\n\nYour version… Comment: new</t></text></comment></commentList></comments>',
      'xl/threadedComments/threadedComment1.xml':
        '<ThreadedComments><threadedComment ref="C3" personId="{1}"><text>new</text></threadedComment></ThreadedComments>',
    };
    const seen = await readBack(readExcel, workbookOf([[1]], more));
    expect(textAt(seen, 'Sheet1 comments')).toBe('B2: Ann:\nold salary\nC3: new\n');
  });

  it('are the authors of comments, unless a comment names its author itself', async () => {
    const comment = (cell: string, author: string, text: string) =>
      `<comment ref="${cell}" ${author}><text><r><t>${text}</t></r></text></comment>`;
    const more = {
      'xl/worksheets/_rels/sheet1.xml.rels': relations({ rId1: ['comments', '../comments1.xml'] }),
      'xl/comments1.xml':
        '<comments><authors><author>Ann &amp; Bob Ross of the accounts</author><author>tc={0-1}</author><author/></authors><commentList>' +
        comment('A1', 'authorId="0"', 'old salary') +
        comment('A2', 'authorId="0"', 'Ann &amp; Bob Ross of the accounts: no, new') +
        comment('A3', 'authorId="1"', '[Kommentar] new') +
        comment('A4', 'authorId="2"', 'of nobody') +
        comment('A5', 'authorId="-1"', 'of nobody') +
        comment('A6', '', '') +
        comment('A7', 'authorId="0"', '') +
        '</commentList></comments>',
    };
    const seen = await readBack(readExcel, workbookOf([[1]], more));
    const author = 'Ann & Bob Ross of the accounts';
    expect(textAt(seen, 'Sheet1 comments')?.trim().split(/\n+/)).toEqual([
      `A1: ${author}: old salary`,
      `A2: ${author}: no, new`,
      'A3: [Kommentar] new',
      'A4: of nobody',
      'A5: of nobody',
      `A7: ${author}`,
    ]);
  });

  it('includes the participants of threaded comments', async () => {
    const files = excelFiles({ Sheet1: sheetXml('<row><c><v>1</v></c></row>') }, [], {
      'xl/worksheets/_rels/sheet1.xml.rels': relations({ rId1: ['threadedComment', '../t1.xml'] }),
      'xl/t1.xml':
        '<ThreadedComments><threadedComment ref="C3" personId="{1}"><text>new</text></threadedComment><threadedComment ref="C3" personId="{2}"><text>no</text></threadedComment></ThreadedComments>',
      'xl/persons/person.xml':
        '<personList><person displayName="Bob Ross" id="{1}" userId="bob@example.org"/></personList>',
    });
    const own = String(files['xl/_rels/workbook.xml.rels']);
    const more = relations({ rId9: ['person', 'persons/person.xml'] });
    const all = own.replace('</Relationships>', more.slice(more.indexOf('<Relationship ')));
    const seen = await readBack(readExcel, zipped({ ...files, 'xl/_rels/workbook.xml.rels': all }));
    expect(textAt(seen, 'Sheet1 comments')).toBe('C3: Bob Ross: new\nC3: no\n');
    expect(textAt(seen, 'properties')).toBe('displayName: Bob Ross\nuserId: bob@example.org\n');
  });

  it('are links that no cell shows, and headers and footers', async () => {
    const strings = ['ann@example.org', 'home'];
    const after =
      '<hyperlinks><hyperlink ref="A1" r:id="rId1"/><hyperlink ref="B1" r:id="rId2"/><hyperlink ref="B1" r:id="rId7"/></hyperlinks><headerFooter><oddHeader>&amp;Lann@example.org&amp;C&amp;&quot;Arial&quot;&amp;12Confidential</oddHeader><evenFooter>&amp;P</evenFooter><firstFooter>last</firstFooter></headerFooter><extLst><x14:sparkline><xm:f>Sheet1!A1</xm:f></x14:sparkline></extLst>';
    const bytes = excel({ Sheet1: sheetXml(rowXml(1, ['ann@example.org', 'home'], []), after) }, strings, {
      'xl/worksheets/_rels/sheet1.xml.rels': relations({
        rId1: ['hyperlink', 'mailto:ann@example.org'],
        rId2: ['hyperlink', 'https://example.org/home'],
      }),
    });
    expect((await readBack(readExcel, bytes)).texts).toMatchObject([
      { location: 'Sheet1', text: 'ann@example.org\thome\n' },
      { location: 'Sheet1 links', text: 'B1: https://example.org/home\n' },
      { location: 'Sheet1 header', text: 'ann@example.org\nConfidential\nlast\n' },
    ]);
  });

  it('are boxes of text, titles of charts, authors and ways to databases', async () => {
    const files = excelFiles({ Sheet1: sheetXml('<row><c><v>1</v></c></row>') }, [], {
      'xl/worksheets/_rels/sheet1.xml.rels': relations({ rId1: ['drawing', '../drawings/drawing1.xml'] }),
      'xl/drawings/drawing1.xml':
        '<xdr:wsDr><xdr:sp><a:p><a:r><a:t>boxed</a:t></a:r></a:p></xdr:sp></xdr:wsDr>',
      'xl/drawings/_rels/drawing1.xml.rels': relations({ rId1: ['chart', '../charts/chart1.xml'] }),
      'xl/charts/chart1.xml':
        '<c:chart><a:p><a:t>Title</a:t></a:p><c:numRef><c:f>Sheet1!$A$1</c:f><c:v>12</c:v></c:numRef></c:chart>',
      'xl/connections.xml':
        '<connections><connection id="1" name="Db"><dbPr connection="Password=x"/></connection></connections>',
    });
    const own = String(files['xl/_rels/workbook.xml.rels']);
    const more = relations({ rId9: ['connections', 'connections.xml'] });
    const all = own.replace('</Relationships>', more.slice(more.indexOf('<Relationship ')));
    const seen = await readBack(readExcel, zipped({ ...files, 'xl/_rels/workbook.xml.rels': all }));
    expect(textAt(seen, 'Sheet1 drawings')).toBe('boxed\nTitle\n');
    expect(textAt(seen, 'properties')).toBe('name: Db\nconnection: Password=x\n');
  });
});

describe('values of a workbook outside its cells', () => {
  const sheet = (after: string) => excel({ Sheet1: sheetXml('<row><c><v>1</v></c></row>', after) });

  it('includes literal lists of allowed values, and the messages of validation rules', async () => {
    const after =
      '<dataValidations><dataValidation type="list" sqref="B2:B9" promptTitle="Who" error="no &amp; no"><formula1>"Ann,&quot;&quot;Bo&quot;&quot;"</formula1></dataValidation>' +
      '<dataValidation type="list" sqref="C2"><formula1>Lists!$A$1:$A$9</formula1></dataValidation></dataValidations>' +
      '<extLst><x14:dataValidation sqref=""><x14:formula1><xm:f>"x,y"</xm:f></x14:formula1></x14:dataValidation></extLst>' +
      '<headerFooter><oddHeader>head</oddHeader></headerFooter>';
    const seen = await readBack(readExcel, sheet(after));
    expect(textAt(seen, 'Sheet1 validation')).toBe('B2:B9: Who\nB2:B9: no & no\nB2:B9: Ann,"Bo"\n: x,y\n');
    expect(textAt(seen, 'Sheet1 header')).toBe('head\n');
  });

  it('includes names defined as a value, and comments on names', async () => {
    const files = excelFiles({ Sheet1: sheetXml('<row><c><v>1</v></c></row>') }, []);
    const names =
      '<definedNames><definedName name="Key">"secret"</definedName><definedName name="Card">4111111111111111</definedName>' +
      '<definedName name="Area" comment="of Ann">Sheet1!$A$1</definedName><definedName name="Both">"a"&amp;"b"</definedName></definedNames></workbook>';
    const book = String(files['xl/workbook.xml']).replace('</workbook>', names);
    const seen = await readBack(readExcel, zipped({ ...files, 'xl/workbook.xml': book }));
    expect(textAt(seen, 'names')).toBe('Key: secret\nCard: 4111111111111111\nArea: of Ann\n');
  });

  it('are those of charts, if they are of no sheet that is here', async () => {
    const values = (source: string, value: string) =>
      `<c:strRef>${source}<c:strCache><c:pt idx="0"><c:v>${value}</c:v></c:pt></c:strCache></c:strRef>`;
    const bytes = excel({ "Ann's": sheetXml('<row><c><v>1</v></c></row>') }, [], {
      'xl/worksheets/_rels/sheet1.xml.rels': relations({ rId1: ['drawing', '../drawings/d.xml'] }),
      'xl/drawings/d.xml': '<xdr:wsDr/>',
      'xl/drawings/_rels/d.xml.rels': relations({ rId1: ['chart', 'c.xml'], rId2: ['chartEx', 'x.xml'] }),
      'xl/drawings/c.xml': `<c:chart><a:p><a:t>Title</a:t></a:p>${values("<c:f>'Ann''s'!$A$1</c:f>", 'here')}${values('<c:f>[1]Far!$A$1</c:f>', 'far')}${values('<c:f>Gone!$A$1</c:f>', 'gone')}<c:strLit><c:pt><c:v>alone</c:v></c:pt></c:strLit></c:chart>`,
      'xl/drawings/x.xml':
        '<cx:chart><cx:data><cx:strDim><cx:f>#REF!</cx:f><cx:lvl><cx:pt idx="0">lost</cx:pt></cx:lvl></cx:strDim></cx:data></cx:chart>',
    });
    const seen = await readBack(readExcel, bytes);
    expect(textAt(seen, "Ann's drawings")).toBe('Title\nfar\ngone\nalone\nlost\n');
  });
});

describe('copies of data in a workbook', () => {
  const pivot = (source: string) => {
    const files = excelFiles({ Here: sheetXml('<row><c><v>1</v></c></row>') }, [], {
      'xl/pivotCache/d1.xml': `<pivotCacheDefinition r:id="rId1"><cacheSource type="worksheet"><worksheetSource ref="A1:C3" ${source}/></cacheSource><cacheFields><cacheField name="Name"><sharedItems><s v="Ann"/><s v="Bo"/><m/></sharedItems></cacheField><cacheField name="Born"><sharedItems/></cacheField><cacheField name="Pay"/></cacheFields></pivotCacheDefinition>`,
      'xl/pivotCache/_rels/d1.xml.rels': relations({ rId1: ['pivotCacheRecords', 'r1.xml'] }),
      'xl/pivotCache/r1.xml':
        '<pivotCacheRecords><r><x v="1"/><d v="1980-05-17T00:00:00"/><n v="5"/></r><r><x v="0"/><m/><n v="7"/></r><r><x v="9"/></r></pivotCacheRecords>',
      'xl/externalLinks/e1.xml':
        '<externalLink><externalBook><sheetDataSet><sheetData><row r="1"><cell r="A1" t="str"><v>far</v></cell><cell r="B1"><v>8</v></cell></row></sheetData></sheetDataSet></externalBook></externalLink>',
    });
    const own = String(files['xl/_rels/workbook.xml.rels']);
    const more = relations({
      rId8: ['pivotCacheDefinition', 'pivotCache/d1.xml'],
      rId9: ['externalLink', 'externalLinks/e1.xml'],
    });
    const all = own.replace('</Relationships>', more.slice(more.indexOf('<Relationship ')));
    return zipped({ ...files, 'xl/_rels/workbook.xml.rels': all });
  };

  it('includes pivot caches if their source is missing', async () => {
    const seen = await readBack(readExcel, pivot('sheet="Gone"'));
    expect(seen.texts.slice(1)).toEqual([
      {
        location: 'pivot cache',
        text: 'Bo\t1980-05-17\t5\nAnn\t\t7\n\n',
        grid: { columns: ['Name', 'Born', 'Pay'], cells: 'rows', firstRow: 1 },
      },
      { location: 'external links', text: 'far\n8\n' },
    ]);
    expect(textAt(await readBack(readExcel, pivot('sheet="Here" r:id="rId2"')), 'pivot cache')).toContain(
      'Ann',
    );
    expect(textAt(await readBack(readExcel, pivot('sheet="Here"')), 'pivot cache')).toBeNull();
  });

  it('reports a data model, which is not read', async () => {
    const files = excelFiles({ A: sheetXml('<row><c><v>1</v></c></row>') }, [], {
      'xl/model/item.data': 'x',
    });
    expect(await readBack(readExcel, zipped(files))).toMatchObject({
      texts: [{ text: '1\n' }],
      error: 'unsupported format: Excel data model',
    });
  });
});

describe('a workbook that is damaged or hostile', () => {
  it('that breaks off keeps the cells before', async () => {
    const files = excelFiles({ Sheet1: '<worksheet><sheetData><row r="1"><c><v>1</v></c><c><v>22' }, []);
    expect(await readBack(readExcel, zipped(files))).toMatchObject({
      texts: [{ location: 'Sheet1', text: '1\n' }],
      error: 'corrupt: truncated XML',
    });
  });

  it('without its shared strings has the other cells', async () => {
    const { 'xl/sharedStrings.xml': _, ...files } = excelFiles(
      { Sheet1: sheetXml('<row><c t="s"><v>0</v></c><c><v>5</v></c></row>') },
      [],
    );
    expect(await readBack(readExcel, zipped(files))).toMatchObject({
      texts: [{ text: '\t5\n' }],
      error: 'corrupt: missing shared string',
    });
  });

  it.each([
    '<row r="0"/>',
    '<row r="x"/>',
    '<row r="99999999"/>',
    '<row><c r="XFE1"/></row>',
    '<row><c r="ZZZZZZZZ1"/></row>',
  ])('refers to no cell there can be: %s', async (row) => {
    const rows = `<row><c><v>1</v></c></row>${row}`;
    expect(await readBack(readExcel, excel({ Sheet1: sheetXml(rows) }))).toMatchObject({
      texts: [{ text: '1\n' }],
      error: 'corrupt: cell reference',
    });
  });

  it('does not write the empty cells before a far one, and names the cell', async () => {
    const rows = [1, 2, 3].map(
      (n) => `<row r="${n}"><c r="A${n}"><v>${n}</v></c><c r="XFD${n}"><v>9</v></c></row>`,
    );
    const seen = await readBack(readExcel, excel({ Sheet1: sheetXml(rows.join('')) }));
    expect(textAt(seen, 'Sheet1')).toBe('1\t9\n2\t9\n3\t9\n');
    const grid = seen.texts[0]!.grid!;
    expect([cellName(grid, 2, 0), cellName(grid, 3, 1)]).toEqual(['A2', 'XFD3']);
  });

  it('keeps the names of columns for rows that leave some out', async () => {
    const strings: string[] = [];
    const rows =
      rowXml(1, ['name', 'mail', 'phone'], strings) + rowXml(2, ['Ann', 'a@b.example', 1], strings);
    const far = '<row r="3"><c r="B3" t="str"><v>c@d.example</v></c><c r="ZZ3"><v>7</v></c></row>';
    const seen = await readBack(readExcel, excel({ Sheet1: sheetXml(rows + far) }, strings));
    expect(seen.texts.map(({ text, grid }) => [text, grid?.columns])).toEqual([
      ['name\tmail\tphone\nAnn\ta@b.example\t1\n', ['name', 'mail', 'phone']],
      ['\tc@d.example\t7\n', ['name', 'mail']],
    ]);
  });

  it('accepts the cells of a row in any order', async () => {
    const cells = '<c r="XFD1"><v>9</v></c><c r="A1"><v>1</v></c><c r="XFD1"><v>8</v></c>';
    const seen = await readBack(readExcel, excel({ Sheet1: sheetXml(`<row r="1">${cells}</row>`) }));
    expect(seen.texts.map(({ text }) => text).join('')).toBe('9\n1\t8\n');
  });

  it('that repeats a long text without end is stopped as a bomb', async () => {
    const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(20_000);
    const seen = await readBack(readExcel, excel({ Sheet1: sheetXml(rows) }, ['x'.repeat(30_000)]), {
      limits: { ratio: 10, ratioFloor: 1_000_000 },
    });
    expect(seen.error).toBe('limit: compression ratio');
    expect(textAt(seen, 'Sheet1')?.length).toBeLessThan(2_000_000);
  });

  it('has one text for a sheet that is listed twice', async () => {
    const files = excelFiles({ A: sheetXml('<row><c><v>1</v></c></row>') }, []);
    const book = String(files['xl/workbook.xml']).replace(/<sheet .*\/>/, '$&$&$&');
    expect((await readBack(readExcel, zipped({ ...files, 'xl/workbook.xml': book }))).texts).toHaveLength(1);
  });
});
