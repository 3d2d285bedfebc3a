import { deflateRawSync, gzipSync } from 'node:zlib';
import {
  block,
  compressedBlock,
  header,
  long,
  record,
  text,
} from '../../documents/data/avro/avro.fixture.ts';
import {
  DICTIONARY,
  type Fields,
  page,
  parquetFile,
  plainTexts,
  repeated,
} from '../../documents/data/parquet/parquet.fixture.ts';
import { sqliteFile } from '../../documents/data/sqlite/sqlite.fixture.ts';
import { hostileFiles } from './hostile-file.fixture.ts';

const MILLION = 1_000_000;
const PAGE = 1024;

/** A dictionary of one text, and this many references to it in one run. */
const runs = (text: string, values: number, pages = 1) => {
  const body = Buffer.concat([Buffer.of(8), repeated(0, values)]);
  const data = page({ values, encoding: DICTIONARY, body });
  const dictionary = page({ kind: 'dictionary', values: 1, body: plainTexts(text) });
  return parquetFile(
    [
      {
        values: values * pages,
        pages: Buffer.concat([dictionary, ...Array.from({ length: pages }, () => data)]),
        metadata: { 2: [0, DICTIONARY], 9: BigInt(4 + dictionary.length), 11: 4n },
      },
    ],
    values * pages,
  );
};

/** All row groups are the same bytes. */
const sameGroups = (groups: number) => {
  const rows = 2000;
  const pages = page({
    values: rows,
    body: plainTexts(...Array.from({ length: rows }, (_, i) => `text ${i} of a column`)),
  });
  const own: Fields = {
    1: 6,
    2: [0],
    3: ['a'],
    4: 0,
    5: BigInt(rows),
    6: BigInt(pages.length),
    7: BigInt(pages.length),
    9: 4n,
  };
  const group: Fields = { 1: [{ 2: 0n, 3: own }], 2: 0n, 3: BigInt(rows) };
  return parquetFile([{ values: rows, pages }], rows * groups, {
    4: Array.from({ length: groups }, () => group),
  });
};

const manyColumns = (columns: number) =>
  parquetFile(
    Array.from({ length: columns }, (_, i) => ({
      name: `c${i}`,
      values: 1,
      pages: page({ values: 1, body: plainTexts('x') }),
    })),
    1,
  );

const sqlite = (fill: string, insert: (run: (...values: (string | number)[]) => void) => void = () => {}) =>
  sqliteFile((database) => {
    database.exec(`PRAGMA page_size = ${PAGE}; ${fill}`);
    if (!fill.includes('TABLE t')) return;
    const statement = database.prepare('INSERT INTO t VALUES (?)');
    insert((...values) => statement.run(...values));
  });

/** All tables have the same pages. */
function sameTables(tables: number): Buffer {
  const names = Array.from({ length: tables }, (_, i) => `CREATE TABLE x${i} (a TEXT);`).join('');
  const file = sqlite(`${names} CREATE TABLE t (a TEXT)`, (run) => {
    for (let i = 0; i < 3000; i++) run(`a text in row ${i} of the table`);
  });
  const root = file.subarray(0, PAGE);
  const roots = Array.from({ length: tables }, (_, i) => 2 + i);
  const marker = Buffer.from('CREATE TABLE x');
  for (let at = file.indexOf(marker); at !== -1; at = file.indexOf(marker, at + 1)) {
    const number = file[at - 1]!;
    if (roots.includes(number) || number > 0)
      file[at - 1] = Math.min(number, 127) && lastRoot(file) < 128 ? lastRoot(file) : number;
  }
  return root.length > 0 ? file : Buffer.alloc(0);
}

const lastRoot = (file: Buffer) => file[file.indexOf('CREATE TABLE t') - 1]!;

/** An inner page whose cells all lead to the same page, over and over. */
function sameChildren(levels: number): Buffer {
  const file = sqlite('CREATE TABLE t (a TEXT)', (run) => {
    for (let i = 0; i < 20; i++) run(`row ${i}`);
  });
  const leaf = file.subarray(PAGE, 2 * PAGE);
  const inner = (child: number) => {
    const bytes = Buffer.alloc(PAGE);
    const cells = 120;
    bytes[0] = 5;
    bytes.writeUInt16BE(cells, 3);
    bytes.writeUInt16BE(PAGE - 6 * cells, 5);
    bytes.writeUInt32BE(child, 8);
    for (let i = 0; i < cells; i++) {
      bytes.writeUInt16BE(PAGE - 6 * (i + 1), 12 + 2 * i);
      bytes.writeUInt32BE(child, PAGE - 6 * (i + 1));
      bytes[PAGE - 6 * (i + 1) + 4] = 1;
    }
    return bytes;
  };
  const pages = Array.from({ length: levels }, (_, i) => inner(i === levels - 1 ? 2 + levels : 3 + i));
  const all = Buffer.concat([file.subarray(0, PAGE), ...pages, leaf]);
  all.writeUInt32BE(all.length / PAGE, 28);
  return all;
}

