import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { shape, viaBytes, viaStream } from '../../extraction.fixture.ts';

const lines = (count: number) =>
  Buffer.from(Array.from({ length: count }, (_, i) => `line ${i} ${Math.sin(i)}`).join('\n'));
const short = lines(50);
const long = lines(20_000);

describe.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('%s', (compression, compress) => {
  const suffix = compression === 'gzip' ? 'gz' : 'zst';

  it('is read as its content, classified by the inner name', async () => {
    const expected = {
      result: { state: 'read', format: 'code' },
      parts: [{ name: `#${compression}`, format: 'code', charset: 'utf-8', text: short.toString() }],
    };
    expect(shape(viaBytes(`dump.sql.${suffix}`, compress(short)))).toEqual(expected);
    expect(shape(await viaStream(`dump.sql.${suffix}`, compress(short), [11]))).toEqual(expected);
  });

  it('members one after another are one text', async () => {
    const several = Buffer.concat([compress(long), compress(''), compress(short), compress(long)]);
    const text = Buffer.concat([long, short, long]).toString();
    for (const size of [several.length, 4096, 1021]) {
      const { result, parts } = await viaStream('a.log', several, [size]);
      expect(result).toEqual({ state: 'read', format: 'log' });
      expect(parts[0]?.text === text).toBe(true);
    }
  });

  it('short members are one text, up to a damaged one', async () => {
    const count = 3000;
    const several = Buffer.concat(Array.from({ length: count }, (_, i) => compress(`${i}\n`)));
    const text = Array.from({ length: count }, (_, i) => `${i}\n`).join('');
    const { result, parts } = await viaStream('a.log', several, [4096]);
    expect(result).toEqual({ state: 'read', format: 'log' });
    expect(parts[0]?.text === text).toBe(true);
    const cut = await viaStream('a.log', several.subarray(0, -3), [4096]);
    expect(cut.result).toMatchObject({ state: 'partial', reason: `corrupt: truncated ${compression} data` });
    expect(text.startsWith(cut.parts[0]!.text)).toBe(true);
    expect(cut.parts[0]!.text.length).toBeGreaterThanOrEqual(text.length - 5);
  });

  it('a member may end anywhere around the border of a slice', async () => {
    // 16 KiB at a time go into the engine; noise in hex digits makes every length around that.
    let state = 1;
    const noise = Buffer.from(
      Array.from({ length: 40_000 }, () => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return '0123456789abcdef'.charAt(state >>> 28);
      }).join(''),
    );
    const seen = new Set<number>();
    for (let length = 24_000, step = 50; length < noise.length; length += step) {
      const member = compress(noise.subarray(0, length));
      if (member.length > 16_410) break;
      if (member.length < 16_350) continue;
      step = 2;
      if (member.length < 16_375 || seen.has(member.length)) continue;
      seen.add(member.length);
      const { result, parts } = await viaStream('a', Buffer.concat([member, compress('the end')]), [5000]);
      expect(result).toEqual({ state: 'read', format: 'text' });
      expect(parts[0]?.text === `${noise.subarray(0, length)}the end`).toBe(true);
    }
    expect(seen.size).toBeGreaterThan(10);
  });

  it('a truncated file is partial and keeps its output, the same every time', async () => {
    const cut = compress(long).subarray(0, -2000);
    expect(viaBytes('a.txt', cut).result).toBeNull();
    const once = await viaStream('a.txt', cut, [1000]);
    expect(once.result).toEqual({
      state: 'partial',
      reason: `corrupt: truncated ${compression} data`,
      format: 'text',
      stable: true,
    });
    expect(once.parts[0]!.text.length).toBeGreaterThan(long.length / 2);
    expect(long.toString().startsWith(once.parts[0]!.text)).toBe(true);
    expect(shape(await viaStream('a.txt', cut, [77, 3001]))).toEqual(shape(once));
  });

  it('trailing data is reported, and nothing before it is lost', async () => {
    const bytes = Buffer.concat([compress(short), Buffer.from('garbage')]);
    expect(viaBytes('a', bytes).result).toBeNull();
    const { result, parts } = await viaStream('a', bytes);
    expect(result).toMatchObject({ state: 'partial', reason: `corrupt: data after ${compression}` });
    expect(parts[0]?.text).toBe(short.toString());
  });

  it('garbage after a valid header is partial', async () => {
    const bytes = Buffer.concat([compress(long).subarray(0, 12), Buffer.alloc(500, 0xff)]);
    expect((await viaStream('a', bytes)).result).toMatchObject({
      state: 'partial',
      reason: expect.stringMatching(/^corrupt: /),
    });
  });

  it('a bomb is stopped by its ratio', async () => {
    const bomb = compress(Buffer.alloc(100_000_000, 'a'));
    const limits = { ...DEFAULT_LIMITS, ratio: 500 };
    expect(viaBytes('a.txt', bomb).result).toBeNull();
    const { result, parts } = await viaStream('a.txt', bomb, [512], limits);
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: compression ratio', stable: true });
    expect(parts[0]!.text.length).toBeGreaterThanOrEqual(limits.ratioFloor);
    expect(parts[0]!.text.length).toBeLessThanOrEqual(
      Math.max(limits.ratioFloor, limits.ratio * bomb.length),
    );
  });

  it('the decompressed size is limited to the byte', async () => {
    const { result, parts } = await viaStream('a.txt', compress(long), [512], {
      ...DEFAULT_LIMITS,
      decompressedBytes: 100_001,
    });
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: decompressed size' });
    expect(parts[0]?.text).toBe(long.toString().slice(0, 100_001));
  });

  it('compression in compression is followed to a depth', async () => {
    const three = compress(compress(compress(short)));
    expect(viaBytes('a', three).parts[0]).toMatchObject({
      name: `#${compression}/${compression}/${compression}`,
      text: short.toString(),
    });
    const limits = { ...DEFAULT_LIMITS, depth: 3 };
    expect((await viaStream('a', three, [4096], limits)).parts).toHaveLength(1);
    expect(shape(await viaStream('a', compress(three), [4096], limits))).toEqual({
      result: { state: 'skipped', reason: 'limit: depth', stable: true },
      parts: [],
    });
  });
});

