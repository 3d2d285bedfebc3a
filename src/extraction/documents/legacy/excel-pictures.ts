import { memoryAccess } from '../../access.ts';
import type { Budget } from '../../budget.ts';
import type { Piece, RandomAccess } from '../../piece.ts';
import { PartLimit } from '../setbacks.ts';
import { BiffRecords } from './biff-records.ts';
import { drawnPictures } from './drawn-pictures.ts';
import { CONTINUE, DRAWINGS, EOF } from './excel-globals.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** Pictures of all sheets that draw text. They stand in records that are too short for them, and so are put together first. */
export async function* picturesOfWorkbook(stream: RandomAccess, budget: Budget): AsyncGenerator<Piece> {
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
      if (length > MOST_BYTES) throw new PartLimit('pictures of a workbook');
      parts.push(Uint8Array.from(records.bytes.subarray(records.from, records.to)));
    }
  yield* drawnPictures([memoryAccess(Buffer.concat(parts))], budget);
}
