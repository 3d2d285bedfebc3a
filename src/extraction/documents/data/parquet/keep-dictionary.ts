import { ExtractionError } from '../../../extraction-error.ts';
import type { CellWriter } from '../cell-writer.ts';
import { PageBytes } from './bits.ts';
import type { ColumnCodec } from './column-codec.ts';
import { BATCH, type Kernel } from './kernel/kernel.ts';
import { plainValues } from './values.ts';

/** Longer texts are rare, and read without that. */
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * Formats the values of a dictionary as rows once, so that repeated values only have to be copied. Returns their total length, or null if
 * they don't fit into the kernel.
 */
export function keepDictionary(
  page: Uint8Array,
  count: number,
  codec: ColumnCodec,
  kernel: Kernel,
  out: CellWriter,
): number | null {
  try {
    const rows = rowsOf(page, count, codec, kernel, out);
    return rows !== null && kernel.keepDictionary(rows, count) ? rows.length : null;
  } catch (error) {
    // Unreferenced values may be invalid.
    if (error instanceof ExtractionError) return null;
    throw error;
  }
}

function rowsOf(
  page: Uint8Array,
  count: number,
  codec: ColumnCodec,
  kernel: Kernel,
  out: CellWriter,
): Uint8Array | null {
  const values = plainValues(new PageBytes(page), codec, kernel);
  const texts: Buffer[] = [];
  let length = 0;
  out.beginWithBlanks();
  for (let i = 0; i < count; ) {
    const to = Math.min(count, i + BATCH);
    const fast = values.writeRows?.(out, { from: 0, to: to - i, defined: null }) ?? 0;
    i += fast;
    if (fast === 0) {
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
