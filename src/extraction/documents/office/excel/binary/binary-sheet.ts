import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../../document-item.ts';
import type { SheetTexts } from '../sheet-texts.ts';
import { BinaryCells } from './binary-cells.ts';
import { binaryRecords } from './binary-records.ts';
import { takeAside } from './binary-sheet-extras.ts';

const FRAME = [129, 130] as const;
const END_OF_ROWS = 146;

export async function* binaryCells(part: ZipMember, texts: SheetTexts): AsyncGenerator<DocumentItem> {
  const { rows, aside } = texts;
  const cells = new BinaryCells(texts);
  for await (const records of binaryRecords(part, FRAME))
    while (records.next()) {
      if (cells.take(records)) {
        if (rows.ready) yield* rows.take();
        continue;
      }
      if (records.type === END_OF_ROWS) yield* rows.end();
      takeAside(records, aside);
      if (aside.full) yield* aside.written();
    }
}
