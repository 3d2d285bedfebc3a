import type { CellWriter } from '../cell-writer.ts';
import type { Rows } from './kernel/kernel.ts';

/** Writes the values of a page to cells. */
export interface Values {
  /** The next one. */
  write(out: CellWriter): void;
  /** Rows of one value each, as far as that can be done at once; how far. Some can't do any. */
  writeRows?(out: CellWriter, rows: Rows): number;
}
