/**
 * The inventory: what every object was when it was scanned, so that an unchanged one need not be read again. Blocks
 * of sixteen bytes an object in key order, merged with the listing of the next scan:
 *
 *   8 bytes  hash of the key
 *   7 bytes  hash of the content's identity (size, times, inode; ETag)
 *   1 byte   0: nothing to say about it; 1: it has a row in `object`, to be carried over
 *
 * Hashes are seeded with a secret of the installation, so nobody can craft a change that looks like none. Objects
 * whose outcome may differ next time (changed while read, no permission) are left out and looked at again.
 */
import type { Key } from '../base/key.ts';
import type { SourceObject } from '../sources/source.ts';
import { type FaintObject, unpackFaint } from './faint.ts';

const WORDS = 4; // of 32 bits, per entry
export type Known = 'clean' | 'has a row';

export class InventoryHash {
  readonly #seed: number;
  /** The entry of the last object that was asked for. */
  readonly words = new Uint32Array(WORDS);

  constructor(secret: Uint8Array) {
    this.#seed = new DataView(secret.buffer, secret.byteOffset).getUint32(0);
  }

  of(object: Pick<SourceObject, 'key' | 'identity'>): Uint32Array {
    this.#mix(object.key, 0);
    this.#mix(object.identity, 2);
    this.words[3]! &= 0xffffff00; // the last byte is the flag
    return this.words;
  }

  /** Two independent lanes of multiply and rotate, each finished so that every bit depends on every byte. */
  #mix(text: string, at: number): void {
    let a = this.#seed ^ 0x9e3779b1;
    let b = ~this.#seed ^ 0x85ebca77;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      a = Math.imul(a ^ c, 0xc2b2ae3d);
      a = (a << 13) | (a >>> 19);
      b = Math.imul(b + c, 0x27d4eb2f);
      b = (b << 17) | (b >>> 15);
    }
    this.words[at] = finish(a ^ text.length);
    this.words[at + 1] = finish(b + a);
  }
}

function finish(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** Collects the entries of a stretch of objects. */
export class BlockWriter {
  #words = new Uint32Array(1024);
  #count = 0;

  add(entry: Uint32Array, known: Known): void {
    if ((this.#count + 1) * WORDS > this.#words.length) this.#grow();
    this.#words.set(entry, this.#count * WORDS);
    if (known === 'has a row') this.#words[this.#count * WORDS + 3]! |= 1;
    this.#count++;
  }

  /** A copy: the words go on growing. Null when there are none. */
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

/** One block as it was written. Asked in key order it only moves forward; a key out of step costs one index. */
export class Block {
  readonly upTo: Key;
  readonly #words: Uint32Array;
  #next = 0;
  #index: Map<number, number> | null = null;
  readonly #packed: Buffer | null;
  #faint: Map<Key, FaintObject> | null = null;

  constructor(upTo: Key, entries: Buffer, faint: Buffer | null = null) {
    this.upTo = upTo;
    this.#packed = faint;
    this.#words = new Uint32Array(
      entries.buffer.slice(entries.byteOffset, entries.byteOffset + entries.byteLength),
    );
  }

  find(entry: Uint32Array): Known | null {
    const at = this.#seek(entry);
    if (at === null) return null;
    const flagged = this.#words[at + 3]!;
    if (this.#words[at + 2] !== entry[2] || ((flagged ^ entry[3]!) & 0xffffff00) !== 0) return null;
    return flagged & 1 ? 'has a row' : 'clean';
  }

  faint(key: Key): FaintObject | null {
    if (this.#packed === null) return null;
    this.#faint ??= new Map(unpackFaint(this.#packed).map((object) => [object.key, object]));
    return this.#faint.get(key) ?? null;
  }

  /** How many entries have nothing to be said about them. */
  get clean(): number {
    let clean = 0;
    for (let at = 3; at < this.#words.length; at += WORDS) if ((this.#words[at]! & 1) === 0) clean++;
    return clean;
  }

  /** The hash of its content's identity, of an entry with the same key. */
  identityOf(entry: Uint32Array): string | null {
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

/** 53 of the 64 bits: what a number holds exactly. */
function indexKey(a: number, b: number): number {
  return a * 0x200000 + (b >>> 11);
}
