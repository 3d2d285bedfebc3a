import type { RandomAccess } from '../document-item.ts';

/** Random access to bytes in memory. */
export function memoryAccess(bytes: Uint8Array): RandomAccess {
  return { size: bytes.length, read: async (from, to) => bytes.subarray(from, Math.min(to, bytes.length)) };
}

/** Concatenates all chunks, up to a maximum length. They are copied, because the source may reuse their memory. */
export async function concatBounded(chunks: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(max);
  let length = 0;
  for await (const chunk of chunks) {
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

const BLOCK = 256 * 1024;
const KEPT = 16;

/** Combines small reads in any order to large ones, since each may be a request to a store. Caches the latest blocks. */
export function withBlockCache(input: RandomAccess, length = BLOCK, max = KEPT): RandomAccess {
  const { size } = input;
  const blocks = new Map<number, Promise<Uint8Array>>();
  const block = (index: number): Promise<Uint8Array> => {
    const kept = blocks.get(index);
    blocks.delete(index);
    const bytes = kept ?? input.read(index * length, Math.min(size, (index + 1) * length));
    blocks.set(index, bytes);
    if (blocks.size > max) blocks.delete(blocks.keys().next().value!);
    return bytes;
  };
  return {
    size,
    async read(from, to) {
      const end = Math.min(to, size);
      if (end - from >= length) return input.read(from, end);
      if (end <= from) return new Uint8Array(0);
      const index = Math.floor(from / length);
      const start = index * length;
      const bytes = await block(index);
      // A short block is where the input ends, be it too early.
      if (end <= start + length || bytes.length < length) return bytes.subarray(from - start, end - start);
      return Buffer.concat([
        bytes.subarray(from - start),
        (await block(index + 1)).subarray(0, end - start - length),
      ]);
    },
  };
}