describe('gzip alone', () => {
  it('a hundred megabytes of zeros in a small file hit the default ratio', async () => {
    const { result } = await viaStream('zeros.txt', gzipSync(Buffer.alloc(100_000_000, 'a'), { level: 9 }));
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: compression ratio' });
  });

  it('a wrong checksum is reported, and the text is kept', async () => {
    const bytes = gzipSync(short);
    bytes[bytes.length - 6]! ^= 1;
    expect(viaBytes('a', bytes).result).toBeNull();
    const { result, parts } = await viaStream('a', bytes);
    expect(result).toMatchObject({ state: 'partial', reason: 'corrupt: gzip checksum' });
    expect(parts[0]?.text).toBe(short.toString());
  });

  it('trailing zeros are padding', async () => {
    const bytes = Buffer.concat([gzipSync(short), Buffer.alloc(1000)]);
    const { result, parts } = await viaStream('a', bytes, [13]);
    expect(result).toEqual({ state: 'read', format: 'text' });
    expect(parts[0]?.text).toBe(short.toString());
  });

  it('all fields of the header are passed over', async () => {
    const plain = gzipSync(short);
    const header = Buffer.concat([
      plain.subarray(0, 3),
      Buffer.from([2 | 4 | 8 | 16]),
      plain.subarray(4, 10),
    ]);
    const fields = Buffer.from('\x03\0abcname.txt\0a comment\0\x12\x34', 'latin1');
    const bytes = Buffer.concat([header, fields, plain.subarray(10)]);
    expect((await viaStream('a', bytes, [3])).parts[0]?.text).toBe(short.toString());
  });
});

it('skippable frames of zstd are skipped, before and between', async () => {
  const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
  const bytes = Buffer.concat([skippable, zstdCompressSync('one '), skippable, zstdCompressSync('two')]);
  const { result, parts } = await viaStream('a', bytes, [5]);
  expect(result).toEqual({ state: 'read', format: 'text' });
  expect(parts[0]?.text).toBe('one two');
});

it('zstd that needs more memory than a frame gets is no damage', async () => {
  const frame = Buffer.from('28b52ffd0090290000' + '68656c6c6f', 'hex'); // a window of 256 MB, one plain block
  const { result } = await viaStream('a.zst', frame, [frame.length]);
  expect(result).toMatchObject({ state: 'partial', reason: 'limit: zstd window' });
});
