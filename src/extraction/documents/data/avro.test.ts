import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { describe, expect, it } from 'vitest';
import { block, compressedBlock, double, header, long, record, text } from './avro/avro.fixture.ts';
import { readAvro } from './avro.ts';
import { collect } from './data.fixture.ts';

const PERSON = record({ name: 'string', phone: ['null', 'long'] });
const ada = Buffer.concat([text('Ada'), long(1), long(5551234567)]);
const bob = Buffer.concat([text('Bob'), long(0)]);

/** The rows of a file with one column of that type. */
async function rowsOf(type: unknown, ...values: readonly Uint8Array[]): Promise<string> {
  const file = Buffer.concat([header(record({ a: type })), block(values)]);
  const { texts, error } = await collect(readAvro, file);
  expect(error).toBeNull();
  return texts[0]?.text ?? '';
}

describe('Avro', () => {
  it('is a table whose columns are the fields of its records', async () => {
    const file = Buffer.concat([header(PERSON), block([ada, bob]), block([bob]), block([ada])]);
    expect(await collect(readAvro, file)).toMatchObject({
      error: null,
      texts: [
        {
          location: null,
          columns: ['name', 'phone'],
          firstRow: 1,
          text: 'Ada\t5551234567\nBob\nBob\nAda\t5551234567\n',
        },
      ],
    });
  });

  it('a file without blocks has nothing to read', async () => {
    expect(await collect(readAvro, header(PERSON))).toMatchObject({ texts: [], error: null });
  });

  it.each<[string, (data: Uint8Array) => Uint8Array]>([
    ['null', (data) => data],
    ['deflate', deflateRawSync],
    ['zstandard', zstdCompressSync],
    ['snappy', snappyWithChecksum],
  ])('blocks in %s', async (codec, pack) => {
    const compressed = compressedBlock(pack(Buffer.concat([ada, bob])), { count: 2 });
    const file = Buffer.concat([header(PERSON, { 'avro.codec': codec }), compressed, compressed]);
    const { texts, error } = await collect(readAvro, file);
    expect(error).toBeNull();
    expect(texts[0]?.text).toBe('Ada\t5551234567\nBob\n'.repeat(2));
  });

  // Written by bzip2 1.0 and xz 5: "hello, world" and a line end.
  it.each([
    ['bzip2', 'QlpoOTFBWSZTWVSkl4QAAALRgAAQQAQGRJCAIAAxADAgaGIASdSyHz8XckU4UJBUpJeE'],
    [
      'xz',
      '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAMaGVsbG8sIHdvcmxkCgAAAAB7RlqByRK46gABJQ1xGcS2H7bzfQEAAAAABFla',
    ],
  ])('blocks in %s', async (codec, compressed) => {
    const schema = record({ a: { type: 'fixed', name: 'F', size: 13 } });
    const file = Buffer.concat([
      header(schema, { 'avro.codec': codec }),
      compressedBlock(Buffer.from(compressed, 'base64'), {}),
    ]);
    expect((await collect(readAvro, file)).texts[0]?.text).toBe('hello, world \n');
  });

  it.each<[string, unknown, Uint8Array, string]>([
    ['texts', 'string', text('a\tb\n"c"'), 'a b "c"'],
    ['integers', 'int', long(-7), '-7'],
    ['large integers', 'long', long(-(2n ** 63n)), '-9223372036854775808'],
    ['whole doubles', 'double', double(5551234567), '5551234567'],
    ['fractions', 'double', double(0.5), ''],
    ['floats', 'float', Buffer.alloc(4), ''],
    ['truth values', 'boolean', Buffer.of(1), ''],
    ['nothing', ['null', 'string'], long(0), ''],
    ['bytes that are text', 'bytes', text('café'), 'café'],
    ['bytes that are none', 'bytes', text(Uint8Array.of(0, 255)), ''],
    ['fixed bytes', { type: 'fixed', name: 'F', size: 3 }, Buffer.from('abc'), 'abc'],
    ['symbols', { type: 'enum', name: 'E', symbols: ['RED', 'BLUE'] }, long(1), 'BLUE'],
    ['days', { type: 'int', logicalType: 'date' }, long(5580), '1985-04-12'],
    ['times', { type: 'int', logicalType: 'time-millis' }, long(3_723_000), '01:02:03'],
    [
      'timestamps',
      { type: 'long', logicalType: 'timestamp-micros' },
      long(1_577_934_245_000_000),
      '2020-01-02T03:04:05',
    ],
    [
      'local timestamps',
      { type: 'long', logicalType: 'local-timestamp-millis' },
      long(1_577_934_245_000),
      '2020-01-02T03:04:05',
    ],
    ['unknown logical types', { type: 'long', logicalType: 'constructor' }, long(5), '5'],
    [
      'decimals',
      { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 },
      text(Uint8Array.of(0xfb, 0x2e)),
      '-12.34',
    ],
    [
      'lists, in two blocks of which one says its size',
      { type: 'array', items: 'string' },
      Buffer.concat([long(1), text('a'), long(-2), long(4), text('b'), text('c'), long(0)]),
      'a; b; c',
    ],
    [
      'maps',
      { type: 'map', values: ['null', 'string'] },
      Buffer.concat([long(2), text('k'), long(1), text('v'), text('l'), long(0), long(0)]),
      'k: v; l',
    ],
    ['unions of several types', ['null', 'string', 'long'], Buffer.concat([long(2), long(42)]), '42'],
    [
      'records in lists',
      { type: 'array', items: record({ kind: 'string', number: ['null', 'string'] }, 'Item') },
      Buffer.concat([long(2), text('home'), long(1), text('1'), text('work'), long(0), long(0)]),
      'kind: home; number: 1; kind: work',
    ],
    ['wrapped types', { type: { type: 'string' } }, text('a'), 'a'],
  ])('%s', async (_, type, value, expected) => {
    const row = Buffer.concat([value, text('end')]);
    const schema = record({ a: type, end: 'string' });
    const { texts, error } = await collect(readAvro, Buffer.concat([header(schema), block([row])]));
    expect(error).toBeNull();
    expect(texts[0]?.text).toBe(`${expected}\tend\n`);
  });

  it('records within records are columns, also where they may be missing, and names are found in their namespaces', async () => {
    const address = { ...record({ street: 'string', zip: ['null', 'int'] }, 'Address'), namespace: 'a.b' };
    const schema = {
      ...record({ home: ['null', address], work: 'Address', other: ['a.b.Address', 'null'], end: 'string' }),
      namespace: 'a.b',
    };
    const main = Buffer.concat([text('Main'), long(1), long(12345)]);
    const rows = [
      Buffer.concat([long(1), main, main, long(0), main, text('x')]),
      Buffer.concat([long(0), main, long(1), text('y')]),
    ];
    const { texts, error } = await collect(readAvro, Buffer.concat([header(schema), block(rows)]));
    expect(error).toBeNull();
    expect(texts[0]?.columns).toEqual([
      'home.street',
      'home.zip',
      'work.street',
      'work.zip',
      'other.street',
      'other.zip',
      'end',
    ]);
    expect(texts[0]?.text).toBe('Main\t12345\tMain\t12345\tMain\t12345\tx\n\t\tMain\t12345\t\t\ty\n');
  });

  it('a record that holds its like is one cell from there on', async () => {
    const tree = record({ name: 'string', child: ['null', 'Row'] });
    const row = Buffer.concat([text('a'), long(1), text('b'), long(1), text('c'), long(0)]);
    const { texts } = await collect(readAvro, Buffer.concat([header(tree), block([row])]));
    expect(texts[0]).toMatchObject({ columns: ['name', 'child'], text: 'a\tname: b; name: c\n' });
  });

  it('values that are no records have no names', async () => {
    const { texts } = await collect(
      readAvro,
      Buffer.concat([header('"string"'), block([text('a'), text('b')])]),
    );
    expect(texts).toEqual([{ location: null, columns: null, firstRow: 1, text: 'a\nb\n' }]);
    const bare = await collect(readAvro, Buffer.concat([header('string'), block([text('a')])]));
    expect(bare.texts[0]?.text).toBe('a\n');
  });

  it('the file metadata is read', async () => {
    const file = header(PERSON, { owner: 'ada@example.com', 'avro.codec': 'null' });
    expect((await collect(readAvro, file)).texts).toMatchObject([
      { location: 'metadata', text: 'owner: ada@example.com\n' },
    ]);
  });

  it('a long value comes in chunks, a long schema is read', async () => {
    const wide = record(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`field_${i}`, 'string'])));
    const row = Buffer.concat([text('ž'.repeat(1e6)), ...Array.from({ length: 4999 }, () => text(''))]);
    const { texts, error, longest } = await collect(readAvro, Buffer.concat([header(wide), block([row])]));
    expect(error).toBeNull();
    expect(texts[0]?.columns).toHaveLength(5000);
    expect(texts[0]?.text).toBe(`${'ž'.repeat(1e6)}\n`);
    expect(longest).toBeLessThan(100_000);
  });

  it('lists are cells of their row', async () => {
    const list = Buffer.concat([long(2), text('a'), text('b'), long(0)]);
    expect(await rowsOf({ type: 'array', items: 'string' }, list, long(0), list)).toBe('a; b\n\na; b\n');
  });
});

function snappyWithChecksum(data: Uint8Array): Uint8Array {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(data));
  return Buffer.concat([snappyCompress(data), sum]);
}
