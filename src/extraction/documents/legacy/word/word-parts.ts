import type { DocumentItem } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { PartErrors } from '../../part-errors.ts';
import { textChunksOf } from '../../text-writer.ts';
import type { WordText } from './word-text.ts';

/** The parts of the text in order, and the offsets of their lengths relative to the first one. */
const PARTS: readonly (readonly [location: string | null, length: number])[] = [
  [null, 0],
  ['footnotes', 4],
  ['headers', 8],
  ['comments', 16],
  ['endnotes', 20],
  ['text boxes', 24],
  ['text boxes', 28],
];

/** Footnotes, headers and so on follow the main text in the row of all characters. `lengths`: where they begin in the header. */
export async function* readParts(
  text: WordText,
  characters: number,
  header: Buffer,
  lengths: number,
): AsyncGenerator<DocumentItem> {
  const errors = new PartErrors();
  let from = 0;
  for (const [location, at] of PARTS) {
    const length = header.readInt32LE(lengths + at);
    if (length < 0) throw new CorruptInput('Word document header');
    yield* errors.attempt(textChunksOf(location, text.read(from, from + length)));
    from += length;
  }
  // A paragraph end closes the last part. Anything after it is invisible in Word, but yielded.
  if (characters > from + 1)
    yield* errors.attempt(textChunksOf('after the text', text.read(from, characters)));
  errors.throwFirst();
}
