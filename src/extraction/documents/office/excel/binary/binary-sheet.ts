import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../../document-item.ts';
import type { SheetExtras } from '../sheet-extras.ts';
import type { SheetTexts } from '../sheet-texts.ts';
import { BinaryCells } from './binary-cells.ts';
import { type BinaryRecords, binaryRecords } from './binary-records.ts';
import { cellArea } from './cell-area.ts';
import { literalText } from './literal-text.ts';
import { RecordFields } from './record-fields.ts';

const FRAME = [129, 130] as const;
const END_OF_ROWS = 146;

export async function* binaryCells(part: ZipMember, texts: SheetTexts): AsyncGenerator<DocumentItem> {
  const { rows, extras } = texts;
  const cells = new BinaryCells(texts);
  for await (const records of binaryRecords(part, FRAME))
    while (records.next()) {
      if (cells.take(records)) {
        if (rows.ready) yield* rows.take();
        continue;
      }
      if (records.type === END_OF_ROWS) yield* rows.end();
      takeSheetExtras(records, extras);
      if (extras.full) yield* extras.written();
    }
}

const VALIDATION = 64;
const LONG_LIST = 681;
const MARGINS = 479;
const LINK = 494;

const MARGIN_TEXTS = 6;
const AREA_BYTES = 16;
const IS_LIST = 3;

/** Links, lines above and below each page, and what may be chosen for a cell, out of the records of a sheet. */
function takeSheetExtras(record: BinaryRecords, extras: SheetExtras): void {
  if (record.type === LINK) {
    const fields = new RecordFields(record);
    const cells = cellArea(fields);
    extras.link(cells, fields.text());
  } else if (record.type === MARGINS) {
    const fields = new RecordFields(record).skip(2);
    for (let i = 0; i < MARGIN_TEXTS; i++) extras.margin(fields.text());
  } else if (record.type === VALIDATION) takeValidation(new RecordFields(record), extras);
  else if (record.type === LONG_LIST) extras.validation('', [new RecordFields(record).text()]);
}

function takeValidation(fields: RecordFields, extras: SheetExtras): void {
  const isList = (fields.uint32() & 0xf) === IS_LIST;
  const areas = fields.uint32();
  const cells = areas === 0 ? '' : cellArea(fields);
  if (areas > 0) fields.skip((areas - 1) * AREA_BYTES);
  const error = [fields.text(), fields.text()];
  const prompt = [fields.text(), fields.text()];
  const list = isList ? (literalText(fields) ?? '') : '';
  extras.validation(cells, [...prompt, ...error, list.replaceAll('\0', ',')]);
}
