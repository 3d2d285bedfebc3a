import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LZMA2, sevenZipOf } from './archives/seven-zip/seven-zip.fixture.ts';
import { tarOf } from './archives/tar/tar.fixture.ts';
import { zipOf } from './archives/zip/zip.fixture.ts';
import { extractBytesAsync } from './extract.ts';
import { Collector, viaBytes, viaStream } from './extraction.fixture.ts';
import { encodeLzma2 } from './formats/compression/lzma/lzma.fixture.ts';

const REASON = 'unsupported format: multi-volume archive';
const noise = Buffer.from(Array.from({ length: 9000 }, (_, i) => Math.floor(1e6 * Math.sin(i))));
const parts = [
  { name: 'a.txt', data: 'a small text' },
  { name: 'b.bin', data: noise },
];
const solid = { coders: [LZMA2], packed: encodeLzma2(noise), files: [{ name: 'b.bin', data: noise }] };
const WHOLE: readonly [string, Buffer][] = [
  ['x.zip', zipOf(parts)],
  ['x.tar', tarOf(parts)],
  ['x.tar.gz', gzipSync(tarOf(parts))],
  ['x.7z', sevenZipOf([solid])],
];

const read = async (name: string, bytes: Uint8Array) => {
  const sink = new Collector();
  return { result: await extractBytesAsync(name, bytes, sink), parts: sink.parts };
};

describe('an archive in several files', () => {
  it.each(WHOLE)('%s.001 is not reported as damaged, and read as far as possible', async (name, bytes) => {
    const cut = bytes.subarray(0, bytes.length >> 1);
    const { result, parts: found } = await read(`${name}.001`, cut);
    expect(result).toMatchObject({ state: 'partial', reason: REASON });
    if (name !== 'x.7z') expect(found[0]?.text).toBe('a small text');
    expect((await read(name, cut)).result).toMatchObject({
      reason: expect.stringMatching(/^corrupt: trunc/),
    });
  });

  it.each(['x.zip.002', 'x.7z.0013', 'x.tar.gz.03', 'X.Z02'])('%s is a part of it', async (name) => {
    const expected = { state: 'skipped', reason: REASON, stable: true };
    expect(viaBytes(name, noise).result).toEqual(expected);
    expect((await viaStream(name, noise)).result).toEqual(expected);
  });

  it('is detected by the signature at its beginning', async () => {
    const bytes = zipOf(parts, { before: Buffer.from('PK\x07\x08') });
    expect((await read('x.z01', bytes)).result).toEqual({ state: 'skipped', reason: REASON, stable: true });
  });

  it('ends with a volume that has the usual name, and is no type mismatch', async () => {
    const whole = zipOf(parts, { comment: 'as written by hand' });
    whole.writeUInt16LE(3, whole.length - 18 - 'as written by hand'.length);
    const last = whole.subarray(whole.length >> 1);
    const expected = { state: 'skipped', reason: REASON, stable: true };
    expect((await read('x.zip', last)).result).toEqual(expected);
    expect(viaBytes('x.zip', last).result).toEqual(expected);
    const single = zipOf(parts).subarray(4000);
    expect((await read('x.zip', single)).result).toMatchObject({
      reason: 'unsupported format: binary data',
      typeMismatch: 'named .zip, is binary data',
    });
  });

  it('is reported inside another', async () => {
    const { result } = await read('all.tar', tarOf([{ name: 'x.zip.002', data: noise }, parts[0]!]));
    expect(result).toMatchObject({
      state: 'partial',
      reason: 'unsupported inside: multi-volume archive',
    });
  });

  it('is not assumed because of a number after the name', async () => {
    expect(viaBytes('photo.001', noise).result).toMatchObject({ reason: 'unsupported format: binary data' });
    expect(viaBytes('x.csv.001', Buffer.from('a,b\n')).result).toMatchObject({ state: 'read' });
  });
});
