import { CorruptInput } from '../../../extraction-error.ts';
import type { ChainedStream } from './chained-stream.ts';

const ENTRY_BYTES = 128;
const NONE = 0xffffffff;
const STORAGE = 1;
const STREAM = 2;
const ROOT = 5;

/** A folder of a compound file. Names are compared without regard to case, as the format has it. */
export class Storage {
  readonly streams: Map<string, ChainedStream> = new Map();
  readonly storages: Map<string, Storage> = new Map();

  stream(name: string): ChainedStream | null {
    return this.streams.get(name.toUpperCase()) ?? null;
  }

  storage(name: string): Storage | null {
    return this.storages.get(name.toUpperCase()) ?? null;
  }

  /** Those whose upper-case names match, sorted by name. */
  storagesLike(pattern: RegExp): Storage[] {
    const found = [...this.storages].filter(([name]) => pattern.test(name));
    return found.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, storage]) => storage);
  }

  add(name: string): Storage {
    const storage = new Storage();
    this.storages.set(name, storage);
    return storage;
  }
}

/** The location of a stream, from its directory entry. */
export interface Extent {
  readonly first: number;
  readonly size: number;
}

/**
 * The entries of a directory. The children of a storage form a tree of left and right siblings; each entry may occur in it once, so that
 * cycles end.
 */
export class Directory {
  readonly #bytes: Buffer;
  readonly #wideSizes: boolean;
  readonly #seen: Uint8Array;
  /** Something it refers to isn't there. */
  damaged = false;

  /** 64-bit sizes exist only with large sectors; otherwise the upper half is undefined. */
  constructor(bytes: Buffer, wideSizes: boolean) {
    if (bytes.length < ENTRY_BYTES || bytes[66] !== ROOT) throw new CorruptInput('compound file directory');
    this.#bytes = bytes;
    this.#wideSizes = wideSizes;
    this.#seen = new Uint8Array(Math.floor(bytes.length / ENTRY_BYTES));
    this.#seen[0] = 1;
  }

  /** The stream that holds the small ones. */
  get container(): Extent {
    return this.#extent(0);
  }

  tree(open: (extent: Extent) => ChainedStream): Storage {
    const root = new Storage();
    const waiting = [{ storage: root, entry: this.#link(0, 76) }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { storage, entry } = next;
      if (entry === NONE || !this.#enter(entry)) continue;
      waiting.push({ storage, entry: this.#link(entry, 68) }, { storage, entry: this.#link(entry, 72) });
      const name = this.#name(entry).toUpperCase();
      const kind = this.#bytes[entry * ENTRY_BYTES + 66];
      const known = storage.streams.has(name) || storage.storages.has(name);
      if (known || (kind !== STREAM && kind !== STORAGE)) this.damaged = true;
      else if (kind === STREAM) storage.streams.set(name, open(this.#extent(entry)));
      else waiting.push({ storage: storage.add(name), entry: this.#link(entry, 76) });
    }
    return root;
  }

  #enter(entry: number): boolean {
    const fresh = this.#seen[entry] === 0;
    if (fresh) this.#seen[entry] = 1;
    else this.damaged = true;
    return fresh;
  }

  #link(entry: number, at: number): number {
    return this.#bytes.readUInt32LE(entry * ENTRY_BYTES + at);
  }

  #name(entry: number): string {
    const from = entry * ENTRY_BYTES;
    const length = Math.min(64, this.#bytes.readUInt16LE(from + 64));
    return this.#bytes.toString('utf16le', from, from + Math.max(0, length - 2));
  }

  #extent(entry: number): Extent {
    const at = entry * ENTRY_BYTES + 116;
    const high = this.#wideSizes ? this.#bytes.readUInt32LE(at + 8) : 0;
    return { first: this.#bytes.readUInt32LE(at), size: this.#bytes.readUInt32LE(at + 4) + high * 2 ** 32 };
  }
}
