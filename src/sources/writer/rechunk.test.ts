import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rechunk } from './multipart-writer.ts';

async function all(content: Uint8Array[], size: number): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of rechunk(content, size)) pieces.push(piece);
  return pieces;
}

describe('rechunked content', () => {
  it('has the same bytes, and all chunks but the last have the same size', async () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 9 }), async (content, size) => {
        const pieces = await all(content, size);
        expect(Buffer.concat(pieces)).toEqual(Buffer.concat(content));
        expect(pieces.slice(0, -1).every((piece) => piece.length === size)).toBe(true);
        expect(pieces.every((piece) => piece.length > 0)).toBe(true);
      }),
    );
  });

  it('is not overwritten when the next chunk is read', async () => {
    const pieces = await all([Uint8Array.of(1, 2, 3, 4)], 2);
    expect(pieces).toEqual([Uint8Array.of(1, 2), Uint8Array.of(3, 4)]);
  });
});
