import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { block, compressedBlock, header, long, record, SYNC, text } from './avro/avro.fixture.ts';
import { readAvro } from './avro.ts';
import { collect, mutated } from './data.fixture.ts';

const PERSON = record({
  name: 'string',
  phones: { type: 'array', items: 'long' },
  tags: { type: 'map', values: 'string' },
});
const row = (name: string): Buffer =>
  Buffer.concat([text(name), long(2), long(1), long(2), long(0), long(1), text('k'), text('v'), long(0)]);

const file = (schema: unknown, ...blocks: Uint8Array[]): Buffer => Buffer.concat([header(schema), ...blocks]);

async function errorOf(bytes: Uint8Array, limits: object = {}): Promise<string | null> {
  return (await collect(readAvro, bytes, limits)).error;
}

describe('damaged Avro', () => {
  const blocks = [block([row('Ada'), row('Bob')]), block([row('Cleo')])];
  const whole = file(PERSON, ...blocks);

  it('truncated inside a block, it keeps the rows before and reports it', async () => {
    const ends = [header(PERSON).length, header(PERSON).length + blocks[0]!.length];
    for (let end = 4; end < whole.length; end++) {
      const { texts, error } = await collect(readAvro, whole.subarray(0, end));
      expect(error).toBe(ends.includes(end) ? null : 'corrupt: truncated Avro file');
      if (end >= ends[1]!) expect(texts[0]?.text).toContain('Ada\t1; 2\tk: v\nBob\t1; 2\tk: v\n');
    }
    const last = await collect(readAvro, whole.subarray(0, -17));
    expect(last.texts[0]?.text).toContain('Cleo');
  });

  it('a damaged block is skipped, and the row numbers after it stay correct', async () => {
    const bad = block([text('x'), Buffer.from([0xff, 0xff, 0xff])]);
    const { texts, error } = await collect(readAvro, file(PERSON, blocks[0]!, bad, blocks[1]!));
    expect(error).toBe('corrupt: Avro data');
    expect(texts.at(-1)).toMatchObject({ firstRow: 5, text: 'Cleo\t1; 2\tk: v\n' });
  });

  it.each<[string, Uint8Array, string]>([
    ['a wrong marker', block([row('a')], { sync: Buffer.alloc(16) }), 'corrupt: Avro sync marker'],
    ['records without end', block([row('a')], { count: 2n ** 60n }), 'corrupt: Avro data'],
    ['a negative count', block([row('a')], { count: -1 }), 'corrupt: Avro data'],
    ['a negative size', block([row('a')], { size: -1 }), 'corrupt: Avro data'],
    ['a size without end', block([row('a')], { size: 2n ** 60n }), 'corrupt: Avro data'],
    ['a size behind the end', block([row('a')], { size: 2 ** 40 }), 'corrupt: truncated Avro file'],
    ['fewer records than bytes', block([row('a'), row('b')], { count: 1 }), 'corrupt: Avro data'],
    [
      'a text without end',
      block([Buffer.concat([long(2n ** 50n), Buffer.from('abc')])]),
      'corrupt: Avro data',
    ],
    [
      'a text of negative length',
      block([Buffer.concat([long(-3), Buffer.from('abc')])]),
      'corrupt: Avro data',
    ],
    ['a list without end', block([Buffer.concat([text('a'), long(2n ** 60n)])]), 'corrupt: Avro data'],
    ['a number of too many bytes', Buffer.alloc(40, 0xff), 'corrupt: Avro data'],
  ])('%s is reported', async (_, bad, what) => {
    expect(await errorOf(file(PERSON, bad))).toBe(what);
  });

  it('with bytes changed anywhere, it yields bounded text or an error', async () => {
    for (let seed = 0; seed < 4000; seed++) {
      const { texts } = await collect(readAvro, mutated(whole, seed));
      expect(texts.reduce((sum, { text: one }) => sum + one.length, 0)).toBeLessThan(1e5);
    }
  });

  it('a wrong Snappy checksum is reported', async () => {
    const data = Buffer.from([2, 4, 2, 0x61]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(Buffer.from([2, 0x61])));
    const snappy = (end: Uint8Array) =>
      Buffer.concat([
        header('"string"', { 'avro.codec': 'snappy' }),
        compressedBlock(Buffer.concat([data, end]), {}),
      ]);
    expect(await collect(readAvro, snappy(sum))).toMatchObject({ texts: [{ text: 'a\n' }], error: null });
    expect(await errorOf(snappy(Buffer.alloc(4)))).toBe('corrupt: Avro checksum');
    expect(await errorOf(snappy(Buffer.alloc(0)))).toMatch(/^corrupt: /);
  });

  it.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(0), 'corrupt: Avro header'],
    ['another file', Buffer.from('Obj2 is something else'), 'corrupt: Avro header'],
    [
      'metadata without end',
      Buffer.concat([Buffer.from('Obj\u0001'), long(2n ** 60n), SYNC]),
      'corrupt: truncated Avro file',
    ],
    [
      'a schema without end',
      Buffer.concat([Buffer.from('Obj\u0001'), long(1), text('avro.schema'), long(5e6), Buffer.alloc(5e6)]),
      'limit: Avro schema',
    ],
    ['an unknown codec', header(PERSON, { 'avro.codec': 'lzma' }), 'unsupported format: Avro codec'],
  ])('%s is reported', async (_, bytes, what) => {
    expect(await errorOf(bytes)).toBe(what);
  });
});

