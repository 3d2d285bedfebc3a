/**
 * The inventory: the state of every object when it was scanned, so that an unchanged one need not be read again. Blocks
 * of sixteen bytes per object in key order, merged with the listing of the next scan:
 *
 *   8 bytes  hash of the key
 *   7 bytes  hash of the version tag (size and times; ETag)
 *   1 byte   0: clean; 1: it has a row in `object`, to be carried over
 *
 * The hashes are SipHash-2-4 with a 128-bit key derived from the fingerprint key: without it, a change that keeps the hash is a guess of
 * 56 bits, one for each scan. They cost 0.45 µs per object. Objects whose outcome may differ next time (changed while read, no permission)
 * are left out and read again.
 */
import { createHmac } from 'node:crypto';
import type { Key } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import { SipHash } from '../../base/siphash.ts';
import type { SourceObject } from '../../sources/source.ts';
import { decodeSubThreshold, type SubThresholdObject } from '../results/sub-threshold.ts';

const WORDS = 4; // of 32 bits, per entry
export type InventoryState = 'clean' | 'has a row';

/**
 * Part of the inventory key: entries of another version have other hashes, so they can't be used to detect
 * unchanged objects.
 */
export const INVENTORY_VERSION = 2;

export class InventoryHash {
  readonly #sip: SipHash;
  /** The entry of the last key that was looked up. */
  readonly words = new Uint32Array(WORDS);

  constructor(secret: Uint8Array) {
    const derived = createHmac('sha256', secret).update(`seine inventory ${INVENTORY_VERSION}`).digest();
    this.#sip = new SipHash(derived.subarray(0, 16));
  }

  of(object: Pick<SourceObject, 'key' | 'identity'>): Uint32Array {
    this.#put(object.key, 0);
    this.#put(object.identity, 2);
    this.words[3]! &= 0xffffff00; // the last byte is the flag
    return this.words;
  }

  #put(text: string, at: number): void {
    this.#sip.hash(text);
    this.words[at] = this.#sip.low;
    this.words[at + 1] = this.#sip.high;
  }
}

/** Collects the entries of a window of objects. */
export class BlockWriter {
  #words = new Uint32Array(1024);
  #count = 0;

  add(entry: Uint32Array, state: InventoryState): void {
    if ((this.#count + 1) * WORDS > this.#words.length) this.#grow();
    this.#words.set(entry, this.#count * WORDS);
    if (state === 'has a row') this.#words[this.#count * WORDS + 3]! |= 1;
    this.#count++;
  }

  /** A copy, because the buffer is reused. Null when there are none. */
  bytes(): Buffer | null {
    return this.#count === 0
      ? null
      : Buffer.from(new Uint8Array(this.#words.buffer, 0, this.#count * WORDS * 4));
  }

  #grow(): void {
    const larger = new Uint32Array(this.#words.length * 2);
    larger.set(this.#words);
    this.#words = larger;
  }
}

/** One stored block. Lookups in key order only move forward; a key out of order builds an index. */
export class Block {
  /** The key of its last entry, in stored and decrypted form. */
  readonly stored: Key;
  readonly upTo: Key;
  readonly #storage: KeyCodec;
  readonly #words: Uint32Array;
  #next = 0;
  #index: Map<number, number> | null = null;
  readonly #encodedSubThreshold: Buffer | null;
  #subThreshold: Map<Key, SubThresholdObject> | null = null;

  constructor(
    stored: Key,
    entries: Buffer,
    subThreshold: Buffer | null = null,
    storage: KeyCodec = PLAIN_KEYS,
  ) {
    this.stored = stored;
    this.upTo = storage.open(stored);
    this.#storage = storage;
    this.#encodedSubThreshold = subThreshold;
    this.#words = new Uint32Array(
      entries.buffer.slice(entries.byteOffset, entries.byteOffset + entries.byteLength),
    );
  }

  find(entry: Uint32Array): InventoryState | null {
    const at = this.#seek(entry);
    if (at === null) return null;
    const flagged = this.#words[at + 3]!;
    if (this.#words[at + 2] !== entry[2] || ((flagged ^ entry[3]!) & 0xffffff00) !== 0) return null;
    return flagged & 1 ? 'has a row' : 'clean';
  }

  subThreshold(key: Key): SubThresholdObject | null {
    if (this.#encodedSubThreshold === null) return null;
    this.#subThreshold ??= new Map(
      decodeSubThreshold(this.#encodedSubThreshold).map((object) => [object.key, object]),
    );
    const object = this.#subThreshold.get(this.#storage.seal(key));
    return object === undefined ? null : { ...object, key };
  }

  /** Number of entries without a row. */
  get clean(): number {
    let clean = 0;
    for (let at = 3; at < this.#words.length; at += WORDS) if ((this.#words[at]! & 1) === 0) clean++;
    return clean;
  }

  /** The hash of the version tag in the entry with the same key. */
  versionTagOf(entry: Uint32Array): string | null {
    const at = this.#seek(entry);
    return at === null ? null : `${this.#words[at + 2]!} ${this.#words[at + 3]! >>> 8}`;
  }

  #seek(entry: Uint32Array): number | null {
    const at = this.#holdsKey(this.#next, entry) ? this.#next : this.#lookUp(entry);
    if (at !== null) this.#next = at + WORDS;
    return at;
  }

  #holdsKey(at: number, entry: Uint32Array): boolean {
    return this.#words[at] === entry[0] && this.#words[at + 1] === entry[1];
  }

  #lookUp(entry: Uint32Array): number | null {
    this.#index ??= this.#makeIndex();
    const at = this.#index.get(indexKey(entry[0]!, entry[1]!));
    return at !== undefined && this.#holdsKey(at, entry) ? at : null;
  }

  #makeIndex(): Map<number, number> {
    const index = new Map<number, number>();
    for (let at = 0; at < this.#words.length; at += WORDS)
      index.set(indexKey(this.#words[at]!, this.#words[at + 1]!), at);
    return index;
  }
}

/** 53 of the 64 bits: what a number represents exactly. */
function indexKey(a: number, b: number): number {
  return a * 0x200000 + (b >>> 11);
}
