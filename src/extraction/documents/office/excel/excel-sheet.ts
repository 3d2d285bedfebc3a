import type { ZipMember } from '../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { CellRows } from '../../sheets/cell-rows.ts';
import { type Meter, SheetRows } from '../../sheets/sheet-rows.ts';
import { xmlTokens } from '../../xml/xml-tokens.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { type Parts, textOf } from '../package/parts.ts';
import { linksOf, partsOf, plainTarget, type Relation } from '../package/relations.ts';
import { drawingsOf, runsOf } from '../text/drawing-text.ts';
import { binaryComments } from './binary/binary-comments.ts';
import { isBinary } from './binary/binary-records.ts';
import { binaryCells } from './binary/binary-sheet.ts';
import type { Persons } from './comment-authors.ts';
import { SheetCells } from './sheet-cells.ts';
import { SheetComments } from './sheet-comments.ts';
import { SheetExtras } from './sheet-extras.ts';
import { SheetExtrasTokens } from './sheet-extras-tokens.ts';
import { type CellReferences, SheetTexts } from './sheet-texts.ts';

/** A sheet among the parts of its workbook. */
interface Sheet {
  readonly office: OfficePackage;
  readonly parts: Parts;
  readonly references: CellReferences;
  readonly meter: Meter;
  readonly name: string;
  /** The names of all. */
  readonly sheets: ReadonlySet<string>;
  readonly persons: Persons;
}

/** The cells, then comments and drawings. */
export async function* readSheet(sheet: Sheet, part: ZipMember): AsyncGenerator<DocumentItem> {
  const { office, parts, name, persons } = sheet;
  const relations = await parts.optional(office.relations(part.name), []);
  yield* parts.attempt(textsOf(sheet, part, relations));
  for (const target of partsOf(relations, 'threadedComment', 'comments'))
    yield* parts.read(target, (comments) => commentsOf(comments, `${name} comments`, persons));
  for (const target of partsOf(relations, 'drawing'))
    yield* parts.read(target, (drawing) => drawingOf(sheet, drawing));
}

/** What was read before an error is yielded first. */
async function* textsOf(
  { references, meter, name }: Sheet,
  part: ZipMember,
  relations: readonly Relation[],
): AsyncGenerator<DocumentItem> {
  const links = linksOf(relations);
  const rows = new CellRows(new SheetRows(name, meter), links.values().map(plainTarget));
  const texts = new SheetTexts(references, rows, new SheetExtras(name, links, rows.unseen));
  let failure: unknown = null;
  try {
    yield* isBinary(part) ? binaryCells(part, texts) : cellsOf(part, texts);
  } catch (error) {
    failure = error;
  }
  yield* rows.end();
  yield* texts.extras.end();
  if (failure !== null) throw failure;
  if (texts.astray) throw new CorruptInput('missing shared string');
}

async function* cellsOf(part: ZipMember, texts: SheetTexts): AsyncGenerator<DocumentItem> {
  const { rows, extras } = texts;
  const cells = new SheetCells(texts);
  const extrasTokens = new SheetExtrasTokens(extras);
  for await (const xml of xmlTokens(part.bytes()))
    while (xml.next()) {
      cells.take(xml);
      if (rows.ready) yield* rows.take();
      if (cells.within) continue;
      if (xml.token === 'close' && xml.name === 'sheetData') yield* rows.end();
      extrasTokens.take(xml);
      if (extras.full) yield* extras.written();
    }
}

function commentsOf(part: ZipMember, location: string, persons: Persons): AsyncGenerator<DocumentItem> {
  return isBinary(part) ? binaryComments(part, location) : textOf(part, new SheetComments(location, persons));
}

/** Boxes with text, and charts: their values are those of the cells. */
async function* drawingOf(
  { office, parts, name, sheets }: Sheet,
  drawing: ZipMember,
): AsyncGenerator<DocumentItem> {
  const location = `${name} drawings`;
  yield* parts.attempt(runsOf(office, parts, drawing, location));
  const relations = await parts.optional(office.relations(drawing.name), []);
  yield* drawingsOf(office, parts, relations, location, sheets);
}
