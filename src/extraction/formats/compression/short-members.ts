/**
 * Files may consist of hundreds of thousands of tiny members (frames): to set up an engine for each takes a hundred times as long
 * as to unpack it, and so does each piece of a few bytes for all that comes after it.
 */
import { ExtractionError } from '../../extraction-error.ts';
import type { ByteQueue } from '../byte-queue.ts';

/** Compressed bytes of a short member at most. */
export const SHORT = 1024;
/** What may come out of it at once. */
export const SHORT_OPTIONS = { info: true, chunkSize: 16 * 1024, maxOutputLength: 256 * 1024 } as const;
const PIECE = 32 * 1024;

/** The typings don't know what `info: true` gives. */
export function zlibResult(result: unknown): { buffer: Uint8Array; engine: { bytesWritten: number } } {
  return result as { buffer: Uint8Array; engine: { bytesWritten: number } };
}

/** A member that is all in the next bytes. Null: it is not, or is damaged; nothing was taken, and the engine decides. */
export async function inflateShort(
  queue: ByteQueue,
  inflate: (bytes: Uint8Array) => unknown,
): Promise<Uint8Array | null> {
  const bytes = await queue.take(SHORT);
  try {
    const { buffer, engine } = zlibResult(inflate(bytes));
    queue.unread(bytes.length - engine.bytesWritten);
    return buffer;
  } catch {
    queue.unread(bytes.length);
    return null;
  }
}

/** Short pieces become longer ones; none is lost when an obstacle comes. */
export async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  let failure: ExtractionError | null = null;
  try {
    for await (const piece of pieces) {
      if (held.length === 0 && piece.length >= SHORT) {
        yield piece;
        continue;
      }
      held.push(Uint8Array.from(piece));
      length += piece.length;
      if (length < PIECE && piece.length < SHORT) continue;
      yield Buffer.concat(held);
      held = [];
      length = 0;
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    failure = error;
  }
  if (length > 0) yield Buffer.concat(held);
  if (failure !== null) throw failure;
}
