import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { keyFromBytes, keyOf } from '../../../base/key.ts';
import type { Finding } from '../../results/finding.ts';
import type { ObjectRecord } from '../../results/finding-store.ts';
import { jsonlFile, jsonlGzipFile } from './jsonl-file.ts';
import { parquetFile } from './parquet-file.ts';
import { FINDINGS, findingRow, OBJECTS, objectRow, type Row, type Table } from './table.ts';

const finding: Finding = {
  scan: '42',
  source: 'fs:/srv/share',
  handle: '42-1-0',
  features: { base: 0.85, entropy: 3.5, contested: ['PHONE'] },
  key: keyOf('Köln/名.csv'),
  part: null,
  detector: 'SSN',
  category: 'direct_identifier',
  field: 'ssn',
  start: 2 ** 40,
  end: 2 ** 40 + 11,
  line: 12,
  column: 5,
  confidence: Math.fround(0.9),
  tier: 'CRITICAL',
  masked: '***-**-6789',
  fingerprint: '0f1e2d3c4b5a6978',
  reasons: ['context word "ssn"', 'valid area number'],
};
const object: ObjectRecord = {
  id: 1,
  key: keyFromBytes(Uint8Array.of(0x63, 0xe9)),
  outcome: 'partial',
  reason: 'larger than the size limit',
  reasonCode: 'too-large',
  size: 2 ** 41,
  modified: new Date('2025-01-31T12:00:00.123Z'),
  score: 93,
  tier: 'HIGH',
  counts: { SSN: 3, EMAIL: 1 },
  policies: { hipaa: ['SSN'] },
};

async function* stream(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * The rows of a Parquet file in the form of the JSON lines: without columns that are null because they are
 * missing.
 */
async function readBack(bytes: Buffer, table: Table): Promise<Row[]> {
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
  return rows.map((row) =>
    Object.fromEntries(
      table.columns
        .filter(({ name }) => name !== 'keyHex' || row[name] !== null)
        .map(({ name }) => [name, plain(row[name])]),
    ),
  );
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

const parse = (text: string): Row[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);

describe('the files of an export', () => {
  const rows = {
    findings: [
      findingRow(finding),
      findingRow({
        ...finding,
        part: 'mail/1',
        field: null,
        reasons: [],
        features: null,
        key: keyFromBytes(Uint8Array.of(0xff)),
      }),
    ],
    objects: [
      objectRow({ id: 42, source: 's3://b' }, object),
      objectRow(
        { id: 42, source: 's3://b' },
        { ...object, reason: '', modified: null, score: null, tier: null, counts: {} },
      ),
    ],
  };

  it.each([FINDINGS, OBJECTS])('contain the same data as Parquet and as JSON lines: $name', async (table) => {
    const given = rows[table.name];
    const jsonl = parse((await bytesOf(jsonlFile(stream(given)))).toString());
    const parquet = await readBack(await bytesOf(parquetFile(stream(given), table)), table);
    expect(jsonl).toEqual(given);
    expect(parquet).toEqual(jsonl);
  });

  it('have a column for every field of a finding, in the same order', () => {
    const hidden = findingRow({ ...finding, key: object.key });
    expect(FINDINGS.columns.map(({ name }) => name)).toEqual(Object.keys(hidden));
    expect(OBJECTS.columns.map(({ name }) => name)).toEqual(
      Object.keys(objectRow({ id: 1, source: '' }, object)),
    );
  });

  it('have row groups of the requested size', async () => {
    const many = Array.from({ length: 25 }, (_, line) => findingRow({ ...finding, line }));
    const bytes = await bytesOf(parquetFile(stream(many), FINDINGS, 10));
    const { row_groups, num_rows } = parquetMetadata(new Uint8Array(bytes).buffer);
    expect([num_rows, row_groups.map((group) => group.num_rows)]).toEqual([25n, [10n, 10n, 5n]]);
    expect((await readBack(bytes, FINDINGS)).map((row) => row.line)).toEqual(many.map((row) => row.line));
  });

  it('are whole without a single row', async () => {
    expect(await readBack(await bytesOf(parquetFile(stream([]), FINDINGS)), FINDINGS)).toEqual([]);
    expect(await bytesOf(jsonlFile(stream([])))).toHaveLength(0);
    expect(gunzipSync(await bytesOf(jsonlGzipFile(stream([]))))).toHaveLength(0);
  });

  it('are the same bytes for the same rows', async () => {
    const given = rows.findings;
    for (const file of [(r: AsyncIterable<Row>) => parquetFile(r, FINDINGS), jsonlFile, jsonlGzipFile]) {
      expect(await bytesOf(file(stream(given)))).toEqual(await bytesOf(file(stream(given))));
    }
    expect(gunzipSync(await bytesOf(jsonlGzipFile(stream(given))))).toEqual(
      await bytesOf(jsonlFile(stream(given))),
    );
  });

  it('fail when their rows fail, instead of ending early', async () => {
    async function* broken(): AsyncGenerator<Row> {
      yield rows.findings[0]!;
      throw new Error('the database went away');
    }
    await expect(bytesOf(jsonlGzipFile(broken()))).rejects.toThrow('the database');
    await expect(bytesOf(parquetFile(broken(), FINDINGS))).rejects.toThrow('the database');
  });

  it('keep whatever text is in a row', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 }).filter((each) => each.isWellFormed());
    const some = fc.array(
      fc.record({ field: fc.option(text), masked: text, reasons: fc.array(text, { maxLength: 3 }) }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(some, async (each) => {
        const given = each.map((more) => findingRow({ ...finding, ...more }));
        const parquet = await readBack(await bytesOf(parquetFile(stream(given), FINDINGS, 3)), FINDINGS);
        expect(parquet).toEqual(given);
      }),
      { numRuns: 60 },
    );
  });
});
