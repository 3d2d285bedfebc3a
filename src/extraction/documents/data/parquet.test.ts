import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import type { CompressionCodec, Encoding } from 'hyparquet';
import { type BasicType, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { cellText } from '../../grid.ts';
import { collect } from './data.fixture.ts';
import { page, parquetFile, plainTexts } from './parquet/parquet.fixture.ts';
import { readParquet } from './parquet.ts';

// Written by Arrow 26 with pages of the first version: texts, lists, days, timestamps of 96 bits, decimals of 9 bytes.
const ARROW = Buffer.from(
  'UEFSMRUEFUwVTkwVBBUAEgAAJkgPAAAAYWRhQGV4YW1wbGUuY29tARM4Ym9iQGV4YW1wbGUuY29tFQAVEhUWLBUIFRAVBhUGHAAA' +
    'AAkgAgAAAAMNAQMCFQQVKBUsTBUIFQASAAAUTAEAAAAxAQAAADIBAAAAMwEAAAA0FQAVIhUmLBUOFRAVBhUGHAAAABFAAgAAAANi' +
    'AwAAAAMfOwID5AAVBBUQFRRMFQQVABIAAAgczBUAADIk//8VABUSFRYsFQgVEBUGFQYcAAAACSACAAAAAwUBAwIVBBUYFRxMFQIV' +
    'ABIAAAwsAJRluNcqAADSiiUAFQAVEhUWLBUIFRAVBhUGHAAAAAkgAgAAAAgBAQgAFQQVJBUgTBUEFQASAAASAP8NASSDAAAAAAAA' +
    'mJZ/FQAVEhUWLBUIFRAVBhUGHAAAAAkgAgAAAAMFAQMCFQQZjDUAGAZzY2hlbWEVCgAVDCUCGARtYWlsJQBMHAAAADUCGAZwaG9u' +
    'ZXMVAhUGTDwAAAA1BBgEbGlzdBUCABUMJQIYB2VsZW1lbnQlAEwcAAAAFQIlAhgEYm9ybiUMTGwAAAAVBiUCGARzZWVuABUOFRIV' +
    'AhgEb3dlZCUKFQQVKCxcFQQVKAAAABYIGRwZXCYAHBUMGTUABhAZGARtYWlsFQIWCBagARamASZyJggpLBUEFQAVAgAVABUQFQIA' +
    'PBZaGQYZJgIGAAAAJgAcFQwZNQAGEBk4BnBob25lcwRsaXN0B2VsZW1lbnQVAhYOFowBFpQBJvYBJq4BKSwVBBUAFQIAFQAVEBUC' +
    'ADwWCBkmCAYZRgICAggAAAAmABwVAhk1AAYQGRgEYm9ybhUCFggWZBZsJvICJsICKSwVBBUAFQIAFQAVEBUCADwpBhkmBAQAAAAm' +
    'ABwVBhk1AAYQGRgEc2VlbhUCFggWbBZ0JuYDJq4DKSwVBBUAFQIAFQAVEBUCADwpBhkmAAgAAAAmABwVDhk1AAYQGRgEb3dlZBUC' +
    'FggWeBZ4Jt4EJqIEKSwVBBUAFQIAFQAVEBUCADwpBhkmBAQAAAAW9AQWCCYIFpIFACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lv' +
    'biAyNi4wLjEZXBwAABwAABwAABwAABwAAAAGAgAAUEFSMQ==',
  'base64',
);

const compressors = { GZIP: gzipSync, ZSTD: zstdCompressSync, BROTLI: brotliCompressSync };

type Columns = Parameters<typeof parquetWriteBuffer>[0]['columnData'];

function written(columnData: Columns, options: object = {}): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, compressors, ...options }));
}

/** The text of each column, by its name. */
async function columnsOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const { texts, error } = await collect(readParquet, bytes);
  expect(error).toBeNull();
  return Object.fromEntries(texts.map(({ columns, text }) => [columns?.[0], text]));
}

