/** Avro files of flat records: texts, whole numbers, and texts that may be missing. */
import { deflated } from './deflate.ts';

export type AvroType = 'string' | 'long' | 'optional';
export type AvroRow = Readonly<Record<string, string | number | null>>;

const SYNC = Buffer.from('Brightwater boat'); // sixteen bytes between blocks
const BLOCK_ROWS = 50;

export function avro(
  name: string,
  fields: Readonly<Record<string, AvroType>>,
  rows: readonly AvroRow[],
): Buffer {
  const schema = {
    type: 'record',
    name,
    namespace: 'example.brightwater',
    fields: Object.entries(fields).map(([field, type]) => ({
      name: field,
      type: type === 'optional' ? ['null', 'string'] : type,
    })),
  };
  const head = Buffer.concat([
    Buffer.from('Obj\x01', 'latin1'),
    long(2),
    ...['avro.schema', JSON.stringify(schema), 'avro.codec', 'deflate'].map(text),
    long(0),
    SYNC,
  ]);
  const starts = Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, n) => n * BLOCK_ROWS);
  const blocks = starts.map((start) => block(rows.slice(start, start + BLOCK_ROWS), fields));
  return Buffer.concat([head, ...blocks]);
}

function block(rows: readonly AvroRow[], fields: Readonly<Record<string, AvroType>>): Buffer {
  const values = rows.flatMap((row) =>
    Object.entries(fields).map(([field, type]) => value(row[field] ?? null, type)),
  );
  const packed = deflated(Buffer.concat(values));
  return Buffer.concat([long(rows.length), long(packed.length), packed, SYNC]);
}

function value(value: string | number | null, type: AvroType): Buffer {
  if (type === 'long') return long(Number(value));
  if (type === 'string') return text(String(value));
  return value === null ? long(0) : Buffer.concat([long(1), text(String(value))]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([long(bytes.length), bytes]);
}

/** Zigzag, then seven bits at a time, the lowest first. */
function long(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
