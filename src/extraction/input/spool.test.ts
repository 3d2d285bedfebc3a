import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LimitExceeded } from '../extraction-error.ts';
import { concatBounded, memoryAccess, withBlockCache } from './random-access.ts';
import { spool } from './spool.ts';

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const shared = Buffer.alloc(size);
  for (let from = 0; from < bytes.length; from += size) {
    const chunk = bytes.subarray(from, from + size);
    shared.set(chunk);
    yield shared.subarray(0, chunk.length); // overwritten by the next one
  }
}

afterEach(() => void vi.unstubAllEnvs());

const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 31 + (i >> 8)) & 0xff));

describe('a stream that must be read from anywhere', () => {
  it.each([
    ['in memory', 1_000_000],
    ['in the scratch folder', 5000],
  ])('is kept %s', async (_, inMemory) => {
    const kept = await spool(chunks(bytes, 777), 1_000_000, inMemory);
    expect(kept.size).toBe(bytes.length);
    for (const [from, to] of [
      [0, 10],
      [50_000, 60_001],
      [99_990, 200_000],
      [100_000, 100_010],
    ] as const)
      expect(Buffer.from(await kept.read(from, to))).toEqual(bytes.subarray(from, to));
    await kept.close();
  });

  it('leaves no name in the scratch folder, even while it is open', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'seine-scratch-'));
    vi.stubEnv('TMPDIR', scratch); // the machine's own folder is shared with other processes
    const kept = await spool(chunks(bytes, 777), 1_000_000, 5000);
    expect(readdirSync(scratch)).toEqual([]);
    await kept.close();
    rmSync(scratch, { recursive: true });
  });

  it('has a maximum size', async () => {
    await expect(spool(chunks(bytes, 777), 99_999)).rejects.toThrow(LimitExceeded);
    await expect(spool(chunks(bytes, 777), 99_999, 10)).rejects.toThrow(LimitExceeded);
  });
});

describe('chunks that are gathered', () => {
  it('are copied, so that their memory can be reused', async () => {
    expect(bytes.equals(await concatBounded(chunks(bytes, 777), bytes.length))).toBe(true);
  });

  it('may be fewer than they could be', async () => {
    expect((await concatBounded(chunks(bytes, 777), bytes.length + 1)).length).toBe(bytes.length);
  });
});

describe('reading in blocks', () => {
  it('returns what reading returns', async () => {
    const long = Buffer.concat(Array.from({ length: 12 }, () => bytes));
    const blocks = withBlockCache(memoryAccess(long));
    await fc.assert(
      fc.asyncProperty(fc.nat(long.length + 10), fc.nat(600_000), async (from, length) => {
        const read = Buffer.from(await blocks.read(from, from + length));
        expect(read.equals(long.subarray(from, from + length))).toBe(true);
      }),
    );
  });

  it('requests repeatedly read data once', async () => {
    let requestCount = 0;
    const inner = memoryAccess(bytes);
    const blocks = withBlockCache({
      size: inner.size,
      read(from, to) {
        requestCount++;
        return inner.read(from, to);
      },
    });
    for (let i = 0; i < 1000; i++) await blocks.read(i * 10, i * 10 + 10);
    expect(requestCount).toBe(1);
  });
});
