import type { CellWriter } from '../cell-writer.ts';
import { endOfPage, type PageBytes } from './bits.ts';
import type { Dictionary } from './dictionary.ts';
import type { Kernel, Rows } from './kernel/kernel.ts';
import { Runs } from './runs.ts';
import type { Values } from './value-writing.ts';

/** Values that are numbers of others. */
export class FromDictionary implements Values {
  readonly #runs: Runs | null;
  readonly #dictionary: Dictionary;
  readonly #kernel: Kernel | null;
  /** Numbers that the kernel has and that are still to be written. */
  #next = 0;
  #end = 0;

  constructor(page: PageBytes, dictionary: Dictionary | null, kernel: Kernel | null) {
    if (dictionary === null) throw endOfPage();
    this.#dictionary = dictionary;
    this.#kernel = dictionary.kept && kernel?.holds(page.bytes) ? kernel : null;
    // A page without values may be without their width, too.
    this.#runs = page.at < page.end ? new Runs(page, page.byte()) : null;
  }

  write(out: CellWriter): void {
    if (this.#runs === null) throw endOfPage();
    const known = this.#next < this.#end && this.#kernel !== null;
    this.#dictionary.write(out, known ? this.#kernel.indexes[this.#next++]! : this.#runs.next());
  }

  writeRows(out: CellWriter, rows: Rows): number {
    const kernel = this.#kernel;
    if (kernel === null || this.#runs === null) return rows.from;
    if (this.#next === this.#end) {
      this.#next = 0;
      this.#end = this.#runs.fillIndexes(kernel, valuesIn(rows, kernel.definitions));
    }
    const written = kernel.writeIndexed(this.#next, this.#end, rows);
    this.#next = written.at;
    out.rows(written.text);
    return written.row;
  }
}

function valuesIn({ from, to, defined }: Rows, definitions: Uint8Array): number {
  if (defined === null) return to - from;
  let count = 0;
  for (let i = from; i < to; i++) if (definitions[i] === defined) count++;
  return count;
}