describe('hostile Avro schemas', () => {
  it.each<[string, unknown]>([
    ['no JSON', '{"type":'],
    ['a number', 5],
    ['nothing', null],
    ['an unknown name', 'Nobody'],
    ['a record without fields', { type: 'record', name: 'R' }],
    ['a record without a name', { type: 'record', fields: [] }],
    ['fields that are none', { type: 'record', name: 'R', fields: [1, 2] }],
    ['symbols that are none', { type: 'enum', name: 'E', symbols: [1] }],
    ['a negative size', { type: 'fixed', name: 'F', size: -1 }],
    ['a list of nothing', { type: 'array' }],
  ])('%s', async (_, schema) => {
    expect(await errorOf(file(schema, block([long(1)])))).toBe('corrupt: Avro schema');
  });

  it('a schema that is too deep is refused', async () => {
    let schema: unknown = 'string';
    for (let i = 0; i < 100; i++) schema = { type: 'array', items: schema };
    expect(await errorOf(file(schema))).toBe('limit: Avro schema');
    expect(await errorOf(file('['.repeat(100_000)))).toMatch(/Avro schema$/);
    expect(await errorOf(file(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toBe('limit: Avro schema');
  });

  it('types that use each other twice have neither columns nor values without end', async () => {
    const types: Record<string, unknown> = { t0: record({ x: 'null' }, 'T0') };
    for (let i = 1; i < 60; i++) types[`t${i}`] = record({ a: `T${i - 1}`, b: `T${i - 1}` }, `T${i}`);
    const { texts, error } = await collect(readAvro, file(record(types), block([Buffer.from([1, 2, 3])])));
    expect(texts).toEqual([]);
    expect(error).toBe('corrupt: Avro data');
  });

  it('a chain of a thousand types is limited', async () => {
    const types: Record<string, unknown> = { t0: record({ x: 'string' }, 'T0') };
    for (let i = 1; i < 1000; i++) types[`t${i}`] = record({ a: `T${i - 1}` }, `T${i}`);
    const data = Buffer.concat(Array.from({ length: 1000 }, () => text('v')));
    expect(await errorOf(file(record(types), block([data])))).toBe('limit: Avro depth');
  });

  it('a record that only holds itself never ends', async () => {
    const self = {
      type: 'record',
      name: 'R',
      fields: [
        { name: 'a', type: 'R' },
        { name: 'b', type: 'R' },
      ],
    };
    expect(await errorOf(file(self, block([Buffer.from([1])])))).toMatch(/Avro (data|depth)$/);
  });

  it('records without a byte are not counted out', async () => {
    const empty = record({ a: 'null' });
    expect(await errorOf(file(empty, block([], { count: 10 })))).toBeNull();
    expect(await errorOf(file(empty, block([], { count: 2n ** 50n })))).toBe('corrupt: Avro data');
    expect(await errorOf(file({ type: 'array', items: 'null' }, block([long(2 ** 40)])))).toBe(
      'corrupt: Avro data',
    );
  });

  it('a tree as deep as its data demands is limited', async () => {
    const tree = record({ v: 'string', next: ['null', 'Row'] });
    const deep = Buffer.concat([
      ...Array.from({ length: 1000 }, () => Buffer.concat([text('x'), long(1)])),
      text('x'),
      long(0),
    ]);
    const { texts, error } = await collect(readAvro, file(tree, block([deep])));
    expect(error).toBe('limit: Avro depth');
    expect(texts[0]?.text).toContain('x');
  });

  it('a long symbol again and again in one row ends at the length of a row', async () => {
    const symbols = { type: 'array', items: { type: 'enum', name: 'E', symbols: ['x'.repeat(1e5)] } };
    const items = Buffer.concat([long(1000), Buffer.alloc(1000), long(0)]);
    const { texts, error } = await collect(readAvro, file(record({ a: symbols }), block([items])), {
      documentMegabytes: 8,
    });
    expect(error).toBe('limit: row length');
    expect(texts[0]?.text.length).toBeLessThan(4e6);
  });

  it('limits hold', async () => {
    const bomb = deflateRawSync(Buffer.concat([text('x'.repeat(1e7))]));
    const compressed = Buffer.concat([
      header('"string"', { 'avro.codec': 'deflate' }),
      compressedBlock(bomb, {}),
    ]);
    expect(await errorOf(compressed, { ratioFloor: 1e6, ratio: 10 })).toBe('limit: compression ratio');
    expect(await errorOf(compressed, { decompressedBytes: 1e6 })).toBe('limit: decompressed size');
    expect(await errorOf(compressed, { cells: 0 })).toBe('limit: cells');
    const large = file('"string"', block([text('x'.repeat(1e6))]));
    expect(await errorOf(large, { documentMegabytes: 2 })).toBe('limit: Avro block');
  });
});
