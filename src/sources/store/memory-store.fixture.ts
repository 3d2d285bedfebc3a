import { SeineError } from '../../base/errors.ts';
import { type Key, keyOf } from '../../base/key.ts';
import type { ByteRange, SourceObject } from '../source.ts';
import {
  identityOf,
  type PageRequest,
  type ReadObject,
  type StoreClient,
  type StoreFailure,
  tagOf,
} from './store-client.ts';

/** An in-memory store for tests, with small pages and fault injection. */
export interface MemoryStore extends StoreClient {
  put(name: string, content: Uint8Array | string, more?: Partial<SourceObject>): void;
  remove(name: string): void;
  /** The fault of each of the next requests in turn; null for none. */
  readonly troubles: (InjectedFault | null)[];
  readonly pages: PageRequest[];
  readonly reads: (ByteRange | null)[];
  /** Requests whose signal was aborted. */
  readonly aborted: number;
}

export type InjectedFault =
  | { readonly failure: StoreFailure }
  /** Never responds. */
  | 'silence'
  /** The body breaks, ends, or stalls after this many bytes. */
  | { readonly breakAfter: number }
  | { readonly endAfter: number }
  | { readonly stallAfter: number }
  /** A page without objects that is not the last. */
  | 'empty page';

interface Entry {
  readonly object: SourceObject;
  readonly bytes: Uint8Array;
}

export function createMemoryStore({ prefix = '', pageSize = 3 } = {}): MemoryStore {
  const entries = new Map<Key, Entry>();
  const troubles: (InjectedFault | null)[] = [];
  const pages: PageRequest[] = [];
  const reads: (ByteRange | null)[] = [];
  let version = 0;
  let aborted = 0;

  async function meetTrouble(signal: AbortSignal): Promise<InjectedFault | null> {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => aborted++);
    const trouble = troubles.shift() ?? null;
    if (trouble === 'silence') await new Promise(() => {});
    if (trouble !== null && typeof trouble === 'object' && 'failure' in trouble)
      throw new Failed(trouble.failure);
    return trouble;
  }

  async function page(request: PageRequest, signal: AbortSignal) {
    pages.push(request);
    const trouble = await meetTrouble(signal);
    const isWanted = (key: Key) => key.startsWith(keyOf(request.prefix)) && key > keyOf(request.after);
    const keys = [...entries.keys()].filter(isWanted).sort();
    if (trouble === 'empty page') return { objects: [], next: `on ${pages.length}` };
    const objects = keys.slice(0, request.most).map((key) => entries.get(key)!.object);
    return { objects, next: keys.length > request.most ? 'on' : null };
  }

  async function read(object: ReadObject, range: ByteRange | null, signal: AbortSignal) {
    reads.push(range);
    const trouble = await meetTrouble(signal);
    const entry = entries.get(keyOf(object.name));
    if (entry === undefined) throw new SeineError('not-found', `${object.name} does not exist.`);
    if (tagOf(entry.object.identity) !== tagOf(object.identity)) {
      throw new SeineError('changed', `${object.name} is no longer what was listed.`);
    }
    return body(entry.bytes.subarray(range?.from ?? 0, range?.to), trouble);
  }

  return {
    id: `memory://store/${prefix}`,
    quota: 'memory:store:nobody',
    prefix,
    pageSize,
    page,
    read,
    mapError: (error) => {
      if (error instanceof Failed) return error.failure;
      return { error: error instanceof SeineError ? error : new SeineError('internal', String(error)) };
    },
    put(name, content, more = {}) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      const modified = more.modified ?? 0;
      const identity = identityOf(`v${++version}`, bytes.length, modified);
      const object = { key: keyOf(name), size: bytes.length, modified, identity, ...more };
      entries.set(object.key, { object, bytes });
    },
    remove: (name) => void entries.delete(keyOf(name)),
    troubles,
    pages,
    reads,
    get aborted() {
      return aborted;
    },
  };
}

class Failed extends Error {
  readonly failure: StoreFailure;

  constructor(failure: StoreFailure) {
    super('failed');
    this.failure = failure;
  }
}

const CHUNK_BYTES = 1 << 16;

async function* body(bytes: Uint8Array, trouble: InjectedFault | null): AsyncGenerator<Uint8Array> {
  const limit = limitOf(trouble) ?? bytes.length;
  for (let at = 0; at < limit; at += CHUNK_BYTES) yield bytes.slice(at, Math.min(limit, at + CHUNK_BYTES));
  if (trouble === null || typeof trouble === 'string') return;
  if ('stallAfter' in trouble) await new Promise(() => {});
  if ('breakAfter' in trouble) {
    throw new Failed({ error: new SeineError('unavailable', 'The connection broke.') });
  }
}

function limitOf(trouble: InjectedFault | null): number | undefined {
  if (trouble === null || typeof trouble === 'string' || 'failure' in trouble) return undefined;
  if ('stallAfter' in trouble) return trouble.stallAfter;
  return 'endAfter' in trouble ? trouble.endAfter : trouble.breakAfter;
}
