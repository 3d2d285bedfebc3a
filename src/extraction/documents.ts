/** Who reads documents: here and now, or (isolation/isolated-documents.ts) a process of their own. */
import { inBlocks } from './access.ts';
import type { Budget } from './budget.ts';
import { readerOf } from './documents/readers.ts';
import type { Reading, TextSink } from './extraction.ts';
import type { Inside } from './inside.ts';
import type { Piece, RandomAccess, ReadingOptions } from './piece.ts';
import type { DocumentKind } from './readable.ts';
import type { Verdict } from './verdict.ts';

export interface DocumentAt {
  readonly document: DocumentKind;
  readonly input: RandomAccess;
  readonly inside: Inside;
}

/** What a document's reader needs of whoever reads the object that it belongs to. */
export interface Surroundings {
  readonly sink: TextSink;
  readonly budget: Budget;
  readonly options: ReadingOptions;
  /** One after another, to the end or the first obstacle. */
  pieces(pieces: AsyncIterable<Piece>, inside: Inside): Promise<Verdict>;
}

export interface Documents {
  read(document: DocumentAt, around: Surroundings): Promise<Reading>;
}

/** In this process: a parser that hangs or takes all memory takes the process with it. */
export const documentsHere: Documents = {
  async read({ document, input, inside }, around) {
    const read = await readerOf(document);
    const pieces = read(inBlocks(input), around.budget, around.options);
    return (await around.pieces(pieces, inside)).reading(document);
  },
};
