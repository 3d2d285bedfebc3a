/**
 * Writes rows as a Parquet file, one row group at a time, so memory is bounded by one group however long
 * the file becomes. Types match the JSON lines: lists are LIST, counts by type are MAP.
 */
import type { SchemaElement } from 'hyparquet';
import type { Column, ColumnType, Row, Table } from './table.ts';

const GROUP_ROWS = 20_000;

/** `groupRows` is for tests. */
export async function* parquetFile(
  rows: AsyncIterable<Row>,
  { columns }: Table,
  groupRows = GROUP_ROWS,
): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const bytes = new ByteWriter();
  const file = new ParquetWriter({ writer: bytes, schema: schemaOf(columns) });
  let group: Row[] = [];
  const flush = () => {
    file.write({ columnData: columns.map((column) => columnOf(column, group)), rowGroupSize: groupRows });
    group = [];
  };
  for await (const row of rows) {
    group.push(row);
    if (group.length < groupRows) continue;
    flush();
    yield taken(bytes);
  }
  if (group.length > 0) flush();
  file.finish();
  yield taken(bytes);
}

/** Takes the bytes so far; the writer continues in a new buffer, and only its offset counts them. */
function taken(bytes: { buffer: ArrayBuffer; view: DataView; index: number }): Uint8Array {
  const part = new Uint8Array(bytes.buffer, 0, bytes.index);
  bytes.buffer = new ArrayBuffer(1 << 16);
  bytes.view = new DataView(bytes.buffer);
  bytes.index = 0;
  return part;
}

function columnOf({ name, type }: Column, rows: readonly Row[]): { name: string; data: unknown[] } {
  const convert = CONVERSIONS[type];
  return { name, data: rows.map((row) => convert(row[name] ?? null)) };
}

const same = (value: unknown) => value;

/** Integer columns are always 64-bit, which needs bigint in JavaScript. */
const CONVERSIONS: Readonly<Record<ColumnType, (value: unknown) => unknown>> = {
  text: same,
  number: same,
  texts: same,
  integer: (value) => (value === null ? null : BigInt(value as number)),
  time: (value) => (value === null ? null : new Date(value as string)),
  counts: (value) => Object.entries(value as object).map(([key, count]) => ({ key, value: BigInt(count) })),
};

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

const UTF8 = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const REQUIRED = { repetition_type: 'REQUIRED' } as const;
const REPEATED = { repetition_type: 'REPEATED' } as const;

function elementsOf({ name, type, optional }: Column): SchemaElement[] {
  const element = { name, repetition_type: optional ? 'OPTIONAL' : 'REQUIRED' } as const;
  switch (type) {
    case 'text':
      return [{ ...element, ...UTF8 }];
    case 'integer':
      return [{ ...element, type: 'INT64' }];
    case 'number':
      return [{ ...element, type: 'DOUBLE' }];
    case 'time':
      return [{ ...element, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }];
    case 'texts':
      return [
        { ...element, converted_type: 'LIST', num_children: 1 },
        { name: 'list', ...REPEATED, num_children: 1 },
        { name: 'element', ...REQUIRED, ...UTF8 },
      ];
    case 'counts':
      return [
        { ...element, converted_type: 'MAP', num_children: 1 },
        { name: 'key_value', ...REPEATED, num_children: 2 },
        { name: 'key', ...REQUIRED, ...UTF8 },
        { name: 'value', ...REQUIRED, type: 'INT64' },
      ];
  }
}
