/**
 * The output of an archive or document reader: an async generator that is pulled, so that nothing is produced before the previous item
 * was consumed. An ExtractionError ends the generator; the items before it are kept.
 */

import type { ExtractionBudget } from './budget/extraction-budget.ts';
import type { Format } from './extraction.ts';
import type { Grid } from './grid.ts';

export type DocumentItem = TextChunk | EmbeddedEntry;

/** Text of the document itself. Consecutive chunks with the same location and grid form one text. */
export interface TextChunk {
  readonly is: 'text';
  /** Where in the document: "page 3", "slide 2", "notes", "Sheet1", "table customers"; null: the document as a whole. */
  readonly location: string | null;
  /** UTF-8, ideally a few dozen KB. Valid until the next item is requested. */
  readonly text: Uint8Array;
  /** Determines how fields are named in it; 'text' by default. */
  readonly format?: Format;
  /** The text is the rows of a table. The same object for all chunks of a table; another object begins another table. */
  readonly grid?: Grid;
}

/** An embedded object, extracted recursively: a member of an archive, an attachment, a picture. */
export interface EmbeddedEntry {
  readonly is: 'entry';
  /** With its folders, as in the archive. Only displayed, never used as a path. */
  readonly name: string;
  /** Must be read or abandoned before the next item is requested. May throw an ExtractionError, which then concerns this entry only. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Bytes that can be read at any offset: in the source, in memory, or in the scratch folder. */
export interface RandomAccess {
  readonly size: number;
  /** `[from, to)`, shorter only at the end; the caller may keep it. */
  read(from: number, to: number): Promise<Uint8Array>;
}

/** The rules' options for extraction. */
export interface ReadingOptions {
  /** Read pictures and scanned pages by OCR. */
  readonly ocr: boolean;
}

/** Reads a format that needs random access. Runs in a separate process. */
export type DocumentReader = (
  input: RandomAccess,
  budget: ExtractionBudget,
  options: ReadingOptions,
) => AsyncGenerator<DocumentItem>;
