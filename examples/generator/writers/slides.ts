/** Presentations of PowerPoint: boxes of text, a table, and what the speaker should say. */
import { officePackage, type Part, partType, type Relation } from './office-package.ts';
import { layoutXml, masterXml, NAMES, notesMasterXml, THEME } from './slide-master.ts';
import { each, escaped } from './xml.ts';

export interface Slide {
  readonly title: string;
  /** Boxes, each of some lines. */
  readonly boxes?: readonly (readonly string[])[];
  readonly table?: readonly (readonly string[])[];
  readonly notes?: string;
}

export interface Presentation {
  readonly title: string;
  readonly author: string;
  readonly slides: readonly Slide[];
}

const TYPE = 'presentationml';
const THEME_TYPE = 'application/vnd.openxmlformats-officedocument.theme+xml';

export function presentation({ title, author, slides }: Presentation): Buffer {
  const notes = slides.flatMap((slide, n) =>
    slide.notes === undefined ? [] : [notesPart(slide.notes, n + 1)],
  );
  const parts = [mainPart(slides.length), ...slides.map(slidePart), ...notes, ...MASTERS];
  return officePackage(parts, { title, author, program: 'Microsoft Office PowerPoint' });
}

function mainPart(count: number): Part {
  const ids = Array.from({ length: count }, (_, n) => n);
  const list = each(ids, (n) => `<p:sldId id="${256 + n}" r:id="rId${n + 1}"/>`);
  const xml =
    `<p:presentation ${NAMES} saveSubsetFonts="1"><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId101"/></p:sldMasterIdLst>` +
    `<p:notesMasterIdLst><p:notesMasterId r:id="rId102"/></p:notesMasterIdLst><p:sldIdLst>${list}</p:sldIdLst>` +
    '<p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>';
  const relations = [
    ...ids.map((n) => ({ id: `rId${n + 1}`, type: 'slide', target: `slides/slide${n + 1}.xml` })),
    { id: 'rId101', type: 'slideMaster', target: 'slideMasters/slideMaster1.xml' },
    { id: 'rId102', type: 'notesMaster', target: 'notesMasters/notesMaster1.xml' },
    { id: 'rId103', type: 'theme', target: 'theme/theme1.xml' },
  ];
  return { path: 'ppt/presentation.xml', type: partType(TYPE, 'presentation.main'), xml, relations };
}

function slidePart({ title, boxes = [], table, notes }: Slide, n: number): Part {
  const shapes =
    shape(2, 'Title 1', '<p:ph type="title"/>', [title], n) +
    each(boxes, (lines, i) => shape(3 + i, `TextBox ${2 + i}`, '', lines, i)) +
    (table === undefined ? '' : tableFrame(table, 3 + boxes.length));
  const relations: Relation[] = [
    { id: 'rId1', type: 'slideLayout', target: '../slideLayouts/slideLayout1.xml' },
  ];
  if (notes !== undefined)
    relations.push({ id: 'rId2', type: 'notesSlide', target: `../notesSlides/notesSlide${n + 1}.xml` });
  return {
    path: `ppt/slides/slide${n + 1}.xml`,
    type: partType(TYPE, 'slide'),
    xml: `<p:sld ${NAMES}>${tree(shapes)}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`,
    relations,
  };
}

function notesPart(text: string, number: number): Part {
  const inside = shape(3, 'Notes Placeholder 2', '<p:ph type="body" idx="1"/>', [text], 0);
  return {
    path: `ppt/notesSlides/notesSlide${number}.xml`,
    type: partType(TYPE, 'notesSlide'),
    xml: `<p:notes ${NAMES}>${tree(inside)}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>`,
    relations: [
      { id: 'rId1', type: 'notesMaster', target: '../notesMasters/notesMaster1.xml' },
      { id: 'rId2', type: 'slide', target: `../slides/slide${number}.xml` },
    ],
  };
}

const tree = (shapes: string) =>
  `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`;

/** A placeholder has the place of its layout, every other box one of its own. */
function shape(id: number, name: string, holder: string, lines: readonly string[], at: number): string {
  const place = `<a:xfrm><a:off x="${600_000 + 3_700_000 * (at % 3)}" y="${1_700_000 + 1_600_000 * Math.floor(at / 3)}"/><a:ext cx="3500000" cy="1400000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;
  const properties = holder === '' ? `<p:spPr>${place}</p:spPr>` : '<p:spPr/>';
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr/><p:nvPr>${holder}</p:nvPr></p:nvSpPr>${properties}<p:txBody><a:bodyPr/><a:lstStyle/>${each(lines, paragraph)}</p:txBody></p:sp>`;
}

const paragraph = (text: string) =>
  `<a:p><a:r><a:rPr lang="en-US" dirty="0"/><a:t>${escaped(text)}</a:t></a:r><a:endParaRPr lang="en-US" dirty="0"/></a:p>`;

function tableFrame(rows: readonly (readonly string[])[], id: number): string {
  const columns = each(rows[0] ?? [], () => '<a:gridCol w="2600000"/>');
  const cell = (text: string) =>
    `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>${paragraph(text)}</a:txBody><a:tcPr/></a:tc>`;
  const lines = each(rows, (row) => `<a:tr h="370840">${each(row, cell)}</a:tr>`);
  const table = `<a:tbl><a:tblPr firstRow="1"/><a:tblGrid>${columns}</a:tblGrid>${lines}</a:tbl>`;
  return (
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Table ${id}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>` +
    '<p:xfrm><a:off x="600000" y="1700000"/><a:ext cx="10400000" cy="2225040"/></p:xfrm>' +
    `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table">${table}</a:graphicData></a:graphic></p:graphicFrame>`
  );
}

const MASTERS: readonly Part[] = [
  {
    path: 'ppt/slideMasters/slideMaster1.xml',
    type: partType(TYPE, 'slideMaster'),
    xml: masterXml(tree('')),
    relations: [
      { id: 'rId1', type: 'slideLayout', target: '../slideLayouts/slideLayout1.xml' },
      { id: 'rId2', type: 'theme', target: '../theme/theme1.xml' },
    ],
  },
  {
    path: 'ppt/slideLayouts/slideLayout1.xml',
    type: partType(TYPE, 'slideLayout'),
    xml: layoutXml(
      tree(shape(2, 'Title 1', '<p:ph type="title"/>', ['Click to edit Master title style'], 0)),
    ),
    relations: [{ id: 'rId1', type: 'slideMaster', target: '../slideMasters/slideMaster1.xml' }],
  },
  {
    path: 'ppt/notesMasters/notesMaster1.xml',
    type: partType(TYPE, 'notesMaster'),
    xml: notesMasterXml(tree('')),
    relations: [{ id: 'rId1', type: 'theme', target: '../theme/theme2.xml' }],
  },
  { path: 'ppt/theme/theme1.xml', type: THEME_TYPE, xml: THEME },
  { path: 'ppt/theme/theme2.xml', type: THEME_TYPE, xml: THEME },
];
