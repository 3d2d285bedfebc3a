/**
 * Reads a zip archive sequentially, by its local headers. Each byte is unpacked once, whatever the central directory claims, so that
 * overlapping entries cannot make an archive endless. The directory is then compared with the entries read: it must not list anything
 * else.
 *
 * Format: APPNOTE.TXT 6.3.10 (PKWARE), sections 4.3 to 4.5.
 *
 * No library: yauzl, the careful one, starts at the central directory and so needs random access, and it decompresses method 8
 * (deflate) only. Here a zip inside a stream is read as it arrives, with methods 8, 9, 12, 14, 93, 95 and 98.
 */
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, EmbeddedEntry } from '../../document-item.ts';
import { CorruptInput, ExtractionError, MULTI_VOLUME, Unsupported } from '../../extraction-error.ts';
import type { ByteQueue } from '../../formats/byte-queue.ts';
import { commentText } from '../comment-text.ts';
import { EntryBytes } from './entry-bytes.ts';
import { checkDescriptor, untilDescriptor } from './zip-descriptor.ts';
import { ZipEntrySet } from './zip-entry-set.ts';
import { HAS_DESCRIPTOR } from './zip-fields.ts';
import { type LocalHeader, readLocal } from './zip-local.ts';
import { counted, refusalOf, STORED, unpack } from './zip-method.ts';
import { findSignature, isSignatureHere, LOCAL, SPLIT, signatureHere } from './zip-signature.ts';
import { ZipTail } from './zip-tail.ts';

const CHUNK_BYTES = 64 * 1024;
/** Maximum length of data before the archive, such as a self-extractor. */
const MAX_PROGRAM_LENGTH = 1024 * 1024;

/** Its entries; then its comments as text. */
export function readZip(queue: ByteQueue, budget: ExtractionBudget): AsyncGenerator<DocumentItem> {
  return new ZipReader(queue, budget).entries();
}

interface Found {
  compressedSize: number | null;
}

class ZipReader {
  readonly #queue: ByteQueue;
  readonly #budget: ExtractionBudget;
  #seen = new ZipEntrySet();
  #tail: ZipTail;
  /** Entries that are nothing, listed or not. */
  #free = 0;
  /** Of some entry it is not known how long it was. */
  #unsure = false;
  #incomplete = false;

  constructor(queue: ByteQueue, budget: ExtractionBudget) {
    this.#queue = queue;
    this.#budget = budget;
    this.#tail = new ZipTail(queue);
  }

