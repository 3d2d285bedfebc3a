import { deflateRawSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Budget } from '../budget.ts';
import { encodeLzma, encodeLzma2 } from '../formats/lzma.fixture.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { contentsOf } from './entries.fixture.ts';
import { inMemory } from './memory.fixture.ts';
import {
  COPY,
  LZMA,
  LZMA2,
  number,
  type SevenZipCoder,
  type SevenZipFolder,
  sevenZipOf,
  startOf,
} from './seven-zip.fixture.ts';
import { read7z } from './seven-zip.ts';

const read = (bytes: Uint8Array, limits = DEFAULT_LIMITS) =>
  contentsOf(read7z(inMemory(bytes), new Budget(limits)), 2e7);
const lines = Array.from({ length: 3000 }, (_, i) => `line ${i} ${(i * i) % 977}\n`).join('');
const files = [
  { name: 'a.txt', data: 'one' },
  { name: 'dir/ünï.txt', data: lines },
  { name: 'c', data: 'three' },
];
const expected = files.map(({ name, data }) => ({ name, text: data }));
const all = Buffer.from(files.map(({ data }) => data).join(''));
const solid = (coders: readonly SevenZipCoder[], pack: (bytes: Buffer) => Uint8Array): SevenZipFolder => ({
  coders,
  packed: pack(all),
  files,
});
const packedLzma = solid([LZMA], (bytes) => encodeLzma(bytes, undefined, false));
const header = { coders: [LZMA], pack: (bytes: Uint8Array) => encodeLzma(bytes, undefined, false) };
const difference = (bytes: Buffer) => bytes.map((byte, i) => byte - (i < 4 ? 0 : bytes[i - 4]!));

// Written by libarchive 3.6, with a folder and an empty file.
const LIBARCHIVE = Buffer.from(
  'N3q8ryccAANkPQpVlAAAAAAAAAAhAAAAAAAAABXHHZoAN5uI1KrpZQrw4MH3rEFaw///a9AAAAAAgTMHrg/Pbu6MB8hDgIOBW/+s' +
    'ds94Pw7m0q08kGUP/VAUyJkfJMVxxZeWHV4rcTsYxStyh9EqtgRJceN5vQC7BU/bSaTJEBHTdRE4psA/ehH4XzAdgl6UaTO/P0N7' +
    '6Scotsa9rnvOduhQsQGBNbOzsCnhfj80n//6NXAAFwYXAQl9AAcLAQABIwMBAQVdAACAAAyAnAoBbzGUxwAA',
  'base64',
);

