/** Avro files of which every byte may be chosen. */
export const SYNC = Buffer.from('0123456789abcdef');

export function long(value: number | bigint): Buffer {
  const bytes: number[] = [];
  const signed = BigInt(value);
  for (let rest = signed < 0n ? -2n * signed - 1n : 2n * signed; ; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    if (rest <= 0x7fn) return Buffer.from(bytes);
  }
}

export function text(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([long(bytes.length), bytes]);
}

export function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

export function header(schema: unknown, metadata: Readonly<Record<string, string>> = {}): Buffer {
  const json = typeof schema === 'string' ? schema : JSON.stringify(schema);
  const entries = Object.entries({ 'avro.schema': json, ...metadata });
  const map = entries.flatMap(([key, value]) => [text(key), text(value)]);
  return Buffer.concat([Buffer.from('Obj\u0001'), long(entries.length), ...map, long(0), SYNC]);
}

export interface BlockClaims {
  readonly count?: number | bigint;
  readonly size?: number | bigint;
  readonly sync?: Uint8Array;
}

export function block(rows: readonly Uint8Array[], claims: BlockClaims = {}): Buffer {
  return compressedBlock(Buffer.concat(rows), { count: rows.length, ...claims });
}

export function compressedBlock(
  data: Uint8Array,
  { count = 1, size = data.length, sync = SYNC }: BlockClaims,
): Buffer {
  return Buffer.concat([long(count), long(size), data, sync]);
}

export function record(fields: Readonly<Record<string, unknown>>, name = 'Row'): object {
  return {
    type: 'record',
    name,
    fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
  };
}
