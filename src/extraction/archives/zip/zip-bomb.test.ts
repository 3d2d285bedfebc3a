import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { queueOf } from '../../formats/byte-queue.fixture.ts';
import { ByteQueue } from '../../formats/byte-queue.ts';
import { contentsOf } from '../entries.fixture.ts';
import { zipOf } from './zip.fixture.ts';
import { readZip } from './zip.ts';

const read = (bytes: Uint8Array, limits = DEFAULT_LIMITS) =>
  contentsOf(readZip(queueOf(bytes, 4096), new ExtractionBudget(limits)));

describe('a zip bomb', () => {
  const zeros = deflateRawSync(Buffer.alloc(30_000_000));
  const bomb = { method: 8, data: '', size: 30_000_000, compressed: zeros };

  it('is aborted above the ratio, and what follows is read', async () => {
    for (const way of [{}, { descriptor: 'signed' as const }]) {
      const bytes = zipOf([
        { name: 'bomb', ...bomb, ...way },
        { name: 'b', data: 'text' },
      ]);
      const { entries } = await read(bytes);
      expect(entries).toMatchObject([{ reason: 'limit: compression ratio' }, { name: 'b', text: 'text' }]);
      expect(entries[0]!.text.length).toBeLessThanOrEqual(DEFAULT_LIMITS.ratio * zeros.length);
    }
  });

  it('of many entries ends at the output limit', async () => {
    const bytes = zipOf(
      Array.from({ length: 50 }, (_, i) => ({ name: `${i}`, data: Buffer.alloc(100_000) })),
    );
    const { entries, reason } = await read(bytes, { ...DEFAULT_LIMITS, decompressedBytes: 1_000_000 });
    expect(reason).toBe('limit: decompressed size');
    expect(entries.length).toBe(11);
    expect(entries[10]!.reason).toBe('limit: decompressed size');
  });

  it('in archives in archives spends one budget', async () => {
    const inner = zipOf(
      Array.from({ length: 16 }, (_, i) => ({ name: `${i}`, data: Buffer.alloc(500_000) })),
    );
    const outer = zipOf(Array.from({ length: 16 }, (_, i) => ({ name: `${i}.zip`, data: inner })));
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, decompressedBytes: 20_000_000 });
    let out = 0;
    const reading = (async () => {
      for await (const member of readZip(queueOf(outer), budget)) {
        if (member.is === 'text') continue;
        const within = readZip(new ByteQueue(member.bytes[Symbol.asyncIterator]()), budget);
        for await (const entry of within)
          if (entry.is === 'entry') for await (const chunk of entry.bytes) out += chunk.length;
      }
    })();
    await expect(reading).rejects.toThrow('limit: decompressed size');
    expect(out).toBeLessThanOrEqual(20_000_000);
  });

  it('of a directory that lists one entry again and again reads it once', async () => {
    const data = 'x'.repeat(1000);
    const bytes = zipOf([
      { name: 'a', data, method: 0 },
      ...Array.from({ length: 999 }, () => ({ name: 'a', data: '', offset: 0 })),
    ]);
    const directory = bytes.indexOf('PK\x01\x02');
    const overlapping = Buffer.concat([bytes.subarray(0, 31 + 1000), bytes.subarray(directory)]);
    expect(await read(overlapping)).toEqual({
      entries: [{ name: 'a', text: data }],
      reason: 'corrupt: zip directory',
    });
  });

  it('that contains itself is read once', async () => {
    const head = zipOf([{ name: 'self.zip', data: '', method: 0, size: 500 }]);
    const bytes = Buffer.concat([head.subarray(0, 38), head.subarray(0, 38), head]);
    const { entries } = await read(bytes);
    expect(entries.length).toBeLessThanOrEqual(3);
  });

  it('of entries without number ends at their limit', async () => {
    const part = zipOf([{ name: 'a', data: 'x' }]);
    const local = part.subarray(0, part.indexOf('PK\x01\x02'));
    const many = Buffer.concat(Array.from({ length: 3000 }, () => local));
    const { entries, reason } = await read(many, { ...DEFAULT_LIMITS, entries: 2000 });
    expect([entries.length, reason]).toEqual([2000, 'limit: entries']);
  });
});
