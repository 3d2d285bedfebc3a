/** The data descriptor after an entry's data (APPNOTE 4.3.9): checksum and sizes, with or without a signature, in four or eight bytes. */
import { crc32 } from 'node:zlib';
import { CorruptInput } from '../../extraction-error.ts';
import type { ByteQueue } from '../../formats/byte-queue.ts';
import { viewOf } from './zip-fields.ts';
import type { Sums } from './zip-method.ts';

const SIGNATURE = 0x08074b50;
const MAX_LENGTH = 24;
const SLICE = 64 * 1024;

/** Skips the descriptor if one is here that matches the output. */
export async function checkDescriptor(
  queue: ByteQueue,
  { crc, size }: Sums,
  compressedSize: number,
): Promise<void> {
  const bytes = await queue.take(MAX_LENGTH);
  const view = viewOf(bytes);
  for (const at of startsWith(view, 0) ? [4, 0] : [0]) {
    const isSum = at + 4 <= bytes.length && view.getUint32(at, true) === crc;
    const width = isSum ? sizesAt(view, at + 4, compressedSize, size) : 0;
    if (width > 0) return queue.unread(bytes.length - (at + 4 + 2 * width));
  }
  queue.unread(bytes.length);
  throw new CorruptInput('zip checksum');
}

/**
 * Stored data of unknown length ends at the first descriptor that matches its length and checksum; both cannot match by chance. Without a
 * checksum, as for encrypted entries, only the length is compared.
 */
export async function* untilDescriptor(
  queue: ByteQueue,
  how: 'with sum' | 'without sum',
): AsyncGenerator<Uint8Array> {
  let crc = 0;
  for (let given = 0; ; ) {
    const bytes = await queue.take(SLICE + MAX_LENGTH);
    const more = bytes.length === SLICE + MAX_LENGTH;
    const search = new DescriptorSearch(bytes, given, crc, how === 'with sum');
    const end = search.find(more ? SLICE : bytes.length);
    const part = bytes.subarray(0, end ?? (more ? SLICE : bytes.length));
    queue.unread(bytes.length - part.length);
    crc = search.crcTo(part.length);
    given += part.length;
    if (part.length > 0) yield part;
    if (end !== null) return;
    if (!more) throw new CorruptInput('truncated zip entry');
  }
}

class DescriptorSearch {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #given: number;
  readonly #checked: boolean;
  #crc: number;
  #summed = 0; // bytes included in the checksum, which only advances, so that many false matches stay linear

  constructor(bytes: Uint8Array, given: number, crc: number, checked: boolean) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#given = given;
    this.#crc = crc;
    this.#checked = checked;
  }

  /** The first position before `max` where a descriptor matches. */
  find(max: number): number | null {
    const bytes = this.#bytes;
    for (let at = 0; at < max; at++) {
      const signed = bytes[at] === 0x50 && startsWith(this.#view, at);
      if (signed && this.#fits(at, at + 4)) return at;
      const bare = this.#checked && bytes[at + 4] === ((this.#given + at) & 0xff);
      if (bare && this.#fits(at, at)) return at;
    }
    return null;
  }

  crcTo(end: number): number {
    if (!this.#checked) return 0;
    this.#crc = crc32(this.#bytes.subarray(this.#summed, end), this.#crc);
    this.#summed = end;
    return this.#crc;
  }

  #fits(end: number, at: number): boolean {
    const length = this.#given + end;
    const width = sizesAt(this.#view, at + 4, length, this.#checked ? length : null);
    return width > 0 && (!this.#checked || this.#view.getUint32(at, true) === this.crcTo(end));
  }
}

/** The width of both sizes if they match here; else 0. */
function sizesAt(view: DataView, at: number, compressedSize: number, size: number | null): number {
  if (isNumber(view, at, 8, compressedSize) && isNumber(view, at + 8, 8, size)) return 8;
  return isNumber(view, at, 4, compressedSize) && isNumber(view, at + 4, 4, size) ? 4 : 0;
}

/** null: any number. Programs without zip64 write what fits into four bytes. */
function isNumber(view: DataView, at: number, width: number, value: number | null): boolean {
  if (at + width > view.byteLength) return false;
  if (value === null) return true;
  const fits = view.getUint32(at, true) === value % 2 ** 32;
  return fits && (width === 4 || view.getUint32(at + 4, true) === Math.floor(value / 2 ** 32));
}

function startsWith(view: DataView, at: number): boolean {
  return at + 4 <= view.byteLength && view.getUint32(at, true) === SIGNATURE;
}
