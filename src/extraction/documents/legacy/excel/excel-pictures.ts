import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess } from '../../../document-item.ts';
import { memoryAccess } from '../../../input/random-access.ts';
import { PartLimitExceeded } from '../../part-errors.ts';
import { drawnPictures } from '../office-art-pictures.ts';
import { BiffRecords } from './biff-records.ts';
import { CONTINUE, DRAWINGS, EOF } from './excel-globals.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Metafile pictures of all sheets. They are split over several records, and therefore assembled first. */
export async function* picturesOfWorkbook(
  stream: RandomAccess,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  const records = new BiffRecords(stream, 0, stream.size);
  const parts: Uint8Array[] = [];
  let length = 0;
  let last = 0;
  while (last !== EOF && (await records.more()))
    while (last !== EOF && records.next()) {
      // What continues a drawing is one.
      last = records.type === CONTINUE && last === DRAWINGS ? DRAWINGS : records.type;
      if (last !== DRAWINGS) continue;
      length += records.length;
      if (length > MAX_BYTES) throw new PartLimitExceeded('pictures of a workbook');
      parts.push(Uint8Array.from(records.bytes.subarray(records.from, records.to)));
    }
  yield* drawnPictures([memoryAccess(Buffer.concat(parts))], budget);
}
