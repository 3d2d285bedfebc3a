import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usualWindows } from '../../../budget/window-memory.fixture.ts';
import { WindowMemory } from '../../../budget/window-memory.ts';
import { outcomeOf, queueOf } from '../../byte-queue.fixture.ts';
import { encodePpmd } from './ppmd.fixture.ts';
import { type PpmdStream, unppmd } from './ppmd.ts';
import { writeWords } from './words.fixture.ts';

const KB = 1024;
const decode = (compressed: Uint8Array, stream: PpmdStream, chunk = 4096) =>
  outcomeOf(unppmd(queueOf(compressed, chunk), stream, usualWindows()), 1e7);
const words = writeWords();

describe('PPMd', () => {
  // The output of 7-Zip 26 for the same words has the same checksums: the models are equal, also after a restart.
  it.each([
    [2, 64 * KB, 3393742266],
    [6, 64 * KB, 102802215],
    [32, 128 * KB, 1520687377],
    [8, 16 * KB * KB, 3680905871],
  ])('of order %i in %i bytes, as another program writes it', async (order, memory, sum) => {
    const compressed = encodePpmd(words, order, memory);
    expect(crc32(compressed)).toBe(sum);
    const { bytes, reason } = await decode(compressed, { order, memory, size: words.length });
    expect([reason, bytes.equals(words)]).toEqual([null, true]);
  });

  it('yields what came before its memory exceeds the window limit, and releases it', async () => {
    const stream = { order: 8, memory: 16 * KB * KB, size: words.length };
    const compressed = encodePpmd(words, stream.order, stream.memory);
    const windows = new WindowMemory(2 * KB * KB);
    const { bytes, reason } = await outcomeOf(unppmd(queueOf(compressed), stream, windows));
    expect(reason).toBe('limit: dictionary');
    expect(bytes.length).toBeGreaterThan(60_000);
    expect(bytes.equals(words.subarray(0, bytes.length))).toBe(true);
    expect(windows.left).toBe(2 * KB * KB);
  });

  it('leaves what follows it', async () => {
    const queue = queueOf(Buffer.concat([encodePpmd(words.subarray(0, 999), 6, 2048), Buffer.from('next')]));
    const { bytes } = await outcomeOf(unppmd(queue, { order: 6, memory: 2048, size: 999 }, usualWindows()));
    expect(bytes.equals(words.subarray(0, 999))).toBe(true);
    expect(Buffer.from(await queue.take(9)).toString()).toBe('next');
  });

  it('any data is restored, also with the minimum memory', async () => {
    const data = fc.array(fc.tuple(fc.uint8Array({ maxLength: 30 }), fc.integer({ min: 1, max: 60 })), {
      maxLength: 10,
    });
    const memories = fc.integer({ min: 2048, max: 9000 });
    await fc.assert(
      fc.asyncProperty(data, fc.integer({ min: 2, max: 64 }), memories, async (parts, order, memory) => {
        const all = Buffer.concat(
          parts.flatMap(([part, times]) => Array.from({ length: times }, () => part)),
        );
        const compressed = encodePpmd(all, order, memory);
        const { bytes, reason } = await decode(compressed, { order, memory, size: all.length }, 7);
        expect([reason, bytes.equals(all)]).toEqual([null, true]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('damaged PPMd', () => {
  it('reports truncation, and keeps what came before', async () => {
    const size = 1000;
    const compressed = encodePpmd(words.subarray(0, size), 6, 4 * KB);
    for (let end = 0; end < compressed.length; end++) {
      const { bytes, reason } = await decode(compressed.subarray(0, end), { order: 6, memory: 4 * KB, size });
      expect(reason).toBe('corrupt: truncated ppmd data');
      expect(words.subarray(0, bytes.length).equals(bytes)).toBe(true);
    }
  });

  it.each<[string, Partial<PpmdStream>, string]>([
    ['an order that cannot be', { order: 1 }, 'corrupt: ppmd data'],
    ['an order that is too high', { order: 65 }, 'corrupt: ppmd data'],
    ['less memory than it needs', { memory: 2047 }, 'corrupt: ppmd data'],
    ['more memory than it may have', { memory: 2 ** 32 - 40 }, 'limit: dictionary'],
  ])('with %s is refused', async (_, own, reason) => {
    const stream = { order: 6, memory: 2048, size: 9, ...own };
    expect(await decode(encodePpmd(Buffer.from('some text'), 6, 2048), stream)).toEqual({
      bytes: Buffer.alloc(0),
      reason,
    });
  });

  it('with another beginning is refused', async () => {
    const { reason } = await decode(Buffer.alloc(9, 1), { order: 6, memory: 2048, size: 9 });
    expect(reason).toBe('corrupt: ppmd data');
  });

  it('of arbitrary bytes yields the given size or an error', async () => {
    const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.concat([Buffer.of(0), bytes]));
    const good = encodePpmd(words.subarray(0, 2000), 8, 3000);
    const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: good.length - 1 }), fc.nat(255)), {
      minLength: 1,
      maxLength: 4,
    });
    const changed = changes.map((list) => {
      const bytes = Buffer.from(good);
      for (const [at, byte] of list) bytes[at] = byte;
      return bytes;
    });
    const orders = fc.integer({ min: 2, max: 64 });
    const memories = fc.integer({ min: 2048, max: 20_000 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(noise, changed), orders, memories, async (compressed, order, memory) => {
        const size = 20_000;
        const { bytes, reason } = await decode(compressed, { order, memory, size });
        if (reason === null) expect(bytes.length).toBe(size);
        else expect(reason).toMatch(/^corrupt: (truncated )?ppmd data$/);
      }),
      { numRuns: 2000 },
    );
  });
});
