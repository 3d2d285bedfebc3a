import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import { cellText } from '../../../../grid.ts';
import type { SharedStrings } from '../shared-strings.ts';
import type { CellFormats } from '../workbook-styles.ts';
import { binaryRecords } from './binary-records.ts';
import { RecordFields, wideText } from './record-fields.ts';

const STRINGS_FRAME = [159, 160] as const;
const ITEM = 19;

/** A text may be followed by formatting and phonetics. What was read before an error is kept. */
export async function fillBinaryStrings(strings: SharedStrings, part: ZipMember): Promise<void> {
  for await (const records of binaryRecords(part, STRINGS_FRAME))
    while (records.next()) {
      const { type, bytes, from, to } = records;
      if (type === ITEM) strings.add(cellText(wideText(bytes, from + 1, to)));
    }
}

const STYLES_FRAME = [278, 279] as const;
const FORMAT = 44;
const STYLE = 47;
const BEGIN_CELL_STYLES = 617;
const END_CELL_STYLES = 618;

export async function fillBinaryStyles(formats: CellFormats, part: ZipMember): Promise<void> {
  let ofCells = false;
  for await (const records of binaryRecords(part, STYLES_FRAME))
    while (records.next()) {
      const { type } = records;
      if (type === BEGIN_CELL_STYLES || type === END_CELL_STYLES) ofCells = type === BEGIN_CELL_STYLES;
      else if (type === FORMAT) {
        const fields = new RecordFields(records);
        formats.define(fields.uint16(), fields.text());
      } else if (type === STYLE && ofCells) formats.add(new RecordFields(records).skip(2).uint16());
    }
}
