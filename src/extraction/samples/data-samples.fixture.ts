import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { block, compressedBlock, header, long, record, text } from '../documents/data/avro/avro.fixture.ts';
import { page, parquetFile, plainTexts } from '../documents/data/parquet/parquet.fixture.ts';
import { sqliteFile } from '../documents/data/sqlite/sqlite.fixture.ts';
import { mutated } from './mutate.fixture.ts';
import { MARKER, type Sample } from './sample.fixture.ts';

const ROWS = 60;
const names = Array.from({ length: ROWS }, (_, i) => (i % 3 === 0 ? MARKER : `name ${i % 10}`));

const parquet = new Uint8Array(
  parquetWriteBuffer({
    columnData: [
      { name: 'name', data: names, type: 'STRING' },
      {
        name: 'phone',
        data: names.map((_, i) => (i === 7 ? null : BigInt(5_551_234_000 + i))),
        type: 'INT64',
      },
      { name: 'day', data: names.map((_, i) => new Date(i * 86_400_000)), type: 'TIMESTAMP' },
      { name: 'balance', data: names.map((_, i) => i / 4), type: 'DOUBLE' },
      {
        name: 'mail',
        data: names.map((_, i) => `ann${i}@example.com`),
        type: 'STRING',
        encoding: 'DELTA_BYTE_ARRAY',
      },
    ],
    compressors: { GZIP: gzipSync, ZSTD: zstdCompressSync },
    codec: 'GZIP',
    rowGroupSize: 40,
  }),
);

const PERSON = record({
  name: 'string',
  phone: ['null', 'long'],
  tags: { type: 'array', items: 'string' },
  kind: { type: 'enum', name: 'Kind', symbols: ['A', 'B'] },
});
const person = (name: string) =>
  Buffer.concat([text(name), long(1), long(5551234567), long(2), text('x'), text('y'), long(0), long(1)]);
const people = [person(MARKER), person('Ann'), person('Bob')];
const avro = Buffer.concat([header(PERSON), block(people), block([person('Ann')])]);
const deflated = (data: Uint8Array) =>
  Buffer.concat([
    header(PERSON, { 'avro.codec': 'deflate' }),
    compressedBlock(deflateRawSync(data), { count: people.length }),
  ]);

const sqlite = () =>
  sqliteFile((database) => {
    database.exec(`PRAGMA page_size = 1024;
      CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, phone INT, balance REAL, photo BLOB);
      CREATE TABLE keyed (v TEXT, k TEXT, PRIMARY KEY (k)) WITHOUT ROWID;
      CREATE INDEX by_name ON customers (name)`);
    const insert = database.prepare('INSERT INTO customers VALUES (?, ?, ?, ?, ?)');
    for (const [i, name] of names.entries()) insert.run(i, name, 5_551_234_000 + i, i / 4, Buffer.alloc(i));
    insert.run(ROWS, 'long '.repeat(600), 1, 1, null);
    database.prepare('INSERT INTO keyed VALUES (?, ?)').run(MARKER, 'key');
  });

export const dataSamples: readonly Sample[] = [
  {
    format: 'parquet',
    name: 'sample.parquet',
    bytes: parquet,
    marker: MARKER,
    deeper: (random) => {
      const body = gzipSync(mutated(plainTexts('ada', MARKER), random));
      return parquetFile(
        [{ codec: 2, values: 2, pages: page({ values: 2, body, uncompressedSize: 100 }) }],
        2,
      );
    },
  },
  {
    format: 'avro',
    name: 'sample.avro',
    bytes: avro,
    marker: MARKER,
    endless: true,
    deeper: (random) => deflated(mutated(Buffer.concat(people), random)),
  },
  { format: 'sqlite', name: 'sample.sqlite', bytes: sqlite(), marker: MARKER },
];
