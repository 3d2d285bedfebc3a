import { streamRange } from '../../../archives/byte-range.ts';
import { readZip } from '../../../archives/zip/zip.ts';
import { CorruptDirectory } from '../../../archives/zip/zip-end.ts';
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentReader, EmbeddedEntry, RandomAccess } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { ByteQueue } from '../../../formats/byte-queue.ts';

const WITH_TEXT = /\.(xml|x?html?)$|(^|\/)embeddings\/[^/]+$/i;

/**
 * A document whose end is missing has no list of its parts, and so no order. The parts that are present
 * are read individually, like the members of an archive.
 */
export function withStreamFallback(read: DocumentReader): DocumentReader {
  return async function* inOrderOrPassing(input, budget, options) {
    try {
      yield* read(input, budget, options);
    } catch (error) {
      if (error instanceof CorruptDirectory) yield* streamParts(input, budget);
      throw error;
    }
  };
}

async function* streamParts(input: RandomAccess, budget: ExtractionBudget): AsyncGenerator<EmbeddedEntry> {
  try {
    for await (const part of readZip(new ByteQueue(streamRange(input, 0, input.size)), budget))
      if (part.is === 'entry' && WITH_TEXT.test(part.name)) yield part;
  } catch (error) {
    if (!(error instanceof CorruptInput)) throw error;
  }
}
