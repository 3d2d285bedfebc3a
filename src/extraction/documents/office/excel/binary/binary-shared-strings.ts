import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import { cellText } from '../../../../grid.ts';
import type { SharedStrings } from '../shared-strings.ts';
import { binaryRecords } from './binary-records.ts';
import { wideText } from './record-fields.ts';

const FRAME = [159, 160] as const;
const ITEM = 19;

/** A text may be followed by formatting and phonetics. What was read before an error is kept. */
export async function fillBinaryStrings(strings: SharedStrings, part: ZipMember): Promise<void> {
  for await (const records of binaryRecords(part, FRAME))
    while (records.next()) {
      const { type, bytes, from, to } = records;
      if (type === ITEM) strings.add(cellText(wideText(bytes, from + 1, to)));
    }
}
