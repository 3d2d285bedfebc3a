/** Where documents are read: in this process, or in a separate one (isolation/isolated-readers.ts). */

import type { ExtractionBudget } from './budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, ReadingOptions } from './document-item.ts';
import { readerOf } from './documents/readers.ts';
import type { EmbeddedPath } from './embedded-path.ts';
import type { ExtractionResult, TextSink } from './extraction.ts';
import type { ExtractionResultBuilder } from './extraction-result-builder.ts';
import { withBlockCache } from './input/random-access.ts';
import type { DocumentType } from './sniff/readable.ts';

export interface DocumentRequest {
  readonly document: DocumentType;
  readonly input: RandomAccess;
  readonly path: EmbeddedPath;
}

/** What a document reader needs from the extraction of the containing object. */
export interface ReaderContext {
  readonly sink: TextSink;
  readonly budget: ExtractionBudget;
  readonly options: ReadingOptions;
  /** In sequence, to the end or the first ExtractionError. */
  extractItems(items: AsyncIterable<DocumentItem>, path: EmbeddedPath): Promise<ExtractionResultBuilder>;
}

export interface DocumentReaders {
  read(document: DocumentRequest, context: ReaderContext): Promise<ExtractionResult>;
}

/** Runs readers in this process: a parser that hangs or exhausts memory affects the whole process. */
export const inProcessReaders: DocumentReaders = {
  async read({ document, input, path }, around) {
    const read = await readerOf(document);
    const items = read(withBlockCache(input), around.budget, around.options);
    return (await around.extractItems(items, path)).build(document);
  },
};