/** Long values whose other pages follow each other in a circle. */
function overflowLoop(): Buffer {
  const file = sqlite('CREATE TABLE t (a TEXT)', (run) => {
    for (let i = 0; i < 200; i++) run('long '.repeat(2000));
  });
  for (let at = 2 * PAGE; at < file.length; at += PAGE) {
    const next = file.readUInt32BE(at);
    if (next > 0 && next < file.length / PAGE) file.writeUInt32BE(at / PAGE + 1, at);
  }
  return file;
}

const array = (items: unknown) => record({ a: { type: 'array', items } });
const nested = (depth: number): unknown =>
  depth === 0 ? 'null' : { type: 'array', items: nested(depth - 1) };

export const dataFiles = hostileFiles({
  'parquet: a million values in one run': ['a.parquet', () => runs('a text of some length', MILLION, 200)],
  'parquet: a long text in a million rows': ['a.parquet', () => runs('x'.repeat(MILLION), MILLION)],
  'parquet: two billion empty values': ['a.parquet', () => runs('', 2 ** 31 - 1, 50)],
  'parquet: 5,000 row groups of the same bytes': ['a.parquet', () => sameGroups(5000)],
  'parquet: 5,000 columns': ['a.parquet', () => manyColumns(5000)],
  'parquet: a packed page of one letter': [
    'a.parquet',
    () => {
      const body = plainTexts('a'.repeat(200 * MILLION));
      return parquetFile(
        [
          {
            codec: 2,
            values: 1,
            pages: page({ values: 1, body: gzipSync(body), uncompressedSize: body.length }),
          },
        ],
        1,
      );
    },
  ],
  'avro: an array of a trillion nulls': [
    'a.avro',
    () => Buffer.concat([header(array('null')), block([Buffer.concat([long(2 ** 40), long(0)])])]),
  ],
  'avro: arrays of nothing in each other': [
    'a.avro',
    () =>
      Buffer.concat([
        header(record({ a: nested(500) })),
        block(
          Array.from({ length: 1000 }, () => Buffer.concat(Array.from({ length: 500 }, () => long(1000)))),
        ),
      ]),
  ],
  'avro: a schema 20,000 deep': [
    'a.avro',
    () => header(`${'{"type":"array","items":'.repeat(20_000)}"null"${'}'.repeat(20_000)}`),
  ],
  'avro: records of empty records': [
    'a.avro',
    () =>
      Buffer.concat([
        header(array(record({}, 'Inner'))),
        block(Array.from({ length: 1000 }, () => Buffer.concat([long(2 ** 31), long(0)]))),
      ]),
  ],
  'avro: a type of itself': [
    'a.avro',
    () =>
      Buffer.concat([
        header(record({ next: ['null', 'Row'], text: 'string' })),
        block([Buffer.concat([Buffer.alloc(MILLION, 2), long(0), text('x')])]),
      ]),
  ],
  'avro: blocks of nothing': [
    'a.avro',
    () =>
      Buffer.concat([header(record({ a: 'string' })), ...Array.from({ length: 200_000 }, () => block([]))]),
  ],
  'avro: 20 million short texts': [
    'a.avro',
    () =>
      Buffer.concat([
        header(record({ a: 'string' }), { 'avro.codec': 'deflate' }),
        compressedBlock(deflateRawSync(Buffer.alloc(40 * MILLION, Buffer.from([2, 97]))), {
          count: 20 * MILLION,
        }),
      ]),
  ],
  'avro: rows of 20,000 columns': [
    'a.avro',
    () =>
      Buffer.concat([
        header(record(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`c${i}`, 'null'])))),
        block([], { count: 10_000_000 }),
      ]),
  ],
  'sqlite: a tree of the same page': ['a.sqlite', () => sameChildren(6)],
  'sqlite: tables of the same pages': ['a.sqlite', () => sameTables(60)],
  'sqlite: long values in a circle': ['a.sqlite', overflowLoop],
  'sqlite: 2,000 columns': [
    'a.sqlite',
    () =>
      sqlite(
        `CREATE TABLE w (${Array.from({ length: 2000 }, (_, i) => `c${i}`).join(', ')}); INSERT INTO w (c1999) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT i FROM n`,
      ),
  ],
});
