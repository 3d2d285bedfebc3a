import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rechunk } from './multipart-writer.ts';

async function all(content: Uint8Array[], size: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of rechunk(content, size)) chunks.push(chunk);
  return chunks;
}

describe('rechunked content', () => {
  it('has the same bytes, and all chunks but the last have the same size', async () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 9 }), async (content, size) => {
        const chunks = await all(content, size);
        expect(Buffer.concat(chunks)).toEqual(Buffer.concat(content));
        expect(chunks.slice(0, -1).every((chunk) => chunk.length === size)).toBe(true);
        expect(chunks.every((chunk) => chunk.length > 0)).toBe(true);
      }),
    );
  });

  it('is not overwritten when the next chunk is read', async () => {
    const chunks = await all([Uint8Array.of(1, 2, 3, 4)], 2);
    expect(chunks).toEqual([Uint8Array.of(1, 2), Uint8Array.of(3, 4)]);
  });
});
