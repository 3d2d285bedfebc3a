import type { RandomAccess } from '../document-item.ts';

export function inMemory(bytes: Uint8Array): RandomAccess {
  return {
    size: bytes.length,
    read: (from, to) => Promise.resolve(Uint8Array.from(bytes.subarray(from, to))),
  };
}

/** All bytes of an entry or a member. */
export async function gathered(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
