/**
 * HEIC and AVIF: nested boxes. Metadata are items, like the picture itself; one box lists the items ("iinf"), another their positions
 * ("iloc").
 *
 * Format: ISO/IEC 14496-12, sections 4.2 (boxes) and 8.11 (metadata); ISO/IEC 23008-12.
 */
import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput, LimitExceeded } from '../../../extraction-error.ts';
import { ReadWindow } from '../read-window.ts';
import { type Block, MAX_BLOCK_LENGTH } from './block.ts';

const MAX_BOXES = 1000;
const MAX_ITEMS = 10_000;
const IN_FILE = 0;

interface Extent {
  readonly at: number;
  readonly length: number;
}

export async function* heifBlocks(input: RandomAccess): AsyncGenerator<Block> {
  const meta = await findMeta(input);
  if (meta === null) return;
  const itemTypes = new Map<number, 'exif' | 'xmp'>();
  const extents = new Map<number, Extent>();
  // Its version precedes its boxes.
  for (const { type, body } of boxesIn(meta.subarray(4))) {
    if (type === 'iinf') readNames(new HeifReader(body), itemTypes);
    if (type === 'iloc') readPlaces(new HeifReader(body), extents);
  }
  for (const [item, is] of itemTypes) {
    const extent = extents.get(item);
    if (extent !== undefined) yield* itemBlocks(input, is, extent);
  }
}

async function findMeta(input: RandomAccess): Promise<Uint8Array | null> {
  const window = new ReadWindow(input);
  for (let at = 0, boxes = 0; at < input.size && boxes < MAX_BOXES; boxes++) {
    const head = new HeifReader(await window.read(at, at + 16));
    let length = head.unsigned(4);
    const type = head.text(4);
    const long = length === 1;
    if (long) length = head.unsigned(8);
    if (length === 0) length = input.size - at;
    if (length < 8) throw new CorruptInput('HEIC image');
    if (type === 'meta') {
      if (length > MAX_BLOCK_LENGTH) throw new LimitExceeded('picture metadata');
      return await window.read(at + (long ? 16 : 8), at + length);
    }
    at += length;
  }
  return null;
}

function* boxesIn(bytes: Uint8Array): Generator<{ type: string; body: Uint8Array }> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const head = new HeifReader(bytes.subarray(at));
    const length = head.unsigned(4);
    if (length < 8) throw new CorruptInput('HEIC image');
    yield { type: head.text(4), body: bytes.subarray(at + 8, at + length) };
    at += length;
  }
}

function readNames(cursor: HeifReader, itemTypes: Map<number, 'exif' | 'xmp'>): void {
  const version = cursor.unsigned(1);
  cursor.skip(3);
  cursor.skip(version === 0 ? 2 : 4); // the count is redundant
  for (const { type, body } of boxesIn(cursor.rest())) {
    const name = new HeifReader(body);
    const form = name.unsigned(1);
    if (type !== 'infe' || form < 2) continue;
    name.skip(3);
    const item = name.unsigned(form === 2 ? 2 : 4);
    name.skip(2);
    const kind = name.text(4);
    if (kind === 'Exif') itemTypes.set(item, 'exif');
    if (kind === 'mime' && name.restText().includes('application/rdf+xml')) itemTypes.set(item, 'xmp');
    if (itemTypes.size > MAX_ITEMS) throw new LimitExceeded('picture metadata');
  }
}

function readPlaces(cursor: HeifReader, extentOf: Map<number, Extent>): void {
  const version = cursor.unsigned(1);
  cursor.skip(3);
  const sizes = cursor.unsigned(1);
  const moreSizes = cursor.unsigned(1);
  const indexSize = version === 0 ? 0 : moreSizes & 15;
  const count = cursor.unsigned(version < 2 ? 2 : 4);
  if (count > MAX_ITEMS) throw new LimitExceeded('picture metadata');
  for (let i = 0; i < count; i++) {
    const item = cursor.unsigned(version < 2 ? 2 : 4);
    const method = version === 0 ? IN_FILE : cursor.unsigned(2) & 15;
    cursor.skip(2);
    const base = cursor.unsigned(moreSizes >> 4);
    const extents = cursor.unsigned(2);
    for (let extent = 0; extent < extents; extent++) {
      cursor.skip(indexSize);
      const at = base + cursor.unsigned(sizes >> 4);
      const length = cursor.unsigned(sizes & 15);
      // Metadata are small and stored in one range of the file.
      if (extent === 0 && method === IN_FILE) extentOf.set(item, { at, length });
    }
  }
}

async function* itemBlocks(
  input: RandomAccess,
  is: 'exif' | 'xmp',
  { at, length }: Extent,
): AsyncGenerator<Block> {
  if (length > MAX_BLOCK_LENGTH) throw new LimitExceeded('picture metadata');
  const bytes = await input.read(at, at + length);
  if (bytes.length < length) throw new CorruptInput('truncated HEIC image');
  // EXIF has a number before it: how much is between this number and the data.
  if (is === 'xmp') yield { is, bytes };
  else yield { is, bytes: bytes.subarray(4 + new HeifReader(bytes).unsigned(4)) };
}

const latin = new TextDecoder('latin1');

/** Numbers and names one after another, the highest byte first. */
class HeifReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  unsigned(size: number): number {
    let value = 0;
    for (const byte of this.#take(size)) value = 256 * value + byte;
    return value;
  }

  text(length: number): string {
    return latin.decode(this.#take(length));
  }

  skip(length: number): void {
    this.#take(length);
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  restText(): string {
    return latin.decode(this.rest());
  }

  #take(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw new CorruptInput('truncated HEIC image');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
