import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { collect, mutated } from './data.fixture.ts';
import {
  type ColumnParts,
  closed,
  DICTIONARY,
  type Fields,
  page,
  parquetFile,
  plainTexts,
  repeated,
  thrift,
  varint,
} from './parquet/parquet.fixture.ts';
import { readParquet } from './parquet.ts';

const GZIP = 2;
const LZO = 3;
const ZSTD = 6;

const good = page({ values: 2, body: plainTexts('ada', 'bob') });
const fine: ColumnParts = { name: 'fine', values: 2, pages: good };

async function errorOf(bytes: Uint8Array, limits: object = {}): Promise<string | null> {
  return (await collect(readParquet, bytes, limits)).error;
}

/** A bad column, and a good one that is read all the same. */
async function besideGood(bad: Partial<ColumnParts>, limits: object = {}): Promise<string | null> {
  const bytes = parquetFile([{ name: 'bad', values: 2, pages: good, ...bad }, fine], 2);
  const { texts, error } = await collect(readParquet, bytes, limits);
  expect(texts.at(-1)).toMatchObject({ columns: ['fine'], text: 'ada\nbob\n' });
  return error;
}

describe('Parquet that claims too much', () => {
  it.each<[string, Partial<ColumnParts>, string]>([
    [
      'a page longer than the file',
      { pages: page({ values: 2, body: good, compressedSize: 2 ** 30 }) },
      'truncated Parquet column',
    ],
    [
      'a page of negative length',
      { pages: page({ values: 2, body: good, compressedSize: -1 }) },
      'Parquet page',
    ],
    [
      'a page of two gigabytes',
      {
        codec: ZSTD,
        pages: page({ values: 2, body: zstdCompressSync(good), uncompressedSize: 2 ** 31 - 1 }),
      },
      'Parquet page',
    ],
    [
      'more values than there are',
      { pages: page({ values: 2e9 - 100, body: plainTexts('a') }) },
      'Parquet page',
    ],
    ['fewer values than the chunk has', { values: 3 }, 'truncated Parquet column'],
    ['a chunk behind the end', { metadata: { 9: 10n ** 15n } }, 'truncated Parquet column'],
    ['a chunk before the beginning', { metadata: { 9: -5n } }, 'truncated Parquet column'],
    ['a chunk of another type', { metadata: { 1: 1 } }, 'Parquet schema'],
    ['texts without a length', { type: 7, element: { 2: 0 } }, 'Parquet schema'],
    ['an unknown encoding', { pages: page({ values: 2, encoding: 77, body: good }) }, 'Parquet encoding'],
    ['an obsolete codec', { codec: LZO }, 'Parquet codec'],
    [
      'no dictionary',
      { pages: page({ values: 2, encoding: DICTIONARY, body: Buffer.of(1, 4, 0) }) },
      'Parquet page',
    ],
    ['values in another file', { chunk: { 1: 'elsewhere.parquet' } }, 'Parquet column in another file'],
    ['values that are encrypted', { chunk: { 8: { 1: {} } } }, 'encrypted'],
  ])('%s is reported, and the other columns are read', async (_, bad, what) => {
    expect(await besideGood(bad)).toContain(what);
  });

  it.each([
    [2 ** 31 - 1, plainTexts('a')],
    [5, plainTexts('a')],
    [1, Buffer.of(255, 255, 255, 255, 0x61)],
  ])('a dictionary that claims %i values', async (values, body) => {
    const pages = Buffer.concat([
      page({ kind: 'dictionary', values, body }),
      page({ values: 2, encoding: DICTIONARY, body: Buffer.of(1, 4, 0) }),
    ]);
    expect(await besideGood({ pages })).toBe('corrupt: Parquet page');
  });

  it('an index outside the dictionary is reported after the rows before it', async () => {
    const texts = plainTexts('ada', 'bob', 'eve', 'dan', 'pia');
    const numbers = Buffer.concat([Buffer.of(8), repeated(3, 1500), repeated(5, 1), repeated(0, 10)]);
    const pages = Buffer.concat([
      page({ kind: 'dictionary', values: 5, body: texts }),
      page({ values: 1511, encoding: DICTIONARY, body: numbers }),
    ]);
    const { texts: read, error } = await collect(readParquet, parquetFile([{ values: 1511, pages }], 1511));
    expect(read[0]?.text).toBe('dan\n'.repeat(1500));
    expect(error).toBe('corrupt: Parquet page');
  });

  it('unreferenced dictionary values may be invalid', async () => {
    const schema: Fields[] = [
      { 4: 'root', 5: 1 },
      { 3: 0, 4: 'v', 5: 1, 10: { 16: {} } },
      { 1: 6, 3: 0, 4: 'value' },
    ];
    const pages = Buffer.concat([
      page({ kind: 'dictionary', values: 2, body: plainTexts('\tab', '\u0002') }),
      page({ values: 8, encoding: DICTIONARY, body: Buffer.concat([Buffer.of(1), repeated(0, 8)]) }),
    ]);
    const { texts, error } = await collect(
      readParquet,
      parquetFile([{ values: 8, pages }], 8, { 2: schema }),
    );
    expect([texts[0]?.text, error]).toEqual(['ab\n'.repeat(8), null]);
  });

  it('a number that is not in the dictionary', async () => {
    const pages = Buffer.concat([
      page({ kind: 'dictionary', values: 1, body: plainTexts('a') }),
      page({ values: 2, encoding: DICTIONARY, body: Buffer.concat([Buffer.of(8), repeated(200, 2)]) }),
    ]);
    expect(await besideGood({ pages })).toBe('corrupt: Parquet page');
  });

  it('a few bytes that represent a long text a billion times end at the ratio', async () => {
    const pages = Buffer.concat([
      page({ kind: 'dictionary', values: 1, body: plainTexts('x'.repeat(10_000)) }),
      page({ values: 1e9, encoding: DICTIONARY, body: Buffer.concat([Buffer.of(8), repeated(0, 1e9)]) }),
    ]);
    const bytes = parquetFile([{ values: 1e9, pages }], 1e9);
    const { texts, error } = await collect(readParquet, bytes, { ratio: 100, ratioFloor: 1e6 });
    expect(error).toBe('limit: compression ratio');
    expect(texts[0]?.text.length).toBeLessThan(1.2e6);
  });

  it('bytes that are not text are not examined a billion times either', async () => {
    const pages = Buffer.concat([
      page({ kind: 'dictionary', values: 1, body: plainTexts(`${'x'.repeat(10_000)}\0`) }),
      page({ values: 1e9, encoding: DICTIONARY, body: Buffer.concat([Buffer.of(8), repeated(0, 1e9)]) }),
    ]);
    const bytes = parquetFile([{ values: 1e9, pages, element: { 6: 77 } }], 1e9);
    expect(await errorOf(bytes, { ratio: 100, ratioFloor: 1e6 })).toBe('limit: compression ratio');
  });

  it('a text that grows from the one before a billion times ends at the ratio, too', async () => {
    const long = 'x'.repeat(10_000);
    const header = (first: bigint) => [varint(128n), varint(4n), varint(10n ** 9n), varint(2n * first)];
    const block = [varint(0n), Buffer.alloc(4)];
    const blocks = Array.from({ length: 2000 }, () => block).flat();
    const prefixes = [...header(0n), varint(20_000n), Buffer.alloc(4), ...blocks.slice(2)];
    const body = Buffer.concat([...prefixes, ...header(10_000n), ...blocks, Buffer.from(long)]);
    const bytes = parquetFile([{ values: 1e9, pages: page({ values: 1e9, encoding: 7, body }) }], 1e9);
    const { error } = await collect(readParquet, bytes, { ratio: 100, ratioFloor: 1e6 });
    expect(error).toMatch(/limit: compression ratio|corrupt: Parquet page/);
  });

  it('a billion missing values are passed at once', async () => {
    const levels = Buffer.concat([Buffer.of(6, 0, 0, 0), repeated(0, 1e9), Buffer.of(0)]);
    const pages = page({ values: 1e9, body: levels });
    const bytes = parquetFile([{ values: 1e9, pages, element: { 3: 1 } }, fine], 1e9);
    const { texts, error } = await collect(readParquet, bytes);
    expect(texts).toMatchObject([{ columns: ['fine'] }]);
    expect(error).toBe('corrupt: Parquet row count');
  });

  it('missing values between others are rows', async () => {
    const levels = Buffer.concat([repeated(0, 5), repeated(1, 1), repeated(0, 200_000), repeated(1, 1)]);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(levels.length);
    const pages = page({ values: 200_007, body: Buffer.concat([length, levels, plainTexts('a', 'b')]) });
    const bytes = parquetFile([{ values: 200_007, pages, element: { 3: 1 } }], 200_007);
    const { texts, error } = await collect(readParquet, bytes);
    expect(error).toBeNull();
    expect(texts).toMatchObject([{ firstRow: 6, text: `a\n${'\n'.repeat(200_000)}b\n` }]);
  });

  it('a billion empty texts are not counted out', async () => {
    const pages = Buffer.concat([
      page({ kind: 'dictionary', values: 1, body: plainTexts('') }),
      page({ values: 1e9, encoding: DICTIONARY, body: Buffer.concat([Buffer.of(8), repeated(0, 1e9)]) }),
    ]);
    const bytes = parquetFile([{ values: 1e9, pages }], 1e9);
    expect(await errorOf(bytes, { ratioFloor: 1e6 })).toBe('limit: compression ratio');
  });

  it('cells are counted before they are read', async () => {
    const bytes = parquetFile([{ values: 1e9, pages: page({ values: 1e9, body: plainTexts('a') }) }], 1e9);
    expect(await errorOf(bytes, { cells: 1e8 })).toBe('limit: cells');
  });

  it('a page whose output would exceed the limit is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const column = (uncompressedSize: number): ColumnParts => ({
      codec: GZIP,
      values: 2,
      pages: page({ values: 2, body: bomb, uncompressedSize }),
    });
    expect(await errorOf(parquetFile([column(20_000_000)], 2), { ratioFloor: 1e6, ratio: 100 })).toBe(
      'limit: compression ratio',
    );
    expect(await errorOf(parquetFile([column(1000)], 2))).toBe('limit: compression ratio');
    expect(await errorOf(parquetFile([column(20_000_000)], 2), { documentMegabytes: 40 })).toBe(
      'limit: Parquet page',
    );
    expect(await errorOf(parquetFile([column(20_000_000)], 2), { decompressedBytes: 1e6 })).toBe(
      'limit: decompressed size',
    );
  });

  it('many columns that are the same bytes cost no more than the ratio allows', async () => {
    const body = plainTexts('x'.repeat(50_000));
    const one = { values: 1, pages: page({ values: 1, body }) };
    const same = Array.from({ length: 500 }, () => ({
      ...one,
      pages: Buffer.alloc(0),
      metadata: { 7: 60_000n, 9: 4n },
    }));
    const { texts, error } = await collect(readParquet, parquetFile([one, ...same], 1), {
      ratio: 5,
      ratioFloor: 1e6,
    });
    expect(error).toBe('limit: compression ratio');
    expect(texts.length).toBeLessThan(30);
  });
});