describe('7z', () => {
  it.each<[string, SevenZipFolder]>([
    ['copied', solid([COPY], (bytes) => bytes)],
    ['LZMA', packedLzma],
    ['LZMA with a mark', solid([LZMA], (bytes) => encodeLzma(bytes))],
    ['LZMA2', solid([LZMA2], (bytes) => encodeLzma2(bytes))],
    ['deflate', solid([{ method: '040108' }], deflateRawSync)],
    ['zstd', solid([{ method: '04f71101' }], (bytes) => zstdCompressSync(bytes))],
    [
      'differences',
      solid([{ method: '03', properties: [3] }, LZMA2], (bytes) => encodeLzma2(difference(bytes))),
    ],
    [
      'a filter for programs',
      solid([{ method: '03030103' }, LZMA], (bytes) => encodeLzma(bytes, undefined, false)),
    ],
    ['a filter for programs, by its new name', solid([{ method: '04' }, COPY], (bytes) => bytes)],
  ])('%s', async (_, folder) => {
    expect(await read(sevenZipOf([folder]))).toEqual({ entries: expected, reason: null });
    expect(await read(sevenZipOf([folder, folder], { header }))).toEqual({
      entries: [...expected, ...expected],
      reason: null,
    });
  });

  it('bzip2', async () => {
    const packed = Buffer.from(
      'QlpoOTFBWSZTWVSkl4QAAALRgAAQQAQGRJCAIAAxADAgaGIASdSyHz8XckU4UJBUpJeE',
      'base64',
    );
    const folder = {
      coders: [{ method: '040202' }],
      packed,
      files: [{ name: 'a', data: 'hello, world\n' }],
      sumOfAll: true,
    };
    expect(await read(sevenZipOf([folder]))).toEqual({
      entries: [{ name: 'a', text: 'hello, world\n' }],
      reason: null,
    });
  });

  it('empty files, folders and deletions', async () => {
    const bytes = sevenZipOf([packedLzma], {
      empty: ['e1', 'e2'],
      folders: ['dir', 'other'],
      deleted: ['gone'],
      header,
    });
    expect(await read(bytes)).toEqual({
      entries: [...expected, { name: 'e1', text: '' }, { name: 'e2', text: '' }],
      reason: null,
    });
  });

  it('of nothing has no entries', async () => {
    expect(await read(startOf(0, Buffer.alloc(0)))).toEqual({ entries: [], reason: null });
    expect(await read(sevenZipOf([], { folders: ['dir'] }))).toEqual({ entries: [], reason: null });
  });

  it('names that lead elsewhere are shown as they are', async () => {
    const names = ['../../etc/passwd', '/etc/shadow', 'C:\\Windows\\a', 'a\nb'];
    const folder = {
      coders: [COPY],
      packed: Buffer.from('wxyz'),
      files: names.map((name, i) => ({ name, data: 'wxyz'.charAt(i) })),
    };
    expect((await read(sevenZipOf([folder]))).entries.map(({ name }) => name)).toEqual(names);
  });

  it('files that are left early do not disturb those behind them', async () => {
    const seen: string[] = [];
    for await (const { name, bytes } of read7z(
      inMemory(sevenZipOf([packedLzma, packedLzma])),
      new Budget(),
    )) {
      let text = '';
      for await (const piece of bytes) {
        text += Buffer.from(piece).toString();
        if (name.startsWith('dir')) break;
      }
      if (seen.length !== 3) seen.push(text);
      else seen.push('left');
    }
    expect(seen.map((text) => text.slice(0, 5))).toEqual(['one', 'line ', 'three', 'left', 'line ', 'three']);
  });

  it('what is encrypted or packed otherwise is told of each file, and other folders are read', async () => {
    const open = { coders: [COPY], packed: Buffer.from('open'), files: [{ name: 'z', data: 'open' }] };
    const told = async (coders: readonly SevenZipCoder[]) => {
      const { entries, reason } = await read(sevenZipOf([{ ...packedLzma, coders }, open]));
      expect(reason).toBeNull();
      expect(entries.at(-1)).toEqual({ name: 'z', text: 'open' });
      return entries.slice(0, -1).map((entry) => entry.reason);
    };
    const unsupported = 'unsupported format: compression method in 7z';
    expect(await told([LZMA, { method: '06f10701', properties: [19, 0] }])).toEqual([
      'encrypted',
      'encrypted',
      'encrypted',
    ]);
    expect(await told([{ method: '030401', properties: [6, 0, 0, 0, 1] }])).toEqual([
      unsupported,
      unsupported,
      unsupported,
    ]);
    expect(await told([{ method: '03030501' }])).toContain(unsupported);
    const secret = { coders: [LZMA, { method: '06f10701' }], pack: header.pack };
    expect(await read(sevenZipOf([packedLzma], { header: secret }))).toEqual({
      entries: [],
      reason: 'encrypted',
    });
  });

  it('several packed streams for one folder are not read', async () => {
    const bcj2 = { method: '0303011b', inputs: 4 };
    const { entries, reason } = await read(sevenZipOf([{ ...packedLzma, coders: [bcj2] }, packedLzma]));
    expect(entries.slice(0, 3).map((entry) => entry.reason)).toEqual(
      Array.from({ length: 3 }, () => 'unsupported format: compression method in 7z'),
    );
    expect(entries.slice(3)).toEqual(expected);
    expect(reason).toBeNull();
  });

  it('as another program writes it', async () => {
    expect(await read(LIBARCHIVE)).toEqual({
      entries: [
        { name: 'a.txt', text: 'one' },
        { name: 'dir/grün.txt', text: 'two '.repeat(20) },
        { name: 'last', text: 'x'.repeat(50) },
        { name: 'empty', text: '' },
      ],
      reason: null,
    });
  });
});

