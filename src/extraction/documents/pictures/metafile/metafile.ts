/**
 * Windows metafiles: lists of drawing records. WMF is the older format, EMF the newer one, with EMF+ inside its comments. Text records
 * are read as text while the records are streamed; nothing is drawn.
 *
 * Format: [MS-WMF], [MS-EMF], [MS-EMFPLUS], sections 2.3 each. No library: those for metafiles draw pictures; none returns the text.
 */
import { ExtractionError } from '../../../extraction-error.ts';
import { ByteQueue } from '../../../formats/byte-queue.ts';
import { PICTURE_HEAD, pictureType } from '../picture-type.ts';
import { EMF, EmfDrawing } from './emf.ts';
import { type HiddenContent, recordsOf } from './records.ts';
import { skipWmfHeader, WMF, WmfDrawing } from './wmf.ts';

/** Each line of text. What is no metafile has none. */
export async function* metafileLines(
  chunks: AsyncIterable<Uint8Array>,
  sight: HiddenContent = { unseen: false },
): AsyncGenerator<string> {
  const input = chunks[Symbol.asyncIterator]();
  try {
    const queue = new ByteQueue(input);
    const type = pictureType(await queue.take(PICTURE_HEAD));
    queue.unreadLast();
    if (type === 'EMF image') yield* linesOf(queue, true, sight);
    if (type === 'WMF image') yield* linesOf(queue, false, sight);
  } finally {
    await input.return?.();
  }
}

/** Whether it contains text or is damaged: the reader of the picture reports the damage. */
export async function drawsText(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  try {
    for await (const _ of metafileLines(chunks)) return true;
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return true;
  }
  return false;
}

/** What was drawn before damage is yielded. */
async function* linesOf(queue: ByteQueue, enhanced: boolean, sight: HiddenContent): AsyncGenerator<string> {
  const drawing = enhanced ? new EmfDrawing(sight) : new WmfDrawing(sight);
  try {
    if (!enhanced) await skipWmfHeader(queue);
    for await (const record of recordsOf(queue, enhanced ? EMF : WMF, sight)) yield* drawing.take(record);
  } catch (error) {
    yield* drawing.end();
    throw error;
  }
  yield* drawing.end();
}
