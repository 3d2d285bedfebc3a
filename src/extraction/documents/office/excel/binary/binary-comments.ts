import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../../document-item.ts';
import { SheetComments } from '../sheet-comments.ts';
import type { BinaryRecords } from './binary-records.ts';
import { binaryTextOf } from './binary-text.ts';
import { cellArea } from './cell-area.ts';
import { RecordFields } from './record-fields.ts';

const FRAME = [628, 629] as const;
const AUTHOR = 632;
const BEGIN_COMMENT = 635;
const END_COMMENT = 636;
const TEXT = 637;

export function binaryComments(part: ZipMember, location: string): AsyncGenerator<DocumentItem> {
  return binaryTextOf(part, FRAME, new CommentText(location));
}

class CommentText {
  readonly #comments: SheetComments;

  constructor(location: string) {
    this.#comments = new SheetComments(location);
  }

  get flow(): SheetComments['flow'] {
    return this.#comments.flow;
  }

  take(record: BinaryRecords): void {
    const fields = new RecordFields(record);
    if (record.type === AUTHOR) this.#comments.authors.add(fields.text());
    else if (record.type === BEGIN_COMMENT) {
      const author = this.#comments.authors.of(fields.uint32());
      this.#comments.begin(cellArea(fields), author);
    } else if (record.type === TEXT) this.#comments.text(fields.skip(1).text());
    else if (record.type === END_COMMENT) this.#comments.end();
  }
}
