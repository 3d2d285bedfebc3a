import type { RandomAccess } from './piece.ts';

/** Bytes that are all at hand. */
export function memoryAccess(bytes: Uint8Array): RandomAccess {
  return { size: bytes.length, read: async (from, to) => bytes.subarray(from, Math.min(to, bytes.length)) };
}

/** All chunks in one, which are at most so long together. They are copied: whoever gives them may use their memory again. */
export async function gathered(chunks: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(most);
  let length = 0;
  for await (const chunk of chunks) {
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

const BLOCK = 256 * 1024;
const KEPT = 16;

/** Small reads become large ones: each may be a request to a store. The latest blocks are kept. */
export function inBlocks(input: RandomAccess): RandomAccess {
  const blocks = new Map<number, Promise<Uint8Array>>();
  const block = (index: number): Promise<Uint8Array> => {
    const kept = blocks.get(index);
    blocks.delete(index);
    const bytes = kept ?? input.read(index * BLOCK, Math.min(input.size, (index + 1) * BLOCK));
    blocks.set(index, bytes);
    if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value!);
    return bytes;
  };
  return {
    size: input.size,
    async read(from, to) {
      const end = Math.min(to, input.size);
      if (end - from >= BLOCK) return input.read(from, end);
      if (end <= from) return new Uint8Array(0);
      const first = Math.floor(from / BLOCK);
      const start = (await block(first)).subarray(from - first * BLOCK, end - first * BLOCK);
      if (end <= (first + 1) * BLOCK) return start;
      return Buffer.concat([start, (await block(first + 1)).subarray(0, end - (first + 1) * BLOCK)]);
    },
  };
}
