import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { EmbeddedEntry, RandomAccess } from '../../../document-item.ts';
import { chunksOf } from '../../stream-chunks.ts';
import { deflatedData } from '../deflated-data.ts';
import { uint32 } from '../excel/biff-records.ts';
import type { PowerPointRecord } from './powerpoint-records.ts';

const COMPRESSED = 1;
/** The uncompressed length precedes compressed data. */
const SIZE_BYTES = 4;

/** A sheet, a diagram or another document within the presentation: a compound file of its own. */
export function embeddedObject(
  stream: RandomAccess,
  { from, to, instance }: PowerPointRecord,
  name: string,
  budget: ExtractionBudget,
): EmbeddedEntry {
  budget.countEntry();
  const bytes = instance === COMPRESSED ? unpacked(stream, from, to, budget) : chunksOf(stream, from, to);
  return { is: 'entry', name, bytes };
}

async function* unpacked(
  stream: RandomAccess,
  from: number,
  to: number,
  budget: ExtractionBudget,
): AsyncGenerator<Uint8Array> {
  const size = uint32(await stream.read(from, from + SIZE_BYTES), 0);
  yield* deflatedData(stream, { from: from + SIZE_BYTES, to, size }, budget);
}
