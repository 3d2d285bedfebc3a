/**
 * Reads tar archives as a stream: v7, ustar, pax and GNU.
 *
 * Format: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Interchange Format"; GNU tar manual, "Basic Tar Format" and "Storing
 * Sparse Files".
 *
 * No library: tar-stream buffers extended headers of any claimed size and returns sparse files without their map, so offsets and sizes
 * would be wrong. A header is 512 bytes; the rest of this folder is what the package leaves to its caller.
 */
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem } from '../../document-item.ts';
import { CorruptInput, LimitExceeded, Unsupported } from '../../extraction-error.ts';
import type { ByteQueue } from '../../formats/byte-queue.ts';
import { commentText } from '../comment-text.ts';
import { type Attributes, readAttributes } from './tar-attributes.ts';
import { BLOCK, decodeName, readHeader, SPARSE, type TarHeader } from './tar-header.ts';
import { dataExtents, type MemberBytes, readInnerMap, readOldMap, type SparseMap } from './tar-sparse.ts';

const ZEROS = new Uint8Array(BLOCK);
const CHUNK_BYTES = 64 * 1024;
/** Names and attributes are kept in memory. */
const MAX_HEADER_LENGTH = 1024 * 1024;

const LONG_NAME = 'L';
const ATTRIBUTES = 'xX';
const ATTRIBUTES_OF_ALL = 'g';
/** A long name that a link points to, directory lists, volume headers: metadata of tar programs, without content of users. */
const SKIPPED = 'KNDV';
/** Links, devices and directories. */
const WITHOUT_BYTES = '123456';

/** Files of a tar archive in stream order, and comments as text. Links are not followed, and names are only shown. */
export function readTar(queue: ByteQueue, budget: ExtractionBudget): AsyncGenerator<DocumentItem> {
  return new TarReader(queue, budget).entries();
}

class TarReader implements MemberBytes {
  readonly #queue: ByteQueue;
  readonly #budget: ExtractionBudget;
  #ofAll: Attributes = {};
  #ofNext: Attributes = {};
  /** In the attributes that were read last. */
  #comment = '';
  #left = 0;
  /** Some header was damaged. Entries found after it are still yielded. */
  #damaged = false;

  constructor(queue: ByteQueue, budget: ExtractionBudget) {
    this.#queue = queue;
    this.#budget = budget;
  }

  async *entries(): AsyncGenerator<DocumentItem> {
    for (let first = true; ; first = false) {
      const header = await this.#nextHeader(first);
      if (header === null) break;
      if (await this.#isAbout(header)) {
        if (this.#comment !== '') yield commentText(this.#comment);
        continue;
      }
      const { name = header.name, size = header.size, sparse } = { ...this.#ofAll, ...this.#ofNext };
      this.#ofNext = {};
      const map = header.type === SPARSE ? await this.#oldMap(header) : sparse;
      if (await this.#hasBytes(header, size)) {
        this.#budget.countEntry();
        this.#left = size;
        yield { is: 'entry', name, bytes: map === undefined ? this.#bytes() : this.#sparseBytes(map) };
        await this.#skip(this.#left);
        await this.#skip(padding(size));
      }
    }
    if (this.#damaged) throw new CorruptInput('tar header');
  }

  /** Returns null at the end, which is marked by zeros. Another archive may be appended after them. */
  async #nextHeader(first: boolean): Promise<TarHeader | null> {
    for (let zeros = 0; ; ) {
      const block = await this.#queue.take(BLOCK);
      if (block.length < BLOCK) {
        if (zeros === 0 && !this.#damaged) throw new CorruptInput('truncated tar archive');
        return null;
      }
      if (isZero(block)) {
        zeros++;
        continue;
      }
      const header = readHeader(block);
      if (header !== null) return header;
      if (zeros > 0 && !this.#damaged) return null;
      if (first) throw new CorruptInput('tar header');
      this.#damaged = true;
    }
  }

  /** A header about the next one is taken in. */
  async #isAbout({ type, size }: TarHeader): Promise<boolean> {
    this.#comment = '';
    if (type === LONG_NAME) {
      this.#ofNext = { ...this.#ofNext, name: decodeName(await this.#takeHeader(size)) };
    } else if (ATTRIBUTES.includes(type) || type === ATTRIBUTES_OF_ALL) {
      const attributes = readAttributes(await this.#takeHeader(size));
      this.#comment = attributes?.comment ?? '';
      if (attributes === null) this.#damaged = true;
      else if (type === ATTRIBUTES_OF_ALL) this.#ofAll = { ...this.#ofAll, ...attributes };
      else this.#ofNext = { ...this.#ofNext, ...attributes };
    } else if (SKIPPED.includes(type)) {
      await this.#skip(size);
    } else {
      return false;
    }
    await this.#skip(padding(size));
    return true;
  }

  async #takeHeader(size: number): Promise<Uint8Array> {
    if (size > MAX_HEADER_LENGTH) throw new LimitExceeded('tar header');
    const bytes = Uint8Array.from(await this.#queue.take(size));
    if (bytes.length < size) throw new CorruptInput('truncated tar archive');
    return bytes;
  }

  /** Some programs write a size for links, some even the data; what follows decides. */
  async #hasBytes({ type, name }: TarHeader, size: number): Promise<boolean> {
    if (!WITHOUT_BYTES.includes(type)) return size > 0 || !name.endsWith('/');
    if (size === 0) return false;
    const block = await this.#queue.take(BLOCK);
    const isNext = block.length < BLOCK || isZero(block) || readHeader(block) !== null;
    this.#queue.unread(block.length);
    return !isNext;
  }

  /** Bytes of the entry that were not taken. */
  get left(): number {
    return this.#left;
  }

  async take(max: number): Promise<Uint8Array> {
    const bytes = await this.#queue.take(Math.min(this.#left, max, CHUNK_BYTES));
    if (bytes.length === 0 && this.#left > 0) throw new CorruptInput('truncated tar archive');
    this.#left -= bytes.length;
    return bytes;
  }

  async *#bytes(): AsyncGenerator<Uint8Array> {
    while (this.#left > 0) yield await this.take(CHUNK_BYTES);
  }

  async *#sparseBytes(map: NonNullable<Attributes['sparse']>): AsyncGenerator<Uint8Array> {
    if (map === 'unknown') throw new Unsupported('sparse file in tar');
    yield* dataExtents(map === 'inner' ? await readInnerMap(this) : map, this);
  }

  #oldMap({ map, extended }: TarHeader): Promise<SparseMap> {
    return readOldMap(map, extended, () => this.#queue.take(BLOCK));
  }

  async #skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      const bytes = await this.#queue.take(Math.min(left, CHUNK_BYTES));
      if (bytes.length === 0) throw new CorruptInput('truncated tar archive');
      left -= bytes.length;
    }
  }
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function isZero(block: Uint8Array): boolean {
  return block[0] === 0 && Buffer.compare(block, ZEROS) === 0;
}
