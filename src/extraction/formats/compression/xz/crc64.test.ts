import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Crc64 } from './crc64.ts';

function sumOf(...parts: Uint8Array[]): string {
  const crc = new Crc64();
  for (const part of parts) crc.update(part);
  return Buffer.from(crc.digest()).reverse().toString('hex');
}

/** The same, bit by bit. */
function expected(bytes: Uint8Array): string {
  let sum = 2n ** 64n - 1n;
  for (const byte of bytes) {
    sum ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) sum = (sum >> 1n) ^ (sum & 1n ? 0xc96c5795d7870f42n : 0n);
  }
  return BigInt.asUintN(64, ~sum).toString(16).padStart(16, '0');
}

describe('CRC-64', () => {
  it('is the one that xz uses', () => {
    expect(sumOf(Buffer.from('123456789'))).toBe('995dc9bbdf1939fa');
    expect(sumOf()).toBe('0000000000000000');
  });

  it('is the same for any chunking', () => {
    const bytes = fc.uint8Array({ maxLength: 100 });
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(sumOf(a, b)).toBe(expected(Buffer.concat([a, b])));
      }),
    );
    const long = Buffer.alloc(100_001, 'some bytes, ');
    expect(sumOf(long)).toBe(sumOf(long.subarray(0, 7), long.subarray(7, 70_000), long.subarray(70_000)));
    expect(sumOf(long)).toBe(expected(long));
  });
});
