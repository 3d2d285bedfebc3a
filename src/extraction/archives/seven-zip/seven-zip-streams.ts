import { CorruptInput, LimitExceeded } from '../../extraction-error.ts';
import { type HeaderReader, MAX_COUNT } from './seven-zip-fields.ts';

const END = 0;
const PACKED = 6;
const FOLDERS = 7;
const FILES = 8;
const SIZES = 9;
const SUMS = 10;
const FOLDER = 11;
const FOLDER_SIZES = 12;
const FILE_COUNTS = 13;

/** Per folder; known programs use at most four. */
const MAX_CODERS = 32;

export interface Coder {
  /** Hex digits. */
  readonly method: string;
  readonly inputs: number;
  readonly outputs: number;
  readonly properties: Uint8Array;
}

/** The coders of a folder, in any order: links connect their outputs to inputs. */
export interface Method {
  readonly coders: readonly Coder[];
  readonly links: readonly { readonly input: number; readonly output: number }[];
  readonly outputs: number;
  /** The inputs that read the packed streams. */
  readonly packedInputs: readonly number[];
}

export interface Folder {
  readonly method: Method;
  /** Of each output. */
  readonly sizes: readonly number[];
  readonly sum: number | null;
  /** Consecutive files in the unpacked content. */
  files: readonly DataExtent[];
}

export interface DataExtent {
  readonly size: number;
  readonly sum: number | null;
}

export interface Streams {
  /** The start of the packed streams, relative to the end of the archive's first header. */
  readonly from: number;
  readonly packed: readonly number[];
  readonly folders: readonly Folder[];
}

/** Each field at most once and in this order, because some cost more memory than they take bytes. */
export function readStreams(header: HeaderReader): Streams {
  let kind = header.byte();
  let from = 0;
  let packed: readonly number[] = [];
  let folders: readonly Folder[] = [];
  if (kind === PACKED) {
    from = header.number();
    packed = readPacked(header);
    kind = header.byte();
  }
  if (kind === FOLDERS) {
    folders = readFolders(header);
    kind = header.byte();
  }
  if (kind === FILES) {
    readFiles(header, folders);
    kind = header.byte();
  }
  if (kind !== END) throw new CorruptInput('7z header');
  return { from, packed, folders };
}

function readPacked(header: HeaderReader): readonly number[] {
  const count = header.count();
  let kind = header.byte();
  if (kind !== SIZES && count > 0) throw new CorruptInput('7z header');
  const sizes = Array.from({ length: count }, () => header.number());
  if (kind === SIZES) kind = header.byte();
  readSums(header, kind, count);
  return sizes;
}

function readFolders(header: HeaderReader): readonly Folder[] {
  header.expect(FOLDER);
  const count = header.count();
  header.refuseExternal();
  const methods = readMethods(header, count);
  header.expect(FOLDER_SIZES);
  const sizes = methods.map(({ outputs }) => Array.from({ length: outputs }, () => header.number()));
  const sums = readSums(header, header.byte(), count);
  return methods.map((method, i) => {
    const folder = { method, sizes: sizes[i]!, sum: sums[i] ?? null };
    return { ...folder, files: [{ size: sizeOf(folder), sum: folder.sum }] };
  });
}

/** Reads the sums if they are here; the end marker must follow. */
function readSums(header: HeaderReader, kind: number, count: number): readonly (number | null)[] {
  const sums = kind === SUMS ? header.sums(count) : [];
  if ((kind === SUMS ? header.byte() : kind) !== END) throw new CorruptInput('7z header');
  return sums;
}

/** Nearly all folders of an archive have the same method, which is stored once. */
function readMethods(header: HeaderReader, count: number): Method[] {
  const known = new Map<string, Method>();
  return Array.from({ length: count }, () => {
    const start = header.at;
    const method = readMethod(header);
    const key = header.textSince(start);
    const same = known.get(key);
    if (same === undefined) known.set(key, method);
    return same ?? method;
  });
}

function readMethod(header: HeaderReader): Method {
  const count = header.number();
  if (count === 0 || count > MAX_CODERS) throw new CorruptInput('7z header');
  const coders = Array.from({ length: count }, () => readCoder(header));
  const inputs = coders.reduce((sum, coder) => sum + coder.inputs, 0);
  const outputs = coders.reduce((sum, coder) => sum + coder.outputs, 0);
  if (outputs === 0 || inputs < outputs - 1 || Math.max(inputs, outputs) > MAX_CODERS)
    throw new CorruptInput('7z header');
  const links = Array.from({ length: outputs - 1 }, () => ({
    input: header.number(),
    output: header.number(),
  }));
  return { coders, links, outputs, packedInputs: readPackedInputs(header, inputs, links) };
}

/** With a single one there is no question. */
function readPackedInputs(header: HeaderReader, inputs: number, links: Method['links']): number[] {
  const packed = inputs - links.length;
  if (packed > 1) return Array.from({ length: packed }, () => header.number());
  for (let input = 0; input < inputs; input++)
    if (!links.some((link) => link.input === input)) return [input];
  return [];
}

function readCoder(header: HeaderReader): Coder {
  const flags = header.byte();
  const method = Buffer.from(header.take(flags & 15)).toString('hex');
  const isComplex = (flags & 16) !== 0;
  const inputs = isComplex ? header.number() : 1;
  const outputs = isComplex ? header.number() : 1;
  if (flags & 0x80) throw new CorruptInput('7z header');
  const properties = flags & 32 ? header.take(header.number()) : new Uint8Array(0);
  return { method, inputs, outputs, properties };
}

/** The size of the final output: the one that is no coder's input. */
export function sizeOf({ sizes, method }: Pick<Folder, 'sizes' | 'method'>): number {
  const last = sizes.findIndex((_, output) => !method.links.some((link) => link.output === output));
  return sizes[last] ?? 0;
}

function readFiles(header: HeaderReader, folders: readonly Folder[]): void {
  let kind = header.byte();
  let counts = folders.map(() => 1);
  if (kind === FILE_COUNTS) {
    counts = folders.map(() => header.number());
    kind = header.byte();
  }
  // All but one of a folder's files have a byte or more for their size.
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > header.left + folders.length) throw new CorruptInput('7z header');
  if (total > MAX_COUNT) throw new LimitExceeded('7z header');
  const sizes = folders.map((folder, i) => readSizes(header, counts[i]!, sizeOf(folder), kind === SIZES));
  if (kind === SIZES) kind = header.byte();
  const isKnown = folders.map(({ sum }, i) => counts[i] === 1 && sum !== null);
  const unknown = counts.reduce((sum, count, i) => (isKnown[i] ? sum : sum + count), 0);
  const sums = readSums(header, kind, unknown);
  let next = 0;
  for (const [i, folder] of folders.entries())
    folder.files = sizes[i]!.map((size) => ({ size, sum: isKnown[i] ? folder.sum : (sums[next++] ?? null) }));
}

/** The last one's size is what is left. */
function readSizes(header: HeaderReader, count: number, whole: number, present: boolean): number[] {
  if (count === 0) return [];
  if (count > 1 && !present) throw new CorruptInput('7z header');
  const sizes = Array.from({ length: count - 1 }, () => header.number());
  const last = whole - sizes.reduce((sum, size) => sum + size, 0);
  if (last < 0) throw new CorruptInput('7z header');
  return [...sizes, last];
}
