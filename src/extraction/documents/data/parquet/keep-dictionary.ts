import { ExtractionError } from '../../../extraction-error.ts';
import type { CellWriter } from '../cell-writer.ts';
import { PageBytes } from './bits.ts';
import type { ColumnCodec } from './column-codec.ts';
import { BATCH, type Kernel } from './kernel/kernel.ts';
import { plainValues } from './values.ts';

/** Longer texts are rare, and read without that. */
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * The values of a dictionary as rows, once and for all: what stands in a hundred rows then only has to be copied. How long they
 * are; null: the kernel can't have them.
 */
export function keepDictionary(
  page: Uint8Array,
  count: number,
  kind: ColumnCodec,
  kernel: Kernel,
  out: CellWriter,
): number | null {
  try {
    const rows = rowsOf(page, count, kind, kernel, out);
    return rows !== null && kernel.keepDictionary(rows, count) ? rows.length : null;
  } catch (error) {
    // Values that nobody refers to may be anything.
    if (error instanceof ExtractionError) return null;
    throw error;
  }
}

function rowsOf(
  page: Uint8Array,
  count: number,
  kind: ColumnCodec,
  kernel: Kernel,
  out: CellWriter,
): Uint8Array | null {
  const values = plainValues(new PageBytes(page), kind, kernel);
  const texts: Buffer[] = [];
  let length = 0;
  out.beginWithBlanks();
  for (let i = 0; i < count; ) {
    const to = Math.min(count, i + BATCH);
    const quick = values.writeRows?.(out, { from: 0, to: to - i, defined: null }) ?? 0;
    i += quick;
    if (quick === 0) {
      values.write(out);
      out.endRow();
      i++;
    }
    if (!out.full && i < count) continue;
    const text = Buffer.from(out.takeRows());
    texts.push(text);
    length += text.length;
    if (length > MAX_TEXT) return null;
  }
  return Buffer.concat(texts);
}