describe('Parquet', () => {
  it('a column of a row group is a table, and its rows have the numbers of the file', async () => {
    const names = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve'];
    const bytes = written(
      [
        { name: 'name', data: names, type: 'STRING' },
        { name: 'phone', data: [5551234567n, 1n, 2n, 3n, null], type: 'INT64' },
      ],
      { rowGroupSize: 3 },
    );
    const { texts, error } = await collect(readParquet, bytes);
    expect(error).toBeNull();
    expect(texts).toEqual([
      { location: null, columns: ['name'], firstRow: 1, text: 'Ada\nBob\nCleo\n' },
      { location: null, columns: ['phone'], firstRow: 1, text: '5551234567\n1\n2\n' },
      { location: null, columns: ['name'], firstRow: 4, text: 'Dan\nEve\n' },
      { location: null, columns: ['phone'], firstRow: 4, text: '3\n\n' },
    ]);
  });

  it('pages of the first version, lists, days and old timestamps', async () => {
    expect(await columnsOf(ARROW)).toEqual({
      mail: 'ada@example.com\n\nbob@example.com\nada@example.com\n',
      phones: '1; 2\n\n\n3; 4\n',
      born: '1985-04-12\n\n1815-12-10\n\n',
      seen: '2024-02-29T13:05:06\n'.repeat(4),
      owed: '-1.25\n\n99999.99\n\n',
    });
  });

  it.each<[BasicType, unknown[], string]>([
    ['JSON', [{ mail: 'a@x.org' }, ['b']], '{"mail":"a@x.org"}\n["b"]\n'],
    ['UUID', ['00112233-4455-6677-8899-aabbccddeeff'], '00112233-4455-6677-8899-aabbccddeeff\n'],
    ['TIMESTAMP', [new Date('2020-01-02T03:04:05Z')], '2020-01-02T03:04:05\n'],
    ['INT32', [-2147483648, 7], '-2147483648\n7\n'],
    ['INT64', [-(2n ** 63n), 2n ** 63n - 1n], '-9223372036854775808\n9223372036854775807\n'],
    ['BYTE_ARRAY', [Buffer.from('café'), Uint8Array.of(0, 255, 1)], 'café\n\n'],
    ['DOUBLE', [5551234567, 0.5, Number.NaN], '5551234567\n\n\n'],
    [
      'VARIANT',
      [{ name: 'Ada', mails: ['a@x.org', 'b@x.org'], n: 12345678901n, yes: true }, 'short', null, 7],
      'a@x.org; b@x.org; 12345678901; Ada\nshort\n\n7\n',
    ],
  ])('values of type %s', async (type, data, text) => {
    expect(await columnsOf(written([{ name: 'a', data, type }]))).toEqual({ a: text });
  });

  it('fields of a variant that have columns of their own are named', async () => {
    const data = [{ name: 'Ada', more: 'x' }, { name: 'Bob' }];
    const bytes = written([{ name: 'v', data, type: 'VARIANT', shredding: { name: 'STRING' } }]);
    expect(await columnsOf(bytes)).toEqual({ v: 'x\n\n', 'v.name': 'Ada\nBob\n' });
  });

  it.each<[string, object, unknown[], string]>([
    ['days', { type: 'INT32', converted_type: 'DATE' }, [new Date('1985-04-12')], '1985-04-12\n'],
    [
      'decimals',
      { type: 'INT32', converted_type: 'DECIMAL', scale: 2, precision: 9 },
      [-1.25, 0.5],
      '-1.25\n0.50\n',
    ],
    [
      'large integers',
      { type: 'INT64', converted_type: 'UINT_64' },
      [2n ** 64n - 1n],
      '18446744073709551615\n',
    ],
    ['unsigned integers', { type: 'INT32', converted_type: 'UINT_32' }, [4294967295], '4294967295\n'],
  ])('%s', async (_, element, data, text) => {
    const schema = [
      { name: 'root', num_children: 1 },
      { name: 'a', repetition_type: 'REQUIRED', ...element },
    ];
    expect(await columnsOf(written([{ name: 'a', data }], { schema }))).toEqual({ a: text });
  });

  it('booleans and fractions are skipped', async () => {
    const bytes = written([
      { name: 'yes', data: [true, false], type: 'BOOLEAN' },
      { name: 'size', data: [0.5, 7], type: 'FLOAT' },
    ]);
    expect(await collect(readParquet, bytes)).toMatchObject({ texts: [], error: null });
  });

  it('nested fields are named by their way, lists and maps without the names of their inside', async () => {
    const group = (name: string, children: number, more: object = {}) => ({
      name,
      num_children: children,
      repetition_type: 'OPTIONAL',
      ...more,
    });
    const text = (name: string) => ({
      name,
      type: 'BYTE_ARRAY',
      converted_type: 'UTF8',
      repetition_type: 'OPTIONAL',
    });
    const schema = [
      { name: 'root', num_children: 3 },
      group('person', 2),
      text('name'),
      group('address', 1),
      text('street'),
      group('mails', 1, { converted_type: 'LIST' }),
      group('list', 1, { repetition_type: 'REPEATED' }),
      text('element'),
      group('tags', 1, { converted_type: 'MAP' }),
      group('key_value', 2, { repetition_type: 'REPEATED' }),
      { ...text('key'), repetition_type: 'REQUIRED' },
      text('value'),
    ];
    const columnData = [
      {
        name: 'person',
        data: [{ name: 'Ada', address: { street: 'Main' } }, null, { name: null, address: null }],
      },
      { name: 'mails', data: [['a', 'b'], [], ['c']] },
      { name: 'tags', data: [{ k: 'v', l: 'w' }, null, {}] },
    ];
    expect(await columnsOf(written(columnData, { schema }))).toEqual({
      'person.name': 'Ada\n\n\n',
      'person.address.street': 'Main\n\n\n',
      mails: 'a; b\n\nc\n',
      'tags.key': 'k; l\n\n\n',
      'tags.value': 'v; w\n\n\n',
    });
  });

  it('columns without a value are no text, and rows before the first value are counted', async () => {
    const bytes = written([
      { name: 'none', data: [null, null, null], type: 'STRING' },
      { name: 'late', data: [null, null, 'x'], type: 'STRING' },
    ]);
    const { texts } = await collect(readParquet, bytes);
    expect(texts).toEqual([{ location: null, columns: ['late'], firstRow: 3, text: 'x\n' }]);
  });

  it('the file metadata is read, except the schema that Arrow adds', async () => {
    const kvMetadata = [
      { key: 'owner', value: 'ada@example.com' },
      { key: 'ARROW:schema', value: 'AAAA' },
    ];
    const { texts } = await collect(readParquet, written([{ name: 'a', data: ['x'] }], { kvMetadata }));
    expect(texts[1]).toMatchObject({ location: 'metadata', text: 'owner: ada@example.com\n' });
    expect(texts).toHaveLength(2);
  });

  it('a long value comes in chunks', async () => {
    const long = 'ž'.repeat(2_000_000);
    const { texts, longest } = await collect(readParquet, written([{ name: 'a', data: ['x', long, 'y'] }]));
    expect(texts[0]?.text).toBe(`x\n${long}\ny\n`);
    expect(longest).toBeLessThan(100_000);
  });

  it('levels of a required column are not expected', async () => {
    const pages = page({ values: 2, body: plainTexts('a', 'b') });
    expect(await columnsOf(parquetFile([{ values: 2, pages }], 2))).toEqual({ a: 'a\nb\n' });
  });
});

