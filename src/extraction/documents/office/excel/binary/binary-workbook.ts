import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../../document-item.ts';
import { TextFlow } from '../../text/text-flow.ts';
import type { SheetList } from '../sheet-list.ts';
import { type BinaryRecords, binaryRecords } from './binary-records.ts';
import { binaryTextOf } from './binary-text.ts';
import { literalText } from './literal-text.ts';
import { RecordFields } from './record-fields.ts';

const FRAME = [131, 132] as const;
const NAME = 39;
const PROPERTIES = 153;
const SHEET = 156;

export async function fillBinaryList(list: SheetList, main: ZipMember): Promise<void> {
  for await (const records of binaryRecords(main, FRAME))
    while (records.next()) {
      const fields = new RecordFields(records);
      if (records.type === PROPERTIES) list.from1904 = (fields.uint32() & 1) === 1;
      else if (records.type === SHEET) {
        const id = fields.skip(8).text();
        list.add(id, fields.text());
      }
    }
}

export function binaryNames(main: ZipMember): AsyncGenerator<DocumentItem> {
  return binaryTextOf(main, FRAME, new NameText());
}

/** Names defined as a value, and comments on names. */
class NameText {
  readonly flow = new TextFlow('names');

  take(record: BinaryRecords): void {
    if (record.type !== NAME) return;
    const fields = new RecordFields(record).skip(9);
    const name = fields.text();
    const value = literalText(fields) ?? '';
    const comment = fields.left > 0 ? fields.text() : '';
    for (const text of [value, comment]) if (text !== '') this.flow.writeLine(`${name}: ${text}`);
  }
}
