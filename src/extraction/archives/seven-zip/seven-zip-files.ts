import { CorruptInput } from '../../extraction-error.ts';
import { type Bits, type HeaderReader, NONE } from './seven-zip-fields.ts';

const END = 0;
const WITHOUT_STREAM = 14;
const EMPTY_FILE = 15;
const DELETION = 16;
const NAMES = 17;

/** `file`: with bytes, the next ones of a folder; `empty`: without; `none`: a folder or a note that something was deleted. */
export interface ListedFile {
  readonly name: string;
  readonly is: 'file' | 'empty' | 'none';
}

export interface FileList {
  readonly count: number;
  readonly names: Uint16Array;
  /** Has no stream. */
  readonly bare: Bits;
  /** These two are about those without a stream only, and counted among them. */
  readonly emptyFiles: Bits;
  readonly deletions: Bits;
}

export const NO_FILES: FileList = {
  count: 0,
  names: new Uint16Array(0),
  bare: NONE,
  emptyFiles: NONE,
  deletions: NONE,
};

/** One after another, as there may be a million. */
export function* listFiles({ count, names, bare, emptyFiles, deletions }: FileList): Generator<ListedFile> {
  let nextName = 0;
  let nextBare = 0;
  for (let i = 0; i < count; i++) {
    const end = names.indexOf(0, nextName);
    if (end === -1 && names.length > 0) throw new CorruptInput('7z header');
    const name = decode(names.subarray(nextName, Math.max(end, 0)));
    nextName = end + 1;
    if (!bare.has(i)) {
      yield { name, is: 'file' };
      continue;
    }
    const isEmpty = emptyFiles.has(nextBare) && !deletions.has(nextBare);
    nextBare++;
    yield { name, is: isEmpty ? 'empty' : 'none' };
  }
}

export function readFileList(header: HeaderReader): FileList {
  const count = header.count(1 / 8); // an item without a name takes only one bit
  const list = { ...NO_FILES, count };
  let bareCount = 0;
  for (let kind = header.byte(); kind !== END; kind = header.byte()) {
    const field = header.within(header.number());
    if (kind === WITHOUT_STREAM) {
      if (list.bare !== NONE) throw new CorruptInput('7z header');
      list.bare = field.bits(count);
      for (let i = 0; i < count; i++) if (list.bare.has(i)) bareCount++;
    } else if (kind === EMPTY_FILE) {
      list.emptyFiles = field.bits(bareCount);
    } else if (kind === DELETION) {
      list.deletions = field.bits(bareCount);
    } else if (kind === NAMES) {
      field.refuseExternal();
      list.names = unitsOf(field.take(field.left));
    }
  }
  return list;
}

/** A copy, as the bytes may begin anywhere. */
function unitsOf(bytes: Uint8Array): Uint16Array {
  const units = new Uint16Array(bytes.length >> 1);
  new Uint8Array(units.buffer).set(bytes.subarray(0, 2 * units.length));
  return units;
}

function decode(units: Uint16Array): string {
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}
