/**
 * Files may consist of hundreds of thousands of tiny members (frames): creating a streaming engine for each takes a hundred times as long
 * as unpacking it, and so does processing many chunks of a few bytes.
 */
import { ExtractionError } from '../../extraction-error.ts';
import type { ByteQueue } from '../byte-queue.ts';

/** Compressed bytes of a short member at most. */
export const SHORT = 1024;
/** The maximum output of the synchronous path. */
export const SHORT_OPTIONS = { info: true, chunkSize: 16 * 1024, maxOutputLength: 256 * 1024 } as const;
const CHUNK_BYTES = 32 * 1024;

/** The typings don't include the result of `info: true`. */
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

/** Joins short chunks to longer ones; none is lost when an error occurs. */
export async function* joined(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let buffered: Uint8Array[] = [];
  let length = 0;
  let failure: ExtractionError | null = null;
  try {
    for await (const chunk of chunks) {
      if (buffered.length === 0 && chunk.length >= SHORT) {
        yield chunk;
        continue;
      }
      buffered.push(Uint8Array.from(chunk));
      length += chunk.length;
      if (length < CHUNK_BYTES && chunk.length < SHORT) continue;
      yield Buffer.concat(buffered);
      buffered = [];
      length = 0;
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    failure = error;
  }
  if (length > 0) yield Buffer.concat(buffered);
  if (failure !== null) throw failure;
}
