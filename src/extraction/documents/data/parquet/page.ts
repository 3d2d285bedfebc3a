/** A data page: for each value how often it is repeated and whether it is there at all, and those that are there. */

import type { TextChunk } from '../../../document-item.ts';
import { Unsupported } from '../../../extraction-error.ts';
import type { CellWriter } from '../cell-writer.ts';
import { endOfPage, PageBytes } from './bits.ts';
import type { ColumnCodec } from './column-codec.ts';
import type { Dictionary } from './dictionary.ts';
import { BATCH, type Kernel, type Rows } from './kernel/kernel.ts';
import type { PageHeader } from './page-header.ts';
import { Runs } from './runs.ts';
import type { Column } from './schema.ts';
import type { Values } from './value-writing.ts';
import { valuesOf } from './values.ts';

const RLE = 3;

export interface DataPage {
  readonly count: number;
  /** null: there is but one level. */
  readonly repetitions: Runs | null;
  readonly definitions: Runs | null;
  readonly values: LateValues;
}

export function pageOf(
  bytes: Uint8Array,
  header: PageHeader,
  { maxRepetition, maxDefinition }: Column,
  codec: ColumnCodec,
  dictionary: Dictionary | null,
  kernel: Kernel | null,
): DataPage {
  const page = new PageBytes(bytes);
  const v2 = header.kind === 'data v2';
  const levels = (max: number, length: number, encoding: number | undefined): Runs | null => {
    if (v2) return levelsIn(page, max, length);
    if (max === 0) return null;
    if (encoding !== RLE) throw new Unsupported('Parquet encoding');
    return levelsIn(page, max, page.uint32());
  };
  const repetitions = levels(maxRepetition, header.repetitionBytes, header.levelEncodings[1]);
  const definitions = levels(maxDefinition, header.definitionBytes, header.levelEncodings[0]);
  const values = new LateValues(() => valuesOf(page, header.encoding, codec, dictionary, kernel));
  return { count: header.values, repetitions, definitions, values };
}

function levelsIn(page: PageBytes, max: number, length: number): Runs | null {
  const start = page.pass(length);
  return max === 0 ? null : new Runs(new PageBytes(page.bytes, start, page.at), 32 - Math.clz32(max));
}

/** Of a page without any value there may be nothing to read. */
class LateValues {
  readonly #make: () => Values;
  #values: Values | null = null;
  /** Rows can be written at once. */
  fast = false;

  constructor(make: () => Values) {
    this.#make = make;
  }

  write(out: CellWriter): void {
    if (this.#values === null) {
      this.#values = this.#make();
      this.fast = this.#values.writeRows !== undefined;
    }
    this.#values.write(out);
  }

  writeRows(out: CellWriter, rows: Rows): number {
    return this.#values?.writeRows?.(out, rows) ?? rows.from;
  }
}

/** Rows of a column over all its pages: where values repeat, a row ends with the beginning of the next. */
export class RowsOfColumn {
  readonly #column: Column;
  readonly #out: CellWriter;
  readonly #repetitions = new Uint8Array(BATCH);
  readonly #kernel: Kernel | null;
  #definitions: Uint8Array = new Uint8Array(BATCH);
  #open = false;
  count = 0;

  constructor(column: Column, out: CellWriter, kernel: Kernel | null) {
    this.#column = column;
    this.#kernel = kernel;
    this.#out = out;
  }

  *read(page: DataPage): Generator<TextChunk> {
    this.#definitions = this.#kernel?.definitions ?? this.#definitions;
    for (let left = page.count; left > 0; ) {
      const missing = page.repetitions === null ? this.#passMissing(page, left) : 0;
      yield* this.#blankRows(missing);
      left -= missing;
      const some = Math.min(left, BATCH);
      page.repetitions?.fill(this.#repetitions, some);
      page.definitions?.fill(this.#definitions, some);
      // Values may be empty, and take no byte either: a row is never for nothing.
      this.#out.skip(some);
      for (let done = 0; done < some; ) {
        done =
          page.repetitions === null ? this.#flat(page, done, some) : this.#nested(page.values, done, some);
        if (this.#out.full) yield* this.#out.take();
      }
      left -= some;
    }
  }

  /** Skips runs of missing values at once, because whole columns may be empty. */
  #passMissing({ definitions }: DataPage, max: number): number {
    return definitions === null ? 0 : definitions.passOther(this.#column.maxDefinition, max);
  }

  *#blankRows(count: number): Generator<TextChunk> {
    this.count += count;
    for (let left = count; left > 0; ) {
      left -= this.#out.blankRows(left);
      if (this.#out.full) yield* this.#out.take();
    }
  }

  end(): void {
    if (this.#open) this.#endRow();
    this.#open = false;
  }

  /** As far as there is room; how far that is. */
  #flat({ values, definitions }: DataPage, from: number, to: number): number {
    const out = this.#out;
    const defined = definitions === null ? null : this.#column.maxDefinition;
    const done = out.begun ? values.writeRows(out, { from, to, defined }) : from;
    this.count += done - from;
    if (out.full) return done;
    for (let i = done; i < to; i++) {
      if (defined === null || this.#definitions[i] === defined) values.write(out);
      this.#endRow();
      // Where many can be written at once, it stopped at this one only.
      if (out.full || (values.fast && out.begun)) return i + 1;
    }
    return to;
  }

  #nested(values: LateValues, from: number, to: number): number {
    const out = this.#out;
    const max = this.#column.maxDefinition;
    for (let i = from; i < to; i++) {
      if (this.#repetitions[i] === 0) {
        if (this.#open) this.#endRow();
        this.#open = true;
      } else if (!this.#open) {
        throw endOfPage();
      }
      if (this.#definitions[i] === max) {
        out.item();
        values.write(out);
      }
      if (out.full) return i + 1;
    }
    return to;
  }

  #endRow(): void {
    this.#out.endRow();
    this.count++;
  }
}
