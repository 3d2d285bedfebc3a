/**
 * What comes out of an archive or a document, one piece after another, as an async generator that is pulled: nothing
 * is made before the piece before it was used up. What can't be read on ends the generator with an Obstacle; the pieces up to there are kept.
 */

import type { Format } from './extraction.ts';
import type { ExtractionBudget } from './extraction-budget.ts';
import type { Grid } from './grid.ts';

export type DocumentItem = TextChunk | EmbeddedEntry;

/** Text of the document itself. Pieces with the same place and the same grid that follow each other are one text. */
export interface TextChunk {
  readonly is: 'text';
  /** Where in the document: "page 3", "slide 2", "notes", "Sheet1", "table customers"; null: the document as a whole. */
  readonly place: string | null;
  /** UTF-8. A piece of a few dozen KB is best. Valid until the next piece is asked for. */
  readonly text: Uint8Array;
  /** How values are named in it; 'text' where nothing is said. */
  readonly format?: Format;
  /** The text is the rows of a table. The same object for all pieces of a text: another one begins another table. */
  readonly grid?: Grid;
}

/** Something inside, to be read like an object of its own: a member of an archive, an attachment, a picture. */
export interface EmbeddedEntry {
  readonly is: 'entry';
  /** With its folders, as the archive has it. Only shown, never used as a path. */
  readonly name: string;
  /** Read to its end, or left, before the next piece is asked for. May throw an Obstacle: it then is about this entry only. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Bytes that can be read from anywhere: of the source, in memory, or in the scratch folder. */
export interface RandomAccess {
  readonly size: number;
  /** `[from, to)`, shorter only at the end; the caller may keep it. */
  read(from: number, to: number): Promise<Uint8Array>;
}

/** What the rules say about reading. */
export interface ReadingOptions {
  /** Pictures, and pages that are pictures, are read by OCR. */
  readonly ocr: boolean;
}

/** A format that needs to jump about in its bytes. Runs in a process of its own. */
export type DocumentReader = (
  input: RandomAccess,
  budget: ExtractionBudget,
  options: ReadingOptions,
) => AsyncGenerator<DocumentItem>;
