import { stretchOf } from '../../archives/stretch.ts';
import { readZip } from '../../archives/zip.ts';
import { DirectoryDamage } from '../../archives/zip-end.ts';
import type { Budget } from '../../budget.ts';
import { ByteQueue } from '../../formats/byte-queue.ts';
import { Damage } from '../../obstacle.ts';
import type { DocumentReader, Entry, RandomAccess } from '../../piece.ts';

const WITH_TEXT = /\.(xml|x?html?)$|(^|\/)embeddings\/[^/]+$/i;

/**
 * A document whose end is missing has no list of its parts, and so no order. Those that are there are read as what
 * they are, one after another, like the members of any archive.
 */
export function orInPassing(read: DocumentReader): DocumentReader {
  return async function* inOrderOrPassing(input, budget, options) {
    try {
      yield* read(input, budget, options);
    } catch (error) {
      if (error instanceof DirectoryDamage) yield* partsInPassing(input, budget);
      throw error;
    }
  };
}

async function* partsInPassing(input: RandomAccess, budget: Budget): AsyncGenerator<Entry> {
  try {
    for await (const part of readZip(new ByteQueue(stretchOf(input, 0, input.size)), budget))
      if (part.is === 'entry' && WITH_TEXT.test(part.name)) yield part;
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
  }
}