describe('a damaged 7z', () => {
  it('that is cut off says so at every place', async () => {
    const whole = sevenZipOf(
      [{ ...packedLzma, packed: encodeLzma(Buffer.from('onetwo')), files: [{ name: 'a', data: 'onetwo' }] }],
      { header },
    );
    for (let end = 0; end < whole.length; end++) {
      expect(await read(whole.subarray(0, end))).toMatchObject({
        entries: [],
        reason: expect.stringMatching(/^corrupt: (truncated )?7z archive$/),
      });
    }
  });

  it.each<[string, SevenZipFolder, string]>([
    [
      'another sum',
      { ...packedLzma, files: [{ ...files[0]!, sum: 1 }, ...files.slice(1)] },
      'corrupt: 7z checksum',
    ],
    ['noise', { ...packedLzma, packed: Buffer.alloc(999, 0xee) }, 'corrupt: lzma data'],
    [
      'less than it claims',
      { ...solid([COPY], (bytes) => bytes.subarray(0, 99)) },
      'corrupt: truncated 7z data',
    ],
    [
      'properties that are missing',
      solid([{ method: '030101', properties: [93] }], (bytes) => bytes),
      'corrupt: 7z header',
    ],
    [
      'a dictionary that cannot be',
      solid([{ method: '21', properties: [99] }], (bytes) => bytes),
      'corrupt: lzma data',
    ],
  ])('gives the folder behind one with %s', async (_, folder, reason) => {
    const { entries } = await read(sevenZipOf([folder, packedLzma]));
    expect(entries.map((entry) => entry.reason)).toContain(reason);
    expect(entries.slice(3)).toEqual(expected);
  });

  it('a folder that fails in its middle says so of each file from there', async () => {
    const packed = encodeLzma(all, undefined, false).subarray(0, 2000);
    const { entries } = await read(sevenZipOf([{ ...packedLzma, packed }]));
    expect(entries.map((entry) => entry.reason)).toEqual([
      undefined,
      'corrupt: truncated lzma data',
      'corrupt: truncated lzma data',
    ]);
    expect(lines.startsWith(entries[1]!.text) && entries[1]!.text.length > 100).toBe(true);
  });

  const spoiled = (header: readonly number[]) =>
    Buffer.concat([startOf(0, Buffer.from(header)), Buffer.from(header)]);
  it.each<[string, readonly number[]]>([
    ['of another kind', [99]],
    ['with a field of no kind', [1, 99]],
    ['without an end', [1]],
    ['with more files than it has room for', [1, 5, ...number(1e9), 0, 0]],
    ['with more streams than it has room for', [1, 4, 6, 0, ...number(1e9), 9, 0, 0]],
    ['with more folders than it has room for', [1, 4, 7, 11, ...number(1e9), 0, 0]],
    ['with more coders than there can be', [1, 4, 7, 11, 1, 0, 99, 0, 0, 0]],
    ['with a number that has no end', [1, 4, 6, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0]],
    ['with a file that has no stream', [1, 5, 1, 17, 5, 0, 97, 0, 0, 0, 0, 0]],
    ['with a name that has no end', [1, 5, 1, 14, 1, 128, 17, 3, 0, 97, 0, 0, 0]],
    ['packed by nothing', [23, 6, 0, 0, 0, 0]],
  ])('with a header %s is refused', async (_, bytes) => {
    expect((await read(spoiled(bytes))).reason).toBe('corrupt: 7z header');
  });

  it('with streams that no file has is told', async () => {
    const bytes = sevenZipOf([packedLzma], {
      spoil: (plain) => Buffer.concat([plain.subarray(0, plain.indexOf('0503', 'hex')), Buffer.from([0])]),
    });
    expect(await read(bytes)).toEqual({ entries: [], reason: 'corrupt: 7z header' });
  });

  it('with any bytes changed ends in entries or an obstacle', async () => {
    const folder = {
      ...packedLzma,
      packed: encodeLzma(Buffer.from('onetwothree'), undefined, false),
      files: [
        { name: 'a', data: 'one' },
        { name: 'b', data: 'two' },
        { name: 'c', data: 'three' },
      ],
    };
    const two = {
      coders: [{ method: '04' }, LZMA2],
      packed: encodeLzma2(Buffer.from('onetwo')),
      files: folder.files.slice(0, 2),
    };
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(changes, changes, fc.boolean(), async (inHeader, anywhere, packed) => {
        const spoil = (plain: Buffer) => changed(plain, inHeader);
        const shape = { empty: ['e'], folders: ['d'], deleted: ['x'], spoil, ...(packed ? { header } : {}) };
        const bytes = sevenZipOf([folder, two], shape);
        await read(bytes);
        await read(changed(bytes, anywhere));
      }),
      { numRuns: 2000 },
    );
  }, 60_000);

  const changed = (bytes: Buffer, list: readonly (readonly [number, number])[]) => {
    const copy = Buffer.from(bytes);
    for (const [at, byte] of list) copy[at % copy.length] = byte;
    return copy;
  };
});

describe('a 7z bomb', () => {
  const zeros = Buffer.alloc(12_000_000);
  const bomb = {
    coders: [LZMA2],
    packed: encodeLzma2(zeros, undefined, 2_000_000),
    files: [
      { name: 'a', data: zeros },
      { name: 'b', data: 'x' },
    ],
  };

  it('is given up beyond the ratio', async () => {
    const { entries } = await read(sevenZipOf([bomb]), { ...DEFAULT_LIMITS, ratio: 100 });
    expect(entries.map((entry) => entry.reason)).toEqual([
      'limit: compression ratio',
      'limit: compression ratio',
    ]);
  });

  it('ends with all that may come out, and with all entries there may be', async () => {
    const bytes = sevenZipOf([packedLzma, packedLzma]);
    const { entries, reason } = await read(bytes, { ...DEFAULT_LIMITS, decompressedBytes: 1000 });
    expect([entries.length, reason]).toEqual([1, 'limit: decompressed size']);
    const few = await read(bytes, { ...DEFAULT_LIMITS, entries: 4 });
    expect([few.entries.length, few.reason]).toEqual([4, 'limit: entries']);
  });

  it('of a header that unpacks to more than fits is refused', async () => {
    const huge = { coders: [LZMA2], pack: () => encodeLzma2(zeros, undefined, 2_000_000) };
    expect((await read(sevenZipOf([packedLzma], { header: huge }))).reason).toMatch(/^corrupt: /);
  });
});
