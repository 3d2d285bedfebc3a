import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../document-item.ts';
import { ExtractionError } from '../../extraction-error.ts';
import { inMemory } from '../pictures/read-window.ts';
import { readPdf } from './pdf.ts';

export interface PdfReading {
  /** By location. */
  readonly texts: Record<string, string>;
  /** By name; what an entry failed with instead of its bytes. */
  readonly entries: Record<string, string>;
  readonly reason: string | null;
}

/** Reads everything; any error other than an ExtractionError is a defect. */
export async function readWhole(
  file: Buffer | RandomAccess,
  { ocr = false, budget = new ExtractionBudget() }: { ocr?: boolean; budget?: ExtractionBudget } = {},
): Promise<PdfReading> {
  const texts: Record<string, string> = {};
  const entries: Record<string, string> = {};
  const input = Buffer.isBuffer(file) ? inMemory(file) : file;
  try {
    for await (const item of readPdf(input, budget, { ocr })) {
      if (item.is === 'entry') entries[item.name] = await contentOf(item.bytes);
      else texts[item.location!] = `${texts[item.location!] ?? ''}${Buffer.from(item.text)}`;
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { texts, entries, reason: error.message };
  }
  return { texts, entries, reason: null };
}

async function contentOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let content = '';
  try {
    for await (const part of bytes) content += Buffer.from(part);
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return error.message;
  }
  return content;
}
