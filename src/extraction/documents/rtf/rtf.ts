/**
 * Rich Text Format.
 *
 * Format: "Rich Text Format (RTF) Specification", version 1.9.1; embedded objects: [MS-OLEDS] 2.2.
 *
 * No library: text must be found in hidden destinations, fields and objects too, in one pass over a stream and with bounded memory.
 */
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, ReadingOptions } from '../../document-item.ts';
import { CorruptInput } from '../../extraction-error.ts';
import { chunksOf } from '../stream-chunks.ts';
import { RtfDocument } from './rtf-document.ts';
import { RtfTokens } from './rtf-tokens.ts';

const BEGINNING = /^(?:\xef\xbb\xbf)?\s*\{\\rtf/;

/** Rich Text Format: the text with its notes where they are anchored, then objects; properties as `properties`. */
export async function* readRtf(
  input: RandomAccess,
  budget: ExtractionBudget,
  _options: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  yield* rtfItems(chunksOf(input, 0, input.size), budget);
}

/** What was read before an error is yielded first. */
export async function* rtfItems(
  chunks: AsyncIterable<Uint8Array>,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  const document = new RtfDocument(budget);
  const tokens = new RtfTokens(document);
  let begun = false;
  let whole = false;
  let extractionError: unknown = null;
  try {
    for await (const chunk of chunks) {
      if (!begun && !isBeginning(chunk)) throw new CorruptInput('RTF header');
      begun = true;
      tokens.push(chunk);
      yield* document.take();
    }
  } catch (error) {
    extractionError = error;
  }
  try {
    whole = tokens.end() && document.closed;
  } catch (error) {
    extractionError ??= error;
  }
  yield* document.rest();
  if (extractionError !== null) throw extractionError;
  if (!begun || !whole) throw new CorruptInput('truncated RTF document');
}

function isBeginning(chunk: Uint8Array): boolean {
  return BEGINNING.test(Buffer.from(chunk.subarray(0, 64)).toString('latin1'));
}
