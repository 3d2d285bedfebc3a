import { describe, expect, it } from 'vitest';
import { readBack, textAt, zipped } from '../office.fixture.ts';
import {
  contentXml,
  numberCell,
  openDocument,
  openFiles,
  sheetTable,
  tableRow,
  textCell,
} from './open-document.fixture.ts';
import { readOpenDocument } from './open-document.ts';

const read = (kind: string, inside: string, more = {}) =>
  readBack(readOpenDocument, openDocument(kind, inside, more));

describe('an OpenDocument text', () => {
  it('has paragraphs, spaces, tabs, breaks, tables and links', async () => {
    const inside = `<text:sequence-decls/><text:h text:outline-level="1">Title</text:h>
      <text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d <text:span>e\n  f</text:span></text:p>
      <table:table table:name="T"><table:table-row>${textCell('x')}${textCell('y')}</table:table-row></table:table>
      <text:p><text:a xlink:href="mailto:ann@example.org">Ann</text:a>, <text:a xlink:href="https://x.org/">https://x.org</text:a></text:p>`;
    const seen = await read('text', inside);
    expect(seen.error).toBeNull();
    expect(textAt(seen, null)).toBe(
      'Title\na   b\tc\nd e f\nx\ty\nAnn <mailto:ann@example.org>, https://x.org\n',
    );
    expect(textAt(seen, 'properties')).toBe(
      'generator: LibreOffice/24.2\ncreator: Ann Smith\nClient: Jane Doe\n',
    );
  });

  it('has comments, footnotes, deleted text and headers apart', async () => {
    const inside = `<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>Bo</dc:creator><dc:date>2024</dc:date></office:change-info><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>
      <text:p>one<office:annotation><dc:creator>Ann</dc:creator><dc:date>2024-01-01</dc:date><text:p>really?</text:p><text:p>yes</text:p></office:annotation> two<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>See there</text:p></text:note-body></text:note><text:note text:note-class="endnote"><text:note-body><text:p>At last</text:p></text:note-body></text:note>.</text:p>`;
    const styles = contentXml(
      'text',
      '<style:header><text:p>Secret</text:p></style:header><style:footer><text:p>Firm</text:p></style:footer>',
    );
    const seen = await read('text', inside, { 'styles.xml': styles });
    expect(textAt(seen, null)).toBe('gone\none two.\n');
    expect(textAt(seen, 'comments')).toBe('Ann: really?\nyes\n');
    expect(textAt(seen, 'footnotes')).toBe('See there\n');
    expect(textAt(seen, 'endnotes')).toBe('At last\n');
    expect(textAt(seen, 'header')).toBe('Secret\n');
    expect(textAt(seen, 'footer')).toBe('Firm\n');
  });

  it('has what was entered into forms, and documents within', async () => {
    const form =
      '<office:forms><form:form><form:text form:name="iban" form:current-value="DE02"/></form:form></office:forms>';
    const seen = await readBack(
      readOpenDocument,
      openDocument('text', `${form}<text:p>x</text:p>`, {
        'Object 1/content.xml': contentXml('chart', '<text:p>Salaries</text:p>'),
        'Object 2': 'ole',
        'Pictures/1.png': 'PNG',
        'Thumbnails/thumbnail.png': 'PNG',
        'Basic/Standard/Module1.xml': '<script/>',
        'Basic/Standard/script-lb.xml': '<x/>',
      }),
      { ocr: true },
    );
    expect(textAt(seen, null)).toBe('DE02\nx\n');
    expect(textAt(seen, 'Object 1')).toBe('Salaries\n');
    expect(seen.entries.map(({ name }) => name)).toEqual([
      'Object 2',
      'Pictures/1.png',
      'Basic/Standard/Module1.xml',
    ]);
  });
});

