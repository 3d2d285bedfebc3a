import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { encodeBcj2 } from '../../formats/compression/filters/bcj2.fixture.ts';
import { encodeLzma, encodeLzma2 } from '../../formats/compression/lzma/lzma.fixture.ts';
import { COPY, LZMA2, number, type SevenZipFolder, sevenZipOf, startOf } from './seven-zip.fixture.ts';
import {
  all,
  compressedLzma,
  expected,
  files,
  header,
  lines,
  read,
  solid,
} from './seven-zip-files.fixture.ts';

describe('a damaged 7z', () => {
  it('reports truncation at every position', async () => {
    const whole = sevenZipOf(
      [
        {
          ...compressedLzma,
          packed: encodeLzma(Buffer.from('onetwo')),
          files: [{ name: 'a', data: 'onetwo' }],
        },
      ],
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
      { ...compressedLzma, files: [{ ...files[0]!, sum: 1 }, ...files.slice(1)] },
      'corrupt: 7z checksum',
    ],
    ['noise', { ...compressedLzma, packed: Buffer.alloc(999, 0xee) }, 'corrupt: lzma data'],
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
      'properties of PPMd that are missing',
      solid([{ method: '030401', properties: [6] }], (bytes) => bytes),
      'corrupt: 7z header',
    ],
    [
      'a dictionary that cannot be',
      solid([{ method: '21', properties: [99] }], (bytes) => bytes),
      'corrupt: lzma data',
    ],
  ])('gives the folder behind one with %s', async (_, folder, reason) => {
    const { entries } = await read(sevenZipOf([folder, compressedLzma]));
    expect(entries.map((entry) => entry.reason)).toContain(reason);
    expect(entries.slice(3)).toEqual(expected);
  });

  it('reports a folder that fails midway for each file from there', async () => {
    const packed = encodeLzma(all, undefined, false).subarray(0, 2000);
    const { entries } = await read(sevenZipOf([{ ...compressedLzma, packed }]));
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

  it('reports streams without a file', async () => {
    const bytes = sevenZipOf([compressedLzma], {
      spoil: (plain) => Buffer.concat([plain.subarray(0, plain.indexOf('0503', 'hex')), Buffer.from([0])]),
    });
    expect(await read(bytes)).toEqual({ entries: [], reason: 'corrupt: 7z header' });
  });

  it('with any bytes changed ends in entries or an error', async () => {
    const folder = {
      ...compressedLzma,
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
    const parted = encodeBcj2(Buffer.from('\xe8one.\xe9two.', 'latin1'));
    const program = {
      coders: [{ method: '0303011b', inputs: 4 }, LZMA2],
      packed: [...parted.slice(1), encodeLzma2(parted[0])],
      sizes: [10, parted[0].length],
      files: [{ name: 'p', data: Buffer.from('\xe8one.\xe9two.', 'latin1') }],
    };
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(changes, changes, fc.boolean(), async (inHeader, anywhere, packed) => {
        const spoil = (plain: Buffer) => changed(plain, inHeader);
        const shape = { empty: ['e'], folders: ['d'], deleted: ['x'], spoil, ...(packed ? { header } : {}) };
        const bytes = sevenZipOf([folder, two, program], shape);
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

  it('is aborted above the ratio', async () => {
    const { entries } = await read(sevenZipOf([bomb]), { ...DEFAULT_LIMITS, ratio: 100 });
    expect(entries.map((entry) => entry.reason)).toEqual([
      'limit: compression ratio',
      'limit: compression ratio',
    ]);
  });

  it('ends at the output limit and at the entry limit', async () => {
    const bytes = sevenZipOf([compressedLzma, compressedLzma]);
    const { entries, reason } = await read(bytes, { ...DEFAULT_LIMITS, decompressedBytes: 1000 });
    expect([entries.length, reason]).toEqual([1, 'limit: decompressed size']);
    const few = await read(bytes, { ...DEFAULT_LIMITS, entries: 4 });
    expect([few.entries.length, few.reason]).toEqual([4, 'limit: entries']);
  });

  it('of a header that unpacks to more than fits is refused', async () => {
    const huge = { coders: [LZMA2], pack: () => encodeLzma2(zeros, undefined, 2_000_000) };
    expect((await read(sevenZipOf([compressedLzma], { header: huge }))).reason).toMatch(/^corrupt: /);
  });
});
