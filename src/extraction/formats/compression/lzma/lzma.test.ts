import { describe, expect, it } from 'vitest';
import { usualWindows } from '../../../budget/window-memory.fixture.ts';
import { outcomeOf, queueOf } from '../../byte-queue.fixture.ts';
import { encodeAlone } from './lzma.fixture.ts';
import { looksLikeLzma, unlzma } from './lzma.ts';

// Written by xz 5.4.
const HELLO = Buffer.from('XQAAgAD//////////wA0GUnuje+Ma8qVWRAEQO3kG//+4PAA', 'base64');
const hello = 'hello, world\n';
const lines = Array.from(
  { length: 9000 },
  (_, i) => `${i}: ${(i * i) % 977} of the quick brown foxes\n`,
).join('');
const unpack = (bytes: Uint8Array, chunk?: number) =>
  outcomeOf(unlzma(queueOf(bytes, chunk), usualWindows()), 1_000_000);

describe('lzma', () => {
  const long = Buffer.from(lines);
  it.each([
    ['a line', HELLO, hello],
    ['lines up to a mark', encodeAlone(long, 'unknown'), lines],
    ['lines of a known length', encodeAlone(long, 'known'), lines],
    ['lines of a known length, with a mark', encodeAlone(long, 'known', true), lines],
    ['nothing', encodeAlone(Buffer.alloc(0), 'known'), ''],
    ['nothing but a mark', encodeAlone(Buffer.alloc(0), 'unknown'), ''],
    ['nothing and a mark', encodeAlone(Buffer.alloc(0), 'known', true), ''],
  ])('%s', async (_, bytes, text) => {
    for (const chunk of [7, 4096, 100_000]) {
      const out = await unpack(bytes, chunk);
      expect(out.reason).toBeNull();
      expect(out.bytes.toString() === text).toBe(true);
    }
    expect(looksLikeLzma(bytes)).toBe(true);
  });

  it('keeps what precedes a truncation', async () => {
    for (const whole of [encodeAlone(long, 'unknown'), encodeAlone(long, 'known')]) {
      for (let end = 0; end < whole.length; end += end < 100 || end > whole.length - 50 ? 1 : 501) {
        const out = await unpack(whole.subarray(0, end));
        expect(out.reason).toBe('corrupt: truncated lzma data');
        expect(lines.startsWith(out.bytes.toString())).toBe(true);
        if (end > 2000) expect(out.bytes.length).toBeGreaterThan(0);
      }
    }
  });

  it('reports other data', async () => {
    const changed = (at: number, byte: number) => Buffer.from(HELLO.map((old, i) => (i === at ? byte : old)));
    expect((await unpack(Buffer.concat([HELLO, Buffer.from('more')]))).reason).toBe(
      'corrupt: data after lzma',
    );
    expect((await unpack(changed(0, 225))).reason).toBe('corrupt: lzma data');
    expect((await unpack(changed(13, 1))).reason).toBe('corrupt: lzma data');
    const longer = encodeAlone(long, 'known', true);
    longer.writeUInt32LE(long.length + 1, 5);
    expect((await unpack(longer)).reason).toBe('corrupt: lzma data');
    const shorter = encodeAlone(long, 'known');
    shorter.writeUInt32LE(long.length - 100, 5);
    expect((await unpack(shorter)).reason).toBe('corrupt: lzma data');
  });

  it('flipped bytes end in text or an error', async () => {
    const short = encodeAlone(Buffer.from(lines.slice(0, 3000)), 'unknown');
    for (let i = 0; i < 2000; i++) {
      const bytes = Buffer.from(short);
      bytes[(i * 7919) % bytes.length]! ^= 1 + (i % 255);
      await outcomeOf(unlzma(queueOf(bytes), usualWindows()), 2 ** 26);
    }
  });

  it('can be interleaved, and started again after one that was abandoned', async () => {
    const left = unlzma(queueOf(encodeAlone(long, 'unknown')), usualWindows());
    await left.next();
    await left.return(undefined);
    const [one, other] = [long, Buffer.from(long).reverse()];
    const streams = [one, other].map((bytes) =>
      unlzma(queueOf(encodeAlone(bytes, 'known'), 5000), usualWindows()),
    );
    const parts: Buffer[][] = [[], []];
    for (let over = 0; over < 2; ) {
      over = 0;
      for (const [i, stream] of streams.entries()) {
        const { value, done } = await stream.next();
        if (done === true) over++;
        else parts[i]!.push(Buffer.from(value));
      }
    }
    expect(Buffer.concat(parts[0]!).equals(one)).toBe(true);
    expect(Buffer.concat(parts[1]!).equals(other)).toBe(true);
  });

  it('is detected by its header, and not in text', () => {
    const sized = (dictionary: number, size: bigint) => {
      const bytes = Buffer.from(HELLO);
      bytes.writeUInt32LE(dictionary, 1);
      bytes.writeBigUInt64LE(size, 5);
      return bytes;
    };
    expect(looksLikeLzma(sized(0x800000, 5n))).toBe(true);
    expect(looksLikeLzma(sized(0xc0000000, 5n))).toBe(true);
    expect(looksLikeLzma(sized(0xc0000001, 5n))).toBe(false);
    expect(looksLikeLzma(sized(0x800000, 2n ** 40n))).toBe(false);
    expect(looksLikeLzma(HELLO.subarray(0, 13))).toBe(false);
    expect(looksLikeLzma(Buffer.from(']] is a text, isn’t it?'))).toBe(false);
  });
});
