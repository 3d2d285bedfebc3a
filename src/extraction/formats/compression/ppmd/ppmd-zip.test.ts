import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usualWindows } from '../../../budget/window-memory.fixture.ts';
import { outcomeOf, queueOf } from '../../byte-queue.fixture.ts';
import { PpmdBytes, PpmdDecoder } from './decoder.ts';
import { PpmdModelI } from './model-i.ts';
import { encodePpmdI } from './ppmd.fixture.ts';
import { unppmdInZip } from './ppmd.ts';
import { CarrylessCoder } from './range-coders.ts';
import { writeWords } from './words.fixture.ts';

const words = writeWords();

const inZip = (compressed: Uint8Array, order: number, megabytes: number, method: number) => {
  const head = Buffer.alloc(2);
  head.writeUInt16LE((order - 1) | ((megabytes - 1) << 4) | (method << 12));
  return Buffer.concat([head, compressed]);
};
const decode = (compressed: Uint8Array, size: number) =>
  outcomeOf(unppmdInZip(queueOf(compressed), size, usualWindows()), 1e7);

/** With less memory than zip archives use, so that it is often full. */
function decodeSmall(
  compressed: Uint8Array,
  order: number,
  memory: number,
  cutsOff: boolean,
  size: number,
): Buffer {
  const input = new PpmdBytes();
  input.feed(compressed.subarray(4));
  const coder = new CarrylessCoder(input, Buffer.from(compressed).readUInt32BE(0));
  const decoder = new PpmdDecoder(new PpmdModelI(order, memory, cutsOff), coder, input);
  return Buffer.from(decoder.decode(compressed.length, size));
}

describe('PPMd in zip', () => {
  // The output of 7-Zip 26 for the same words has the same checksums, with every restoration method.
  it.each([
    [16, 1, 0, 3555808524],
    [16, 1, 1, 4678155],
    [4, 1, 1, 3769770562],
    [6, 2, 0, 2735754665],
  ])(
    'of order %i in %i MB with method %i, as another program writes it',
    async (order, megabytes, method, sum) => {
      const compressed = encodePpmdI(words, order, megabytes * 2 ** 20, method === 1);
      expect(crc32(compressed)).toBe(sum);
      const { bytes, reason } = await decode(inZip(compressed, order, megabytes, method), words.length);
      expect([reason, bytes.equals(words)]).toEqual([null, true]);
    },
  );

  it.each<[string, Buffer, string]>([
    ['less than its head', Buffer.of(1), 'corrupt: truncated ppmd data'],
    ['less than a code', Buffer.of(1, 0, 1, 2, 3), 'corrupt: truncated ppmd data'],
    ['an order that cannot be', inZip(Buffer.alloc(9), 1, 1, 0), 'corrupt: ppmd data'],
    ['a third way', inZip(Buffer.alloc(9), 4, 1, 2), 'unsupported format: compression method in zip'],
  ])('of %s is refused', async (_, compressed, reason) => {
    expect(await decode(compressed, 99)).toEqual({ bytes: Buffer.alloc(0), reason });
  });

  it('reports truncation, and keeps what came before', async () => {
    const compressed = inZip(encodePpmdI(words.subarray(0, 500), 6, 2 ** 20, false), 6, 1, 0);
    for (let end = 0; end < compressed.length - 4; end += 3) {
      const { bytes, reason } = await decode(compressed.subarray(0, end), 500);
      expect(reason).toBe('corrupt: truncated ppmd data');
      expect(words.subarray(0, bytes.length).equals(bytes)).toBe(true);
    }
  });

  it('any data is restored with a memory that is soon full', () => {
    const data = fc.array(fc.tuple(fc.uint8Array({ maxLength: 30 }), fc.integer({ min: 1, max: 60 })), {
      maxLength: 10,
    });
    const memories = fc.integer({ min: 2048, max: 20_000 });
    const orders = fc.integer({ min: 2, max: 16 });
    fc.assert(
      fc.property(data, orders, memories, fc.boolean(), (parts, order, memory, cutsOff) => {
        const all = Buffer.concat(
          parts.flatMap(([part, times]) => Array.from({ length: times }, () => part)),
        );
        const compressed = encodePpmdI(all, order, memory, cutsOff);
        expect(decodeSmall(compressed, order, memory, cutsOff, all.length).equals(all)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('of arbitrary bytes yields the given size or an error', async () => {
    const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    const good = encodePpmdI(words.subarray(0, 2000), 8, 2 ** 20, true);
    const changes = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    const changed = changes.map((list) => {
      const bytes = Buffer.from(good);
      for (const [at, byte] of list) bytes[at] = byte;
      return bytes;
    });
    const orders = fc.integer({ min: 2, max: 16 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(noise, changed), orders, fc.nat(1), async (compressed, order, method) => {
        const { bytes, reason } = await decode(inZip(compressed, order, 1, method), 5000);
        if (reason === null) expect(bytes.length).toBe(5000);
        else expect(reason).toMatch(/^corrupt: (truncated )?ppmd data$/);
      }),
      { numRuns: 1000 },
    );
  });
});