  async *entries(): AsyncGenerator<DocumentItem> {
    const first = await signatureHere(this.#queue);
    if (first === SPLIT) throw new Unsupported(MULTI_VOLUME);
    const start = await findSignature(this.#queue, isPK(first) ? 'any' : 'entry', MAX_PROGRAM_LENGTH);
    if (start === null) throw new CorruptInput('zip archive');
    for (let signature: number | null = start; signature !== null; ) {
      let ended = false;
      if (signature === LOCAL) yield* this.#entryOf(await readLocal(this.#queue));
      else {
        ended = await this.#tail.read(signature);
        if (this.#tail.comment !== '') yield commentText(this.#tail.comment);
      }
      if (ended) this.#compare();
      signature = await findSignature(this.#queue, ended ? 'entry' : 'any', Number.POSITIVE_INFINITY);
      if (signature === null && !ended) throw new CorruptInput('truncated zip archive');
    }
    if (this.#incomplete) throw new CorruptInput('zip directory');
  }

  #entryOf(header: LocalHeader): AsyncGenerator<EmbeddedEntry> {
    return header.late ? this.#lateEntry(header) : this.#entry(header);
  }

  async *#entry(header: LocalHeader): AsyncGenerator<EmbeddedEntry> {
    if (isFreeRoom(header)) {
      this.#free++;
      return;
    }
    const end = this.#queue.taken + header.compressedSize;
    const bytes = new EntryBytes(this.#bytes(header, end));
    this.#queue.fence(header.compressedSize);
    try {
      yield* this.#shown(header, bytes);
    } finally {
      await bytes.close();
      this.#queue.unfence();
    }
    this.#seen.add(header.compressedSize);
    await this.#skip(end - this.#queue.taken);
  }

  async *#bytes(header: LocalHeader, end: number): AsyncGenerator<Uint8Array> {
    const sums = yield* unpack(header, 'queue', this.#queue, this.#budget);
    if (sums.size === header.size && sums.crc === header.crc) return;
    if ((header.flags & HAS_DESCRIPTOR) === 0) throw new CorruptInput('zip checksum');
    this.#queue.unfence();
    await this.#skip(end - this.#queue.taken);
    await checkDescriptor(this.#queue, sums, header.compressedSize);
  }

  /** Its end is known only after its data was read, or never if that fails; then the next signature is searched. */
  async *#lateEntry(header: LocalHeader): AsyncGenerator<EmbeddedEntry> {
    const found: Found = { compressedSize: null };
    const bytes = new EntryBytes(this.#lateBytes(header, found));
    try {
      yield* this.#shown(header, bytes);
      await drain(bytes);
    } finally {
      await bytes.close();
    }
    if (refusalOf(header) !== null) await this.#skipRefused(header, found);
    this.#seen.add(found.compressedSize ?? 0);
    if (found.compressedSize !== null) return;
    this.#unsure = true;
    this.#queue.unreadLast();
  }

  async *#lateBytes(header: LocalHeader, found: Found): AsyncGenerator<Uint8Array> {
    const queue = this.#queue;
    const from = queue.taken;
    const refusal = refusalOf(header);
    if (refusal !== null) throw refusal;
    // Folders are marked so by some programs, and have neither bytes nor a descriptor.
    if (isFolder(header) && (await isSignatureHere(queue))) {
      found.compressedSize = 0;
      return;
    }
    const sums =
      header.method === STORED
        ? yield* counted(untilDescriptor(queue, 'with sum'), queue, this.#budget)
        : yield* unpack(header, 'data', queue, this.#budget);
    found.compressedSize = queue.taken - from;
    await checkDescriptor(queue, sums, found.compressedSize);
  }

  async #skipRefused(header: LocalHeader, found: Found): Promise<void> {
    const from = this.#queue.taken;
    const ended = await drain(new EntryBytes(untilDescriptor(this.#queue, 'without sum')));
    if (!ended) throw refusalOf(header);
    found.compressedSize = this.#queue.taken - from;
  }

  *#shown(header: LocalHeader, bytes: EntryBytes): Generator<EmbeddedEntry> {
    if (isFolder(header)) return;
    this.#budget.countEntry();
    yield { is: 'entry', name: header.name, bytes };
    this.#budget.countDecompressed(0); // throws if the limit was exceeded, so that no further entry is read
  }

  /** At an archive's end; another one may follow. */
  #compare(): void {
    const { listed, claimed } = this.#tail;
    const seen = this.#seen;
    const more = Math.max(listed.entries, claimed) > seen.entries + this.#free;
    if (more || (!this.#unsure && !listed.covers(seen, this.#free))) this.#incomplete = true;
    this.#seen = new ZipEntrySet();
    this.#free = 0;
    this.#tail = new ZipTail(this.#queue);
    this.#unsure = false;
  }

  async #skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      const bytes = await this.#queue.take(Math.min(left, CHUNK_BYTES));
      if (bytes.length === 0) throw new CorruptInput('truncated zip archive');
      left -= bytes.length;
    }
  }
}

/** The reader of the data got the error; if the entry was skipped it does not matter. */
async function drain(bytes: EntryBytes): Promise<boolean> {
  try {
    return await bytes.drain();
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return false;
  }
}

function isFolder({ name, size, late }: LocalHeader): boolean {
  return (name.endsWith('/') || name.endsWith('\\')) && (late || size === 0);
}

/** Packages of Android have it in entries without a name or bytes, which the directory does not list. */
function isFreeRoom({ name, compressedSize, size }: LocalHeader): boolean {
  return name === '' && compressedSize === 0 && size === 0;
}

function isPK(signature: number | null): boolean {
  return signature !== null && (signature & 0xffff) === 0x4b50;
}