describe('Parquet of any shape', () => {
  const codecs: CompressionCodec[] = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'BROTLI'];
  const shape = fc.record({
    codec: fc.constantFrom(...codecs),
    pageSize: fc.constantFrom(50, 500, 1_000_000),
    rowGroupSize: fc.constantFrom(7, 100, 10_000),
  });
  const check = async (
    type: BasicType,
    encoding: Encoding,
    data: (string | number | bigint | null)[],
    options: object,
  ) => {
    const bytes = written([{ name: 'a', data, type, encoding }], options);
    const { texts, error } = await collect(readParquet, bytes);
    expect(error).toBeNull();
    const rows = new Map<number, string>();
    for (const { firstRow, text } of texts)
      text
        .split('\n')
        .slice(0, -1)
        .forEach((line, i) => {
          rows.set(firstRow + i, line);
        });
    data.forEach((value, i) => {
      expect(rows.get(i + 1) ?? '').toBe(value === null ? '' : cellText(String(value)));
    });
  };

  it('texts are read as they were written', async () => {
    const encodings: Encoding[] = ['PLAIN', 'RLE_DICTIONARY', 'DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY'];
    const some = fc.oneof(fc.constantFrom('ada', 'bob', 'ada lovelace', ''), fc.string(), fc.constant(null));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...encodings),
        fc.array(some, { minLength: 1, maxLength: 300 }),
        shape,
        (encoding, data, options) => check('STRING', encoding, data, options),
      ),
      { numRuns: 150 },
    );
  });

  it('and so are many repeated ones, with line ends, or long', async () => {
    const strings = [
      '',
      'ada',
      '"quoted"',
      'two\nlines',
      '\ttab',
      'ž'.repeat(9),
      '\u000eshift',
      'x'.repeat(70_000),
    ];
    const runs = fc.record({
      value: fc.constantFrom(...strings, null),
      times: fc.integer({ min: 1, max: 900 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Encoding>('PLAIN', 'RLE_DICTIONARY'),
        fc.array(runs, { minLength: 1, maxLength: 8 }),
        shape,
        (encoding, all, options) => {
          const few = ({ value, times }: (typeof all)[number]) => (value?.length === 70_000 ? 2 : times);
          const data = all.flatMap((run) => Array.from({ length: few(run) }, () => run.value));
          return check('STRING', encoding, data, options);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each<Encoding>(['PLAIN', 'RLE_DICTIONARY'])('and texts that fill many chunks, %s', async (encoding) => {
    const text = (n: number) => `${'text '.repeat(n % 50)}${n % 90 === 0 ? '\n' : ''}${n % 400}`;
    await check(
      'STRING',
      encoding,
      Array.from({ length: 5000 }, (_, n) => text(n)),
      { codec: 'SNAPPY' },
    );
  });

  it('and numbers out of a large dictionary', async () => {
    const data = Array.from({ length: 20_000 }, (_, n) => (n % 7 === 0 ? null : (n * 7919) % 5000));
    await check('INT32', 'RLE_DICTIONARY', data, { codec: 'SNAPPY' });
  });

  // Differences that need 65 bits are beyond the writer.
  it.each<[BasicType, fc.Arbitrary<number | bigint>]>([
    ['INT32', fc.integer()],
    [
      'INT64',
      fc.oneof(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n - 1n }), fc.bigInt({ min: 0n, max: 1000n })),
    ],
  ])('integers of type %s too', async (type, values) => {
    const encodings: Encoding[] = ['PLAIN', 'RLE_DICTIONARY', 'DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT'];
    const some = fc.oneof(values, values, fc.constant(null));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...encodings),
        fc.array(some, { minLength: 1, maxLength: 300 }),
        shape,
        (encoding, data, options) => check(type, encoding, data, options),
      ),
      { numRuns: 100 },
    );
  });
});
