import { crc32, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { zip } from './zip.ts';

const LONG = 'Logos inside, once Marketing finds them. '.repeat(9);

describe('zip archives of the share', () => {
  it('hold every file at the offset in the directory, compressed where that is shorter', () => {
    const files = { 'a/long.txt': LONG, 'short.txt': 'otter', mimetype: LONG };
    const bytes = zip(files);
    const read = entriesOf(bytes).map(({ name, method, data }) => [
      name,
      method === 8 ? inflateRawSync(data).toString() : data.toString(),
    ]);
    expect(Object.fromEntries(read)).toEqual(files);
    expect(entriesOf(bytes).map(({ method }) => method)).toEqual([8, 0, 0]);
  });

  it('with a password open with it and with no other', () => {
    const [entry] = entriesOf(zip({ 'long.txt': LONG }, 'Heron-Kayak42'));
    const opened = unlocked(entry!.data, 'Heron-Kayak42');
    expect(entry!.flags).toBe(1);
    expect(opened.proof).toBe(crc32(LONG) >>> 24);
    expect(inflateRawSync(opened.data).toString()).toBe(LONG);
    expect(unlocked(entry!.data, 'Heron-Kayak43').data.equals(opened.data)).toBe(false);
  });
});

function entriesOf(bytes: Buffer): { name: string; method: number; flags: number; data: Buffer }[] {
  const end = bytes.length - 22;
  const entries = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let n = 0; n < bytes.readUInt16LE(end + 10); n++) {
    const length = bytes.readUInt16LE(at + 28);
    const start = bytes.readUInt32LE(at + 42) + 30 + length;
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + length),
      method: bytes.readUInt16LE(at + 10),
      flags: bytes.readUInt16LE(at + 8),
      data: bytes.subarray(start, start + bytes.readUInt32LE(at + 20)),
    });
    at += 46 + length;
  }
  return entries;
}

/** Written apart from the writer, with numbers of any size. */
function unlocked(bytes: Buffer, password: string): { proof: number; data: Buffer } {
  let keys: [bigint, bigint, bigint] = [0x12345678n, 0x23456789n, 0x34567890n];
  const take = (byte: number) => {
    const first = crcStep(keys[0], byte);
    const second = ((keys[1] + (first & 0xffn)) * 134_775_813n + 1n) & 0xffffffffn;
    keys = [first, second, crcStep(keys[2], Number(second >> 24n))];
  };
  for (const byte of Buffer.from(password)) take(byte);
  const plain = bytes.map((byte) => {
    const mask = (keys[2] & 0xffffn) | 2n;
    const opened = byte ^ Number(((mask * (mask ^ 1n)) >> 8n) & 0xffn);
    take(opened);
    return opened;
  });
  return { proof: plain[11]!, data: Buffer.from(plain.subarray(12)) };
}

function crcStep(sum: bigint, byte: number): bigint {
  let rest = (sum ^ BigInt(byte)) & 0xffn;
  for (let i = 0; i < 8; i++) rest = rest & 1n ? (rest >> 1n) ^ 0xedb88320n : rest >> 1n;
  return (sum >> 8n) ^ rest;
}
