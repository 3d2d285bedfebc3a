import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import type { PivotCache } from '../pivot-cache.ts';
import { binaryRecords } from './binary-records.ts';
import { RecordFields } from './record-fields.ts';

const FRAME = [179, 180] as const;
const RANGE = 187;
const FAR = 1;
const HAS_SHEET = 2;

/** Which sheet a pivot table was made of. */
export async function binaryCacheSource(cache: PivotCache, definition: ZipMember): Promise<void> {
  for await (const records of binaryRecords(definition, FRAME))
    while (records.next()) {
      if (records.type !== RANGE) continue;
      const fields = new RecordFields(records).skip(2);
      const flags = fields.uint8();
      cache.sheet = flags & HAS_SHEET && !(flags & FAR) ? fields.text() : null;
    }
}
