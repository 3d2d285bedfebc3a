import { CorruptInput, Encrypted, MULTI_VOLUME, Unsupported } from '../../extraction-error.ts';
import type { ByteQueue } from '../../formats/byte-queue.ts';
import { ZipEntrySet } from './zip-entry-set.ts';
import { nameOf, viewOf, widen } from './zip-fields.ts';
import { ENCRYPTED_DIRECTORY, END, END64, LOCATOR, RECORD, signatureHere } from './zip-signature.ts';

const RECORD_SIZE = 46;
const END64_SIZE = 56;
const LOCATOR_SIZE = 20;
const END_SIZE = 22;
const WIDE = 0xffff; // where four bytes are not enough
const NO_EXTRA = new Uint8Array(0);

/** Reads what follows the entries: the central directory and the end records. */
export class ZipTail {
  readonly listed = new ZipEntrySet();
  readonly #queue: ByteQueue;
  /** The number of entries that the archive claims. */
  claimed = 0;
  /** Of the record that was read last. */
  comment = '';

  constructor(queue: ByteQueue) {
    this.#queue = queue;
  }

  /** At the signature. True: it was the end. */
  async read(signature: number): Promise<boolean> {
    this.comment = '';
    if (signature === ENCRYPTED_DIRECTORY) throw new Encrypted();
    if (signature === RECORD) await this.#record();
    if (signature === END64) await this.#end64();
    if (signature !== END) return false;
    await this.#end();
    return true;
  }

  async #record(): Promise<void> {
    const view = viewOf(await this.#take(RECORD_SIZE));
    const narrow = { compressedSize: view.getUint32(20, true), size: view.getUint32(24, true), offset: 0 };
    const nameLength = view.getUint16(28, true);
    const extraEnd = nameLength + view.getUint16(30, true);
    const rest = await this.#take(extraEnd + view.getUint16(32, true));
    this.listed.add(widen(narrow, rest.subarray(nameLength, extraEnd)).compressedSize);
    this.comment = nameOf(rest.subarray(extraEnd), view.getUint16(8, true), NO_EXTRA);
  }

  async #end64(): Promise<void> {
    const view = viewOf(await this.#take(END64_SIZE));
    this.claimed = Math.max(this.claimed, Number(view.getBigUint64(32, true)));
    // The end record directly follows it, whatever its offsets say, so no search is needed.
    if ((await signatureHere(this.#queue)) === LOCATOR) await this.#take(LOCATOR_SIZE);
  }

  async #end(): Promise<void> {
    const view = viewOf(await this.#take(END_SIZE));
    const disk = view.getUint16(4, true);
    const count = view.getUint16(10, true);
    const comment = view.getUint16(20, true);
    if (disk !== 0 && disk !== WIDE) throw new Unsupported(MULTI_VOLUME);
    if (count !== WIDE || this.claimed === 0) this.claimed = Math.max(this.claimed, count);
    this.comment = nameOf(await this.#queue.take(comment), 0, NO_EXTRA);
  }

  async #take(count: number): Promise<Uint8Array> {
    const bytes = await this.#queue.take(count);
    if (bytes.length < count) throw new CorruptInput('truncated zip archive');
    return bytes;
  }
}