describe('Parquet metadata', () => {
  const footerOf = (fields: Fields): Buffer => closed([Buffer.from('PAR1')], thrift(fields));

  it.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(0), 'corrupt: truncated Parquet file'],
    ['the magic alone', Buffer.from('PAR1PAR1'), 'corrupt: Parquet metadata'],
    [
      'a footer longer than the file',
      closed([Buffer.from('PAR1')], Buffer.alloc(9), 2 ** 31),
      'corrupt: Parquet metadata',
    ],
    [
      'a footer without row groups',
      footerOf({ 1: 2, 2: [{ 4: 'root', 5: 0 }] }),
      'corrupt: Parquet metadata',
    ],
    [
      'a tree with fewer elements than it says',
      footerOf({ 2: [{ 4: 'root', 5: 1000 }], 4: [] }),
      'corrupt: Parquet schema',
    ],
    [
      'a tree that is too deep',
      footerOf({ 2: Array.from({ length: 100 }, () => ({ 4: 'a', 5: 1 })), 4: [] }),
      'corrupt: Parquet schema',
    ],
    [
      'more columns than anybody has',
      footerOf({ 2: [{ 4: 'root', 5: 1 }, ...Array.from({ length: 200_000 }, () => ({ 1: 1 }))], 4: [] }),
      'limit: Parquet columns',
    ],
    [
      'a row group with other columns than the schema',
      footerOf({
        2: [
          { 4: 'root', 5: 1 },
          { 1: 6, 4: 'a' },
        ],
        4: [{ 1: [], 3: 1n }],
      }),
      'corrupt: Parquet metadata',
    ],
    [
      'structs in structs in structs',
      closed([Buffer.from('PAR1')], Buffer.alloc(5000, 0x1c)),
      'corrupt: Parquet metadata',
    ],
    [
      'lists in lists in lists',
      closed([Buffer.from('PAR1')], Buffer.alloc(5000, 0x19)),
      'corrupt: Parquet metadata',
    ],
    [
      'a list longer than the file',
      closed([Buffer.from('PAR1')], Buffer.of(0x29, 0xfc, 255, 255, 255, 255, 15)),
      'corrupt: Parquet metadata',
    ],
    ['an encrypted footer', Buffer.from('PAREabcdefghPARE'), 'encrypted'],
  ])('%s is reported', async (_, bytes, what) => {
    expect(await collect(readParquet, bytes)).toMatchObject({ texts: [], error: what });
  });
});

