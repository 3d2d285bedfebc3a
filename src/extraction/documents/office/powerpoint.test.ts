import { describe, expect, it } from 'vitest';
import { readBack, relations, textAt, zipped } from './office.fixture.ts';
import { powerPoint, powerPointFiles, slide, textShape } from './powerpoint.fixture.ts';
import { readPowerPoint } from './powerpoint.ts';

describe('text of a presentation', () => {
  it('yields the slides in presentation order', async () => {
    const seen = await readBack(
      readPowerPoint,
      powerPoint([textShape('First', 'line two'), textShape('Second'), textShape('Third')]),
    );
    expect(seen).toEqual({
      texts: [
        { location: 'slide 1', text: 'First\nline two\n' },
        { location: 'slide 2', text: 'Second\n' },
        { location: 'slide 3', text: 'Third\n' },
      ],
      entries: [],
      error: null,
    });
  });

  it('has tables, breaks and links', async () => {
    const cell = (text: string) =>
      `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const table = `<a:tbl><a:tr>${cell('Name')}${cell('Born')}</a:tr><a:tr>${cell('Ann')}${cell('1980')}</a:tr></a:tbl>`;
    const link =
      '<a:p><a:r><a:rPr><a:hlinkClick r:id="rId5"/></a:rPr><a:t>write</a:t></a:r><a:br/><a:r><a:t>x</a:t></a:r></a:p>';
    const seen = await readBack(
      readPowerPoint,
      powerPoint([table + link], {
        'ppt/slides/_rels/slide1.xml.rels': relations({ rId5: ['hyperlink', 'mailto:ann@example.org'] }),
      }),
    );
    expect(textAt(seen, 'slide 1')).toBe('Name\tBorn\nAnn\t1980\nwrite <mailto:ann@example.org>\nx\n');
  });

  it('has notes, comments, charts and layouts', async () => {
    const more = {
      'ppt/slides/_rels/slide1.xml.rels': relations({
        rId1: ['notesSlide', '../notesSlides/notesSlide1.xml'],
        rId2: ['comments', '../comments/comment1.xml'],
        rId3: ['chart', '../charts/chart1.xml'],
        rId4: ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      }),
      'ppt/notesSlides/notesSlide1.xml': slide(textShape('Say hello'), 'notes'),
      'ppt/notesSlides/_rels/notesSlide1.xml.rels': relations({ rId1: ['slide', '../slides/slide1.xml'] }),
      'ppt/comments/comment1.xml':
        '<p:cmLst><p:cm authorId="0" dt="2024-01-01"><p:pos x="1" y="2"/><p:text>Is that so?</p:text></p:cm><p:cm><p:text>Yes</p:text></p:cm></p:cmLst>',
      'ppt/charts/chart1.xml': '<c:chart><c:pt><c:v>Berlin</c:v></c:pt></c:chart>',
      'ppt/charts/_rels/chart1.xml.rels': relations({ rId1: ['package', '../embeddings/book.xlsx'] }),
      'ppt/embeddings/book.xlsx': 'PK',
      'ppt/commentAuthors.xml': '<p:cmAuthorLst><p:cmAuthor id="0" name="Ann Smith"/></p:cmAuthorLst>',
      'ppt/slideMasters/slideMaster1.xml': slide(textShape('Call 555-0100'), 'sldMaster'),
      'ppt/slideMasters/_rels/slideMaster1.xml.rels': relations({
        rId1: ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      }),
      'ppt/slideLayouts/slideLayout1.xml': slide(textShape('Click here'), 'sldLayout'),
    };
    const files = powerPointFiles([textShape('One')], more);
    const own = files['ppt/_rels/presentation.xml.rels'] as string;
    const masters = relations({
      rId8: ['slideMaster', 'slideMasters/slideMaster1.xml'],
      rId9: ['commentAuthors', 'commentAuthors.xml'],
    });
    const all = own.replace('</Relationships>', masters.slice(masters.indexOf('<Relationship ')));
    const seen = await readBack(readPowerPoint, zipped({ ...files, 'ppt/_rels/presentation.xml.rels': all }));
    expect(seen).toEqual({
      texts: [
        { location: 'slide 1', text: 'One\n' },
        { location: 'slide 1 notes', text: 'Say hello\n' },
        { location: 'slide 1 comments', text: 'Is that so?\nYes\n' },
        { location: 'layout', text: 'Call 555-0100\nClick here\n' },
        { location: 'properties', text: 'name: Ann Smith\n' },
      ],
      entries: [{ name: 'ppt/embeddings/book.xlsx', size: 2 }],
      error: null,
    });
  });

  it('stops at the limit of pages', async () => {
    const bytes = powerPoint(['a', 'b', 'c'].map((text) => textShape(text)));
    const seen = await readBack(readPowerPoint, bytes, { limits: { pages: 2 } });
    expect(seen.texts.map(({ location }) => location)).toEqual(['slide 1', 'slide 2']);
    expect(seen.error).toBe('limit: pages');
  });

  it('may have its slides in sections', async () => {
    const files = powerPointFiles([textShape('a'), textShape('b')]);
    const main = String(files['ppt/presentation.xml']).replace(
      '</p:presentation>',
      '<p:extLst><p:ext><p14:sectionLst xmlns:p14="x"><p14:section name="Start"><p14:sldIdLst>' +
        '<p14:sldId id="256"/><p14:sldId id="257"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst>$&',
    );
    const seen = await readBack(readPowerPoint, zipped({ ...files, 'ppt/presentation.xml': main }));
    expect(seen.error).toBeNull();
    expect(seen.texts.map(({ location }) => location)).toContain('slide 2');
  });

  it('reports a missing slide, and has the others', async () => {
    const { 'ppt/slides/slide2.xml': _, ...files } = powerPointFiles([textShape('a'), textShape('b')]);
    expect(await readBack(readPowerPoint, zipped(files))).toMatchObject({
      texts: [{ location: 'slide 2', text: 'b\n' }],
      error: 'corrupt: missing part',
    });
    const { 'ppt/_rels/presentation.xml.rels': __, ...unrelated } = powerPointFiles([textShape('a')]);
    expect(await readBack(readPowerPoint, zipped(unrelated))).toMatchObject({
      texts: [],
      error: 'corrupt: missing part',
    });
  });
});