describe('an OpenDocument spreadsheet', () => {
  it('has grids, with values as they are stored', async () => {
    const date =
      '<table:table-cell office:value-type="date" office:date-value="1980-05-17"><text:p>17.05.80</text:p></table:table-cell>';
    const rows =
      tableRow(textCell('Name') + textCell('Born') + textCell('Card') + textCell('Zip')) +
      tableRow(
        textCell('Ann</text:p><text:p>Smith') +
          date +
          numberCell('4.11111111111111E+015', '4,11E+15') +
          numberCell('501', '00501'),
      ) +
      tableRow(
        '<table:table-cell table:number-columns-repeated="16384"/>',
        'table:number-rows-repeated="1048573"',
      );
    const seen = await read(
      'spreadsheet',
      sheetTable('People &amp; co', rows) + sheetTable('B', tableRow(textCell('x'))),
    );
    expect(seen.error).toBeNull();
    expect(seen.texts.slice(0, 2)).toEqual([
      {
        location: 'People & co',
        text: 'Name\tBorn\tCard\tZip\nAnn Smith\t1980-05-17\t4111111111111110\t00501\n',
        grid: { columns: ['Name', 'Born', 'Card', 'Zip'], cells: 'sheet', firstRow: 1 },
      },
      { location: 'B', text: 'x\n', grid: { columns: null, cells: 'sheet', firstRow: 1 } },
    ]);
  });

  it('repeats what is repeated and counts what is empty', async () => {
    const empty = '<table:table-cell table:number-columns-repeated="2"/>';
    const covered = '<table:covered-table-cell/>';
    const rows =
      tableRow('<table:table-cell/>', 'table:number-rows-repeated="3"') +
      `<table:table-row-group>${tableRow(empty + textCell('a', 'table:number-columns-repeated="2"') + covered + textCell('b'), 'table:number-rows-repeated="2"')}</table:table-row-group>` +
      tableRow('<table:table-cell/>', 'table:number-rows-repeated="1000000"') +
      tableRow(textCell('z'));
    const seen = await read('spreadsheet', sheetTable('S', rows));
    expect(seen.texts.slice(0, 2).map(({ text, grid }) => [grid?.firstRow, text])).toEqual([
      [4, '\t\ta\ta\t\tb\n\t\ta\ta\t\tb\n'],
      [1_000_006, 'z\n'],
    ]);
  });

  it('has comments with their cells, and boxes apart', async () => {
    const comment =
      '<office:annotation draw:style-name="gr1"><dc:creator>Bo</dc:creator><dc:date>2024</dc:date><text:p>too much</text:p></office:annotation>';
    const box = '<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>';
    const rows = tableRow(
      `<table:table-cell/><table:table-cell office:value-type="string">${comment}${box}<text:p>v</text:p></table:table-cell>`,
    );
    const seen = await read('spreadsheet', sheetTable('S', `<table:shapes>${box}</table:shapes>${rows}`));
    expect(textAt(seen, 'S')).toBe('\tv\n');
    expect(textAt(seen, 'S comments')).toBe('B1: Bo: too much\n');
    expect(textAt(seen, 'S drawings')).toBe('boxed\n\nboxed\n');
  });

  it('is stopped where repeating makes it endless', async () => {
    const value = tableRow(
      textCell('x', 'table:number-columns-repeated="10000"'),
      'table:number-rows-repeated="1000000"',
    );
    const limits = { ratioFloor: 1_000_000 };
    const seen = await readBack(readOpenDocument, openDocument('spreadsheet', sheetTable('S', value)), {
      limits,
    });
    expect(seen.error).toBe('limit: compression ratio');
    expect(textAt(seen, 'S')?.length).toBeLessThan(5_000_000);
    const wide = tableRow(textCell('x', 'table:number-columns-repeated="1000000000"'));
    expect((await read('spreadsheet', sheetTable('S', wide))).error).toBe('corrupt: cell reference');
    const far = tableRow('<table:table-cell/>', 'table:number-rows-repeated="9007199254740991"').repeat(2);
    expect((await read('spreadsheet', sheetTable('S', far + tableRow(textCell('x'))))).error).toBe(
      'corrupt: cell reference',
    );
  });

  it('that breaks off keeps the cells before', async () => {
    const inside = sheetTable('S', tableRow(textCell('a')) + tableRow(textCell('b') + textCell('c')));
    const content = contentXml('spreadsheet', inside);
    const cut = content.slice(0, content.indexOf('>c<') + 1);
    const seen = await read('spreadsheet', '', { 'content.xml': cut });
    expect(textAt(seen, 'S')).toBe('a\nb\n');
    expect(seen.error).toBe('corrupt: truncated XML');
  });
});

