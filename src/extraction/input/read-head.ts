import { HEAD_BYTES } from '../push-parser.ts';

/** Reads more than HEAD_BYTES, or everything. Copied as it grows, because the source may reuse the memory of its chunks. */
export async function readHead(input: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  let length = 0;
  while (length <= HEAD_BYTES) {
    const next = await input.next();
    if (next.done === true) break;
    const chunk = next.value;
    if (length === 0 && chunk.length > HEAD_BYTES) return chunk;
    // Most inputs arrive in one chunk, for which no more memory is allocated than needed.
    if (length + chunk.length > head.length)
      head = enlarged(head, length, Math.max(2 * length, length + chunk.length));
    head.set(chunk, length);
    length += chunk.length;
  }
  return head.subarray(0, length);
}

function enlarged(bytes: Uint8Array, used: number, size: number): Uint8Array {
  const larger = Buffer.allocUnsafeSlow(size);
  larger.set(bytes.subarray(0, used));
  return larger;
}

/** The whole input again, after its head was examined. */
export async function* withHead(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

const MAX_CHUNK = 1024 * 1024;

/** Long chunks cut: a sink that passes them on can wait in between, and progress is seen. Empty ones are left out. */
export async function* splitChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (chunk.length > MAX_CHUNK)
      for (let at = 0; at < chunk.length; at += MAX_CHUNK) yield chunk.subarray(at, at + MAX_CHUNK);
    else if (chunk.length > 0) yield chunk;
  }
}
