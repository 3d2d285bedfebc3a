/** Parquet files of which every byte may be chosen. */
type Value = number | bigint | boolean | string | Uint8Array | readonly Value[] | Fields;

/** By the numbers of the fields: a number is of 32 bits, a bigint of 64. */
export interface Fields {
  readonly [field: number]: Value;
}

export function thrift(fields: Fields): Buffer {
  const parts: Buffer[] = [];
  let last = 0;
  for (const [key, value] of Object.entries(fields)) {
    const field = Number(key);
    if (field - last >= 1 && field - last <= 15) parts.push(Buffer.of(((field - last) << 4) | typeOf(value)));
    else parts.push(Buffer.of(typeOf(value)), varint(zigzag(BigInt(field))));
    if (typeof value !== 'boolean') parts.push(encoded(value));
    last = field;
  }
  return Buffer.concat([...parts, Buffer.of(0)]);
}

function typeOf(value: Value): number {
  if (typeof value === 'boolean') return value ? 1 : 2;
  if (typeof value === 'number') return 5;
  if (typeof value === 'bigint') return 6;
  if (typeof value === 'string' || value instanceof Uint8Array) return 8;
  return Array.isArray(value) ? 9 : 12;
}

function encoded(value: Value): Buffer {
  if (typeof value === 'number' || typeof value === 'bigint') return varint(zigzag(BigInt(value)));
  if (typeof value === 'boolean') return Buffer.of(value ? 1 : 2);
  if (typeof value === 'string') return encoded(Buffer.from(value));
  if (value instanceof Uint8Array) return Buffer.concat([varint(BigInt(value.length)), value]);
  if (!Array.isArray(value)) return thrift(value as Fields);
  const type = value.length === 0 ? 12 : typeOf(value[0]);
  const head = value.length < 15 ? Buffer.of((value.length << 4) | type) : Buffer.of(0xf0 | type);
  const size = value.length < 15 ? [] : [varint(BigInt(value.length))];
  return Buffer.concat([head, ...size, ...value.map(encoded)]);
}

export function zigzag(value: bigint): bigint {
  return value < 0n ? -2n * value - 1n : 2n * value;
}

export function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    if (rest <= 0x7fn) return Buffer.from(bytes);
  }
}

export interface PageParts {
  readonly kind?: 'data' | 'dictionary' | 'v2';
  readonly values: number;
  readonly encoding?: number;
  readonly body: Uint8Array;
  /** What it claims to be, where that differs. */
  readonly uncompressedSize?: number;
  readonly compressedSize?: number;
  readonly more?: Fields;
}

export const PLAIN = 0;
export const DICTIONARY = 8;

export function page({ kind = 'data', values, encoding = PLAIN, body, ...claims }: PageParts): Buffer {
  const type = { data: 0, dictionary: 2, v2: 3 }[kind];
  const field = { data: 5, dictionary: 7, v2: 8 }[kind];
  const numbers: Fields =
    kind === 'v2'
      ? { 1: values, 2: 0, 3: values, 4: encoding, 5: 0, 6: 0, ...claims.more }
      : kind === 'data'
        ? { 1: values, 2: encoding, 3: 3, 4: 3, ...claims.more }
        : { 1: values, 2: encoding };
  const sizes = { 2: claims.uncompressedSize ?? body.length, 3: claims.compressedSize ?? body.length };
  return Buffer.concat([thrift({ 1: type, ...sizes, [field]: numbers }), body]);
}

export interface ColumnParts {
  readonly name?: string;
  /** Fields of its schema element; a required text by default. */
  readonly element?: Fields;
  readonly type?: number;
  readonly codec?: number;
  readonly values: number;
  readonly pages: Uint8Array;
  /** Fields of its metadata, and of its chunk, that are other than they should be. */
  readonly metadata?: Fields;
  readonly chunk?: Fields;
}

const BYTE_ARRAY = 6;

/** A file with one row group of flat columns. */
export function parquetFile(columns: readonly ColumnParts[], rows: number, footer: Fields = {}): Buffer {
  const parts: Uint8Array[] = [Buffer.from('PAR1')];
  let at = 4;
  const chunks = columns.map((column): Fields => {
    const { name = 'a', type = BYTE_ARRAY, codec = 0, values, pages, metadata, chunk } = column;
    const sizes = { 6: BigInt(pages.length), 7: BigInt(pages.length), 9: BigInt(at) };
    parts.push(pages);
    at += pages.length;
    const own = { 1: type, 2: [0], 3: [name], 4: codec, 5: BigInt(values), ...sizes, ...metadata };
    return { 2: 0n, 3: own, ...chunk };
  });
  const elements = columns.map(({ name = 'a', type = BYTE_ARRAY, element }): Fields => {
    return { 1: type, 3: 0, 4: name, ...(type === BYTE_ARRAY ? { 6: 0 } : {}), ...element };
  });
  const schema: Value[] = [{ 4: 'root', 5: columns.length }, ...elements];
  const group = { 1: chunks, 2: 0n, 3: BigInt(rows) };
  return closed(parts, thrift({ 1: 2, 2: schema, 3: BigInt(rows), 4: [group], ...footer }));
}

export function closed(parts: readonly Uint8Array[], footer: Uint8Array, claimed = footer.length): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(claimed);
  return Buffer.concat([...parts, footer, length, Buffer.from('PAR1')]);
}

/** Texts as a page has them. */
export function plainTexts(...texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.map((text) => {
      const bytes = Buffer.from(text);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return Buffer.concat([length, bytes]);
    }),
  );
}

/** One number again and again, in runs of one byte's width. */
export function repeated(value: number, count: number): Buffer {
  return Buffer.concat([varint(BigInt(count) * 2n), Buffer.of(value)]);
}
