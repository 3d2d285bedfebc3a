import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchFilter } from './branch-filters.ts';

const hex = (digits: string) => Buffer.from(digits, 'hex');
const zeros = (count: number) => Buffer.alloc(count);

function undone(id: number, bytes: Uint8Array, size: number, start = 0): Buffer {
  const filter = branchFilter(id, start)!;
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    chunks.push(Buffer.from(filter.push(bytes.subarray(at, at + size))));
  return Buffer.concat([...chunks, filter.end()]);
}

// Instructions, and the output of 7-Zip 26 for them: calls forward and backward, at the limits of their range, and false positives.
const PROGRAMS: readonly [string, number, Buffer, Buffer][] = [
  [
    'PowerPC',
    5,
    hex('60000000480001014bffff0148000100480001034e800020'),
    hex('60000000480001054bffff0948000100480001034e800020'),
  ],
  [
    'Itanium',
    6,
    hex(
      `${'11000000010000000200000000000050'}${'10000000010000020000000058000050'}${'16000000a000010000000000480000a0'}`,
    ),
    hex(
      `${'11000000010000000200000000000050'}${'10000000010000020000000068000050'}${'16000000a000010000000000480000a0'}`,
    ),
  ],
  [
    'ARM',
    7,
    hex('0000a0e1100000ebf0ffffeb00eba0e3ffff7feb000080eb1eff2fe1'),
    hex('0000a0e1130000ebf4ffffeb00eba0e3050080eb070080eb1eff2fe1'),
  ],
  ['ARM Thumb', 8, hex('00bf00f020f8fff7f0ff00bf00f000bf7047'), hex('00bf00f023f8fff7f5ff00bf00f000bf7047')],
  [
    'SPARC',
    9,
    hex('01000000400000107ffffff041000000403fffff81c3e008'),
    hex('01000000400000117ffffff2410000007fc0000381c3e008'),
  ],
  [
    'ARM64',
    10,
    Buffer.concat([
      hex('1f2003d510000094f0ffff9720000090e1ffffb0020080f0c0035fd6'),
      zeros(8192),
      hex('01000094030000b0'),
    ]),
    Buffer.concat([
      hex('1f2003d511000094f2ffff9720000090e1ffffb0020080f0c0035fd6'),
      zeros(8192),
      hex('08080094030000f0'),
    ]),
  ],
  [
    'RISC-V',
    11,
    hex('0100ef00a000eff21ffe17050000130505019715000083b505ff1701000017310028785634121300000013000000'),
    hex('0100ef000006eff2fff3173151500000001a1731585b000010021701000097523412038082671300000013000000'),
  ],
];

describe('filters for the branches of processors', () => {
  it.each(PROGRAMS)('%s', (_, id, program, compressed) => {
    for (const size of [1, 2, 3, 5, 16, 10_000])
      expect(undone(id, compressed, size).toString('hex')).toBe(program.toString('hex'));
  });

  it('count from where the program begins', () => {
    const call = hex('48000001');
    expect(undone(5, call, 4, 0x100).toString('hex')).toBe('4bffff01');
    expect(undone(7, hex('420000eb'), 4, 0x100).toString('hex')).toBe('000000eb');
  });

  it('are not created for unknown ids', () => {
    expect([branchFilter(3), branchFilter(12)]).toEqual([null, null]);
  });

  it('return as many bytes as they get, for any chunking', () => {
    const ids = fc.integer({ min: 4, max: 11 });
    const start = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(
        ids,
        fc.uint8Array({ maxLength: 200 }),
        start,
        fc.integer({ min: 1, max: 40 }),
        (id, bytes, from, size) => {
          const whole = undone(id, bytes, bytes.length + 1, from);
          expect(whole.length).toBe(bytes.length);
          expect(undone(id, bytes, size, from).equals(whole)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
