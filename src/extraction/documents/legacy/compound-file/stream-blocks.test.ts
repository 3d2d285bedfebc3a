import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CorruptInput } from '../../../extraction-error.ts';
import { memory } from './compound-file.fixture.ts';
import { inStreamBlocks } from './stream-blocks.ts';

const BYTES = Buffer.alloc(3_000_001, Buffer.from(Uint8Array.from({ length: 251 }, (_, i) => i)));

function counted() {
  const base = memory(BYTES);
  const count = { reads: 0 };
  const read = (from: number, to: number) => {
    count.reads++;
    return base.read(from, to);
  };
  return { count, ahead: inStreamBlocks({ size: base.size, read }) };
}

describe('small reads of a stream', () => {
  it('returns the same data as the stream', async () => {
    const { ahead } = counted();
    const range = fc.tuple(fc.nat(3_100_000), fc.oneof(fc.nat(100), fc.nat(200_000)));
    await fc.assert(
      fc.asyncProperty(range, async ([from, length]) => {
        const read = await ahead.read(from, from + length);
        expect(BYTES.subarray(from, from + length).equals(read)).toBe(true);
      }),
    );
  });

  it('sends few requests for small reads, also backwards', async () => {
    const { count, ahead } = counted();
    for (let at = 1_000_000; at > 0; at -= 20) await ahead.read(at, at + 20);
    expect(count.reads).toBeLessThan(40);
  });

  it('returns what precedes damage', async () => {
    const base = memory(BYTES);
    const broken = inStreamBlocks({
      size: base.size,
      read: async (from, to) => {
        if (from >= 40_000) throw new CorruptInput('chain of sectors');
        return base.read(from, Math.min(to, 40_000));
      },
    });
    expect((await broken.read(39_000, 41_000)).length).toBe(1000);
    await expect(broken.read(70_000, 70_001)).rejects.toThrow('chain of sectors');
  });
});