describe('damaged Parquet', () => {
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'name', data: ['Ada', 'Bob', null, 'Cleo', 'Ada', 'Ada', 'Ada', 'Ada'], type: 'STRING' },
        {
          name: 'phone',
          data: [1n, 2n, 3n, 4n, 5n, 6n, 7n, null],
          type: 'INT64',
          encoding: 'DELTA_BINARY_PACKED',
        },
        {
          name: 'mail',
          data: ['a@x.org', 'ab@x.org', 'abc', null, 'd', 'e', 'f', 'g'],
          encoding: 'DELTA_BYTE_ARRAY',
        },
        { name: 'list', data: [['a', 'b'], [], ['c'], null, ['d'], ['e'], ['f'], ['g']] },
      ],
      rowGroupSize: 5,
      statistics: false,
    }),
  );

  it('truncated anywhere, it is reported', async () => {
    for (let end = 0; end < bytes.length; end++)
      expect(await errorOf(bytes.subarray(0, end))).toBe('corrupt: truncated Parquet file');
  });

  it('with bytes changed anywhere, it yields bounded text or an error', async () => {
    for (let seed = 0; seed < 3000; seed++) {
      const { texts } = await collect(readParquet, mutated(bytes, seed));
      expect(texts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(2e7);
    }
  });

  it('random bytes for pages of every encoding', async () => {
    const compressed = deflateRawSync(bytes);
    for (let seed = 0; seed < 1500; seed++) {
      const body = mutated(compressed.subarray(seed % 100, (seed % 100) + 60), seed);
      const pages = page({ values: 20, encoding: seed % 10, body, kind: seed % 3 === 0 ? 'v2' : 'data' });
      const element = { 3: seed % 2 };
      const type = [6, 2, 1][seed % 3]!;
      await collect(readParquet, parquetFile([{ values: 20, pages, type, element }], 20));
    }
  });
});
