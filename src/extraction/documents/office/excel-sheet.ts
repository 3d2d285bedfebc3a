import type { ZipMember } from '../../archives/zip-directory.ts';
import { Damage } from '../../obstacle.ts';
import type { Piece } from '../../piece.ts';
import { type Meter, SheetRows } from '../sheets/sheet-rows.ts';
import { xmlTokens } from '../xml/xml-tokens.ts';
import { drawingsOf, runsOf } from './drawn-text.ts';
import type { OfficePackage } from './package.ts';
import { type Parts, textOf } from './parts.ts';
import { linksOf, partsOf, plainTarget, type Relation } from './relations.ts';
import { SheetAside } from './sheet-aside.ts';
import { type CellReferences, SheetCells } from './sheet-cells.ts';
import { SheetComments } from './sheet-comments.ts';

/** A sheet among the parts of its workbook. */
interface Sheet {
  readonly office: OfficePackage;
  readonly parts: Parts;
  readonly references: CellReferences;
  readonly meter: Meter;
  readonly name: string;
}

/** The cells, then what was said about them and drawn over them. */
export async function* readSheet(sheet: Sheet, part: ZipMember): AsyncGenerator<Piece> {
  const { office, parts, name } = sheet;
  const relations = await parts.optional(office.relations(part.name), []);
  yield* parts.attempt(cellsOf(sheet, part, relations));
  for (const target of partsOf(relations, 'threadedComment', 'comments'))
    yield* parts.read(target, (comments) => textOf(comments, new SheetComments(`${name} comments`)));
  for (const target of partsOf(relations, 'drawing'))
    yield* parts.read(target, (drawing) => drawingOf(sheet, drawing));
}

async function* cellsOf(
  { references, meter, name }: Sheet,
  part: ZipMember,
  relations: readonly Relation[],
): AsyncGenerator<Piece> {
  const links = linksOf(relations);
  const rows = new SheetRows(name, meter);
  const cells = new SheetCells(references, rows, links.values().map(plainTarget));
  const aside = new SheetAside(name, links, cells.unseen);
  let failure: unknown = null;
  try {
    for await (const xml of xmlTokens(part.bytes()))
      while (xml.next()) {
        cells.take(xml);
        if (rows.ready) yield* rows.take();
        if (cells.within) continue;
        if (xml.token === 'close' && xml.name === 'sheetData') yield* rows.end();
        aside.take(xml);
        if (aside.full) yield* aside.written();
      }
  } catch (error) {
    failure = error;
  }
  cells.endRow();
  yield* rows.end();
  yield* aside.end();
  if (failure !== null) throw failure;
  if (cells.astray) throw new Damage('missing shared string');
}

/** Boxes with text, and the titles of charts: their values are those of the cells. */
async function* drawingOf({ office, parts, name }: Sheet, drawing: ZipMember): AsyncGenerator<Piece> {
  const place = `${name} drawings`;
  yield* parts.attempt(runsOf(office, parts, drawing, place));
  const relations = await parts.optional(office.relations(drawing.name), []);
  yield* drawingsOf(office, parts, relations, place, false);
}
