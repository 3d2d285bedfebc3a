/** Writes 7z archives from streams that are packed already. */
import { crc32 } from 'node:zlib';

export interface SevenZipCoder {
  /** Hex digits. */
  readonly method: string;
  readonly properties?: readonly number[];
  readonly inputs?: number;
  readonly outputs?: number;
}

export interface SevenZipFolder {
  /** The first one outputs the files; each reads the output of the next one. */
  readonly coders: readonly SevenZipCoder[];
  /** The first of several goes to the first input that is not linked to an output. */
  readonly packed: Uint8Array | readonly Uint8Array[];
  /** The links of inputs to outputs, if not to the first output of the previous coder. */
  readonly links?: readonly (readonly [input: number, output: number])[];
  /** Of each output, if they are not all as long as the files. */
  readonly sizes?: readonly number[];
  readonly files: readonly {
    readonly name: string;
    readonly data: Uint8Array | string;
    readonly sum?: number;
  }[];
  /** One sum of all instead of one for each file. */
  readonly sumOfAll?: boolean;
}

export interface SevenZipShape {
  readonly empty?: readonly string[];
  readonly folders?: readonly string[];
  readonly deleted?: readonly string[];
  /** The header is packed by this, too. */
  readonly header?: { readonly coders: readonly SevenZipCoder[]; pack(bytes: Uint8Array): Uint8Array };
  /** Bytes of the header, to be spoiled. */
  spoil?(header: Buffer): Buffer;
}

export const COPY: SevenZipCoder = { method: '00' };
export const LZMA: SevenZipCoder = { method: '030101', properties: [93, 0, 0, 16, 0] };
export const LZMA2: SevenZipCoder = { method: '21', properties: [24] };

export function sevenZipOf(folders: readonly SevenZipFolder[], shape: SevenZipShape = {}): Buffer {
  const spoil = shape.spoil ?? ((bytes: Buffer) => bytes);
  let header = spoil(Buffer.from([1, ...streamsOf(folders), ...filesOf(folders, shape), 0]));
  let body = Buffer.concat(folders.flatMap(streamsIn));
  if (shape.header !== undefined) {
    const { coders, pack } = shape.header;
    const packed = pack(header);
    const folder: SevenZipFolder = { coders, packed, files: [{ name: '', data: header }], sumOfAll: true };
    header = Buffer.from([23, ...streamsOf([folder], body.length)]);
    body = Buffer.concat([body, packed]);
  }
  return Buffer.concat([startOf(body.length, header), body, header]);
}

export function startOf(offset: number, header: Uint8Array): Buffer {
  const start = Buffer.alloc(32);
  start.write('7z\xbc\xaf\x27\x1c\0\x04', 'latin1');
  start.writeBigUInt64LE(BigInt(offset), 12);
  start.writeBigUInt64LE(BigInt(header.length), 20);
  start.writeUInt32LE(crc32(header), 28);
  start.writeUInt32LE(crc32(start.subarray(12)), 8);
  return start;
}

/** Packed sizes, folders, file sizes; `from` as in a header that describes a packed header. */
function streamsOf(folders: readonly SevenZipFolder[], from = 0): number[] {
  const inner = from > 0 || folders.every(({ sumOfAll }) => sumOfAll === true);
  const streams = folders.flatMap(streamsIn).length;
  const packed = [
    6,
    ...number(from),
    ...number(streams),
    9,
    ...folders.flatMap(streamsIn).flatMap(({ length }) => number(length)),
    0,
  ];
  const sums = inner
    ? [
        10,
        1,
        ...folders.flatMap(({ files }) =>
          word(crc32(Buffer.concat(files.map(({ data }) => Buffer.from(data))))),
        ),
      ]
    : [];
  const sizes = folders.flatMap(({ coders, files, sizes: own }) =>
    coders.flatMap((_, i) => number(own?.[i] ?? totalOf(files))),
  );
  const described = [
    7,
    11,
    ...number(folders.length),
    0,
    ...folders.flatMap(coderBytes),
    12,
    ...sizes,
    ...sums,
    0,
  ];
  return [
    ...(from > 0
      ? [...packed, ...described, 0]
      : [4, ...packed, ...described, ...(inner ? [] : fileSizes(folders)), 0]),
  ];
}

