import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { record } from './binary.fixture.ts';
import { BinaryRecords } from './binary-records.ts';

const body = fc.oneof(
  fc.uint8Array({ maxLength: 20 }),
  fc.integer({ min: 0, max: 40_000 }).map((length) => new Uint8Array(length).fill(length)),
);
const some = fc.array(fc.tuple(fc.integer({ min: 0, max: 0x3fff }), body), { maxLength: 12 });

function read(bytes: Buffer, size: number): [number, Buffer][] {
  const records = new BinaryRecords([129, 130]);
  const found: [number, Buffer][] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = Buffer.from(bytes.subarray(at, at + size));
    records.push(chunk);
    while (records.next())
      found.push([records.type, Buffer.from(records.bytes.subarray(records.from, records.to))]);
    chunk.fill(0xff); // the chunk was only lent
  }
  records.finish();
  return found;
}

describe('records of a binary part', () => {
  it('are the same for any chunking of the bytes', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 50_000 }), (middle, size) => {
        const all: [number, Uint8Array][] = [[129, new Uint8Array()], ...middle, [130, new Uint8Array()]];
        const bytes = Buffer.concat(all.map(([type, data]) => record(type, data)));
        expect(read(bytes, size)).toEqual(all.map(([type, data]) => [type, Buffer.from(data)]));
      }),
      { numRuns: 150 },
    );
  });

  it('are reported as truncated if one is cut', () => {
    const bytes = Buffer.concat([record(129), record(5, Buffer.alloc(300)), record(130)]);
    for (let length = 1; length < bytes.length; length++)
      expect(() => read(bytes.subarray(0, length), 7)).toThrow('corrupt: truncated workbook');
  });
});