describe('OpenDocument pages', () => {
  const page = (text: string, notes = '') =>
    `<draw:page draw:name="p"><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>${notes}</draw:page>`;

  it('are slides with their notes, or pages of a drawing', async () => {
    const notes = '<presentation:notes><draw:frame><text:p>say it</text:p></draw:frame></presentation:notes>';
    const seen = await read('presentation', page('One', notes) + page('Two'));
    expect(seen.texts.slice(0, 3)).toEqual([
      { location: 'slide 1', text: 'One\n' },
      { location: 'slide 1 notes', text: 'say it\n' },
      { location: 'slide 2', text: 'Two\n' },
    ]);
    expect((await read('drawing', page('One'))).texts[0]).toEqual({ location: 'page 1', text: 'One\n' });
  });

  it('have the descriptions of drawings, headers and footers', async () => {
    const drawn =
      '<draw:g><draw:rect><svg:title>Passport</svg:title><svg:desc>of Ann</svg:desc><text:p>in it</text:p></draw:rect></draw:g>';
    const edges =
      '<presentation:header-decl presentation:name="h">Top</presentation:header-decl><presentation:footer-decl presentation:name="f">Jane Doe</presentation:footer-decl>';
    const seen = await read('presentation', `${edges}<draw:page>${drawn}</draw:page>`);
    expect(seen.texts.slice(0, 2)).toEqual([
      { location: null, text: 'Top\nJane Doe\n' },
      { location: 'slide 1', text: 'Passport\nof Ann\nin it\n' },
    ]);
  });

  it('stop at their limit', async () => {
    const bytes = openDocument('presentation', page('x').repeat(5));
    const seen = await readBack(readOpenDocument, bytes, { limits: { pages: 3 } });
    expect(seen).toMatchObject({ texts: [{}, {}, { location: 'slide 3' }], error: 'limit: pages' });
  });
});

describe('an OpenDocument that is closed or broken', () => {
  it('is encrypted if its manifest declares it', async () => {
    const files = openFiles('text', '<text:p>x</text:p>');
    const manifest = String(files['META-INF/manifest.xml']).replace(
      'manifest:media-type="text/xml"/>',
      'manifest:size="9"><manifest:encryption-data/></manifest:file-entry>',
    );
    expect(await readBack(readOpenDocument, zipped({ ...files, 'META-INF/manifest.xml': manifest }))).toEqual(
      {
        texts: [],
        entries: [],
        error: 'encrypted',
      },
    );
  });

  it('that is a template of styles alone is whole', async () => {
    const { 'content.xml': _, 'META-INF/manifest.xml': __, ...files } = openFiles('text', '');
    const styles = contentXml('styles', '<style:header><text:p>Ada Lovelace</text:p></style:header>');
    const seen = await readBack(readOpenDocument, zipped({ ...files, 'styles.xml': styles }));
    expect(seen.error).toBe(null);
    expect(JSON.stringify(seen.texts)).toContain('Ada Lovelace');
  });

  it('is damaged without content', async () => {
    const { 'content.xml': _, ...files } = openFiles('text', '');
    expect((await readBack(readOpenDocument, zipped(files))).error).toBe('corrupt: missing part');
  });

  it('does not confuse names of entries with object properties', async () => {
    const seen = await read('text', '<constructor/><text:__proto__/><text:p>x<text:toString/></text:p>');
    expect(textAt(seen, null)).toBe('x\n');
  });
});