function fileSizes(folders: readonly SevenZipFolder[]): number[] {
  const counts = folders.flatMap(({ files }) => number(files.length));
  const sizes = folders.flatMap(({ files }) =>
    files.slice(0, -1).flatMap(({ data }) => number(Buffer.from(data).length)),
  );
  const sums = folders.flatMap(({ files }) =>
    files.flatMap(({ data, sum }) => word(sum ?? crc32(Buffer.from(data)))),
  );
  return [8, 13, ...counts, 9, ...sizes, 10, 1, ...sums, 0];
}

function coderBytes(folder: SevenZipFolder): number[] {
  const { coders } = folder;
  const each = coders.flatMap(({ method, properties = [], inputs = 1, outputs = 1 }) => {
    const id = [...Buffer.from(method, 'hex')];
    const isComplex = inputs !== 1 || outputs !== 1;
    const flags = id.length | (isComplex ? 16 : 0) | (properties.length > 0 ? 32 : 0);
    const streams = isComplex ? [inputs, outputs] : [];
    return [flags, ...id, ...streams, ...(properties.length > 0 ? [properties.length, ...properties] : [])];
  });
  const links = folder.links ?? coders.slice(1).map((_, i) => [i, i + 1] as const);
  const count = coders.reduce((sum, { inputs = 1 }) => sum + inputs, 0);
  const free = Array.from({ length: count }, (_, i) => i).filter(
    (i) => !links.some(([input]) => input === i),
  );
  return [coders.length, ...each, ...links.flat(), ...(free.length > 1 ? free : [])];
}

const streamsIn = ({ packed }: SevenZipFolder): readonly Uint8Array[] =>
  packed instanceof Uint8Array ? [packed] : packed;

function filesOf(
  folders: readonly SevenZipFolder[],
  { empty = [], folders: dirs = [], deleted = [] }: SevenZipShape,
): number[] {
  const names = [
    ...folders.flatMap(({ files }) => files.map(({ name }) => name)),
    ...empty,
    ...dirs,
    ...deleted,
  ];
  const bare = [...empty, ...dirs, ...deleted];
  const from = names.length - bare.length;
  const property = (kind: number, bytes: readonly number[]) => [kind, ...number(bytes.length), ...bytes];
  const text = Buffer.from(names.map((name) => `${name}\0`).join(''), 'utf16le');
  return [
    5,
    ...number(names.length),
    ...(bare.length === 0
      ? []
      : property(
          14,
          bits(names.length, (i) => i >= from),
        )),
    ...(bare.length === 0
      ? []
      : property(
          15,
          bits(bare.length, (i) => i < empty.length || i >= empty.length + dirs.length),
        )),
    ...(deleted.length === 0
      ? []
      : property(
          16,
          bits(bare.length, (i) => i >= empty.length + dirs.length),
        )),
    ...property(25, [0, 0, 0]),
    ...property(17, [0, ...text]),
    ...property(20, [1, 0, ...names.flatMap(() => [0, 0, 0, 0, 0, 0, 0, 0])]),
    0,
  ];
}

function bits(count: number, has: (index: number) => boolean): number[] {
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (let i = 0; i < count; i++) if (has(i)) bytes[i >> 3]! |= 0x80 >> (i & 7);
  return [...bytes];
}

const totalOf = (files: SevenZipFolder['files']): number =>
  files.reduce((sum, { data }) => sum + Buffer.from(data).length, 0);

/** The shortest form; nothing here needs more than five bytes. */
export function number(value: number): number[] {
  if (value < 0x80) return [value];
  if (value < 0x4000) return [0x80 | (value >> 8), value & 0xff];
  if (value < 0x200000) return [0xc0 | (value >> 16), value & 0xff, (value >> 8) & 0xff];
  return [0xf0, ...word(value)];
}

function word(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
}
