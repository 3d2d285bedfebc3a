import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../../document-item.ts';
import { TextFlow } from '../../text/text-flow.ts';
import type { BinaryRecords } from './binary-records.ts';
import { binaryTextOf } from './binary-text.ts';
import { RecordFields } from './record-fields.ts';

const FRAME = [360, 588] as const;
const NUMBER = 368;
const TEXT = 371;
const ITEM_NUMBER = 580;
const ITEM_TEXT = 582;

/** Values of cells of another workbook, and of items of other programs, as they were last seen. */
export function binaryExternalLink(part: ZipMember, location: string): AsyncGenerator<DocumentItem> {
  return binaryTextOf(part, FRAME, new LinkedText(location));
}

class LinkedText {
  readonly flow: TextFlow;

  constructor(location: string) {
    this.flow = new TextFlow(location);
  }

  take(record: BinaryRecords): void {
    const fields = new RecordFields(record);
    if (record.type === NUMBER) this.flow.writeLine(String(fields.skip(4).float()));
    else if (record.type === TEXT) this.flow.writeLine(fields.skip(4).text());
    else if (record.type === ITEM_NUMBER) this.flow.writeLine(String(fields.float()));
    else if (record.type === ITEM_TEXT) this.flow.writeLine(fields.text());
  }
}
