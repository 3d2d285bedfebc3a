import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import type { CellFormats } from '../workbook-styles.ts';
import { binaryRecords } from './binary-records.ts';
import { RecordFields } from './record-fields.ts';

const FRAME = [278, 279] as const;
const FORMAT = 44;
const STYLE = 47;
const BEGIN_CELL_STYLES = 617;
const END_CELL_STYLES = 618;

export async function fillBinaryStyles(formats: CellFormats, part: ZipMember): Promise<void> {
  let ofCells = false;
  for await (const records of binaryRecords(part, FRAME))
    while (records.next()) {
      const { type } = records;
      if (type === BEGIN_CELL_STYLES || type === END_CELL_STYLES) ofCells = type === BEGIN_CELL_STYLES;
      else if (type === FORMAT) {
        const fields = new RecordFields(records);
        formats.define(fields.uint16(), fields.text());
      } else if (type === STYLE && ofCells) formats.add(new RecordFields(records).skip(2).uint16());
    }
}
