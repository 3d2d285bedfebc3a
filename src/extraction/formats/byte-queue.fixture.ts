import { ExtractionError } from '../extraction-error.ts';
import { ByteQueue } from './byte-queue.ts';

/** The bytes arrive in chunks that share one buffer, which is overwritten, so that keeping a chunk is detected. */
export function queueOf(bytes: Uint8Array, chunk = 4096): ByteQueue {
  return new ByteQueue(chunked(bytes, chunk));
}

async function* chunked(bytes: Uint8Array, chunk: number): AsyncGenerator<Uint8Array> {
  const shared = new Uint8Array(chunk);
  for (let from = 0; from < bytes.length; from += chunk) {
    const part = bytes.subarray(from, from + chunk);
    shared.set(part);
    yield shared.subarray(0, part.length);
    shared.fill(0x21);
  }
}

/** The output before the end, and the error that ended it; errors other than ExtractionError are rethrown. */
export interface Outcome {
  readonly bytes: Buffer;
  readonly reason: string | null;
}

export async function outcomeOf(
  chunks: AsyncIterable<Uint8Array>,
  max = Number.POSITIVE_INFINITY,
): Promise<Outcome> {
  const seen: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      seen.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > max) throw new Error('more came out than expected');
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { bytes: Buffer.concat(seen), reason: error.message };
  }
  return { bytes: Buffer.concat(seen), reason: null };
}
