import { deflateRawSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { encodeDeflate64, symbolsOf } from '../../formats/compression/deflate/deflate64.fixture.ts';
import { encodeBcj2 } from '../../formats/compression/filters/bcj2.fixture.ts';
import { encodeLzma, encodeLzma2 } from '../../formats/compression/lzma/lzma.fixture.ts';
import { lzma2Stored, zstdRaw } from '../../formats/compression/nested.fixture.ts';
import { encodePpmd } from '../../formats/compression/ppmd/ppmd.fixture.ts';
import { contentsOf } from '../entries.fixture.ts';
import { inMemory } from '../memory.fixture.ts';
import {
  COPY,
  LZMA,
  LZMA2,
  type SevenZipCoder,
  type SevenZipFolder,
  sevenZipOf,
  startOf,
} from './seven-zip.fixture.ts';
import { read7z } from './seven-zip.ts';
import { all, compressedLzma, expected, files, header, read, solid } from './seven-zip-files.fixture.ts';

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
    ['LZMA', compressedLzma],
    ['LZMA with a mark', solid([LZMA], (bytes) => encodeLzma(bytes))],
    ['LZMA2', solid([LZMA2], (bytes) => encodeLzma2(bytes))],
    ['deflate', solid([{ method: '040108' }], deflateRawSync)],
    ['deflate64', solid([{ method: '040109' }], (bytes) => encodeDeflate64([{ dynamic: symbolsOf(bytes) }]))],
    [
      'PPMd',
      solid([{ method: '030401', properties: [6, 0, 0, 1, 0] }], (bytes) => encodePpmd(bytes, 6, 65_536)),
    ],
    ['zstd', solid([{ method: '04f71101' }], (bytes) => zstdCompressSync(bytes))],
    [
      'differences',
      solid([{ method: '03', properties: [3] }, LZMA2], (bytes) => encodeLzma2(difference(bytes))),
    ],
    [
      'a filter for programs',
      solid([{ method: '03030103' }, LZMA], (bytes) => encodeLzma(bytes, undefined, false)),
    ],
    ['a filter for programs of another processor', solid([{ method: '07' }, COPY], (bytes) => bytes)],
    [
      'a filter for programs of another processor, by its old name',
      solid([{ method: '03030501' }, COPY], (bytes) => bytes),
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
    const bytes = sevenZipOf([compressedLzma], {
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

  it('without files has no entries', async () => {
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

  it('files that are skipped do not affect later ones', async () => {
    const seen: string[] = [];
    for await (const { name, bytes } of read7z(
      inMemory(sevenZipOf([compressedLzma, compressedLzma])),
      new ExtractionBudget(),
    )) {
      let text = '';
      for await (const chunk of bytes) {
        text += Buffer.from(chunk).toString();
        if (name.startsWith('dir')) break;
      }
      if (seen.length !== 3) seen.push(text);
      else seen.push('left');
    }
    expect(seen.map((text) => text.slice(0, 5))).toEqual(['one', 'line ', 'three', 'left', 'line ', 'three']);
  });

  it('encrypted and unsupported files are reported individually, and other folders are read', async () => {
    const open = { coders: [COPY], packed: Buffer.from('open'), files: [{ name: 'z', data: 'open' }] };
    const reasonsOf = async (coders: readonly SevenZipCoder[]) => {
      const { entries, reason } = await read(sevenZipOf([{ ...compressedLzma, coders }, open]));
      expect(reason).toBeNull();
      expect(entries.at(-1)).toEqual({ name: 'z', text: 'open' });
      return entries.slice(0, -1).map((entry) => entry.reason);
    };
    const unsupported = 'unsupported format: compression method in 7z';
    expect(await reasonsOf([LZMA, { method: '06f10701', properties: [19, 0] }])).toEqual([
      'encrypted',
      'encrypted',
      'encrypted',
    ]);
    expect(await reasonsOf([{ method: '0303' }])).toEqual([unsupported, unsupported, unsupported]);
    expect(await reasonsOf([{ method: '03030601' }])).toContain(unsupported);
    const twoInputs = { coders: [{ method: '21', inputs: 2 }], packed: [all, all], files };
    expect((await read(sevenZipOf([twoInputs]))).entries[0]?.reason).toBe(unsupported);
    const secret = { coders: [LZMA, { method: '06f10701' }], pack: header.pack };
    expect(await read(sevenZipOf([compressedLzma], { header: secret }))).toEqual({
      entries: [],
      reason: 'encrypted',
    });
  });

  it('a program in four streams, some of them compressed', async () => {
    const program = Buffer.from(
      Array.from({ length: 3000 }, (_, i) => [0xe8, i & 0xff, i >> 8, 0, 0]).flat(),
    );
    const [main, calls, jumps, bits] = encodeBcj2(program);
    const bcj2 = { method: '0303011b', inputs: 4 };
    const lzma = encodeLzma(main, undefined, false);
    const packedCalls = deflateRawSync(calls);
    const ways: Omit<SevenZipFolder, 'files'>[] = [
      { coders: [bcj2], packed: [main, calls, jumps, bits] },
      {
        coders: [bcj2, LZMA],
        packed: [calls, jumps, bits, lzma],
        sizes: [program.length, main.length],
      },
      {
        coders: [bcj2, { method: '040108' }, LZMA],
        packed: [jumps, bits, packedCalls, lzma],
        links: [
          [0, 2],
          [1, 1],
        ],
        sizes: [program.length, calls.length, main.length],
      },
    ];
    for (const way of ways) {
      const bytes = sevenZipOf([{ ...way, files: [{ name: 'a.exe', data: program }] }, compressedLzma]);
      expect(await read(bytes)).toEqual({
        entries: [{ name: 'a.exe', text: program.toString('latin1') }, ...expected],
        reason: null,
      });
    }
  });

  it.each<[string, Omit<SevenZipFolder, 'files'>]>([
    ['takes its own output', { coders: [COPY, COPY], packed: all, links: [[1, 1]] }],
    ['takes an output that is not there', { coders: [COPY, COPY], packed: all, links: [[0, 9]] }],
    [
      'takes an output twice',
      {
        coders: [{ method: '0303011b', inputs: 4 }, COPY, COPY],
        packed: [all, all, all, all],
        links: [
          [0, 1],
          [1, 1],
        ],
      },
    ],
  ])('a coder that %s is refused', async (_, folder) => {
    const { entries } = await read(sevenZipOf([{ ...folder, files }, compressedLzma]));
    expect(entries[0]?.reason).toBe('corrupt: 7z header');
    expect(entries.slice(3)).toEqual(expected);
  });

  it('the windows of all coders of a folder share one limit, and are released', async () => {
    const data = Buffer.alloc(1024 * 1024, 'all work and no play\n');
    const [one, two] = [lzma2Stored(data), lzma2Stored(lzma2Stored(data))];
    const coders = [LZMA2, LZMA2, { method: '04f71101' }];
    const sizes = [data.length, one.length, two.length];
    const file = sevenZipOf([{ coders, packed: zstdRaw(two), sizes, files: [{ name: 'a', data }] }]);
    for (const windowBytes of [512 * 1024, 4096 * 1024]) {
      const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, windowBytes });
      const { entries } = await contentsOf(read7z(inMemory(file), budget), 2e7);
      expect(entries[0]?.reason).toBe(windowBytes > 2 ** 20 ? undefined : 'limit: dictionary');
      expect(budget.windows.left).toBe(windowBytes);
    }
  });

  it('an unusual number of dictionaries exceeds a limit', async () => {
    const coders = Array.from({ length: 5 }, () => LZMA2);
    const { entries } = await read(sevenZipOf([{ coders, packed: all, files }]));
    expect(entries[0]?.reason).toBe('limit: dictionary');
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
