import { setImmediate } from 'node:timers/promises';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key, keyOf } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import type { ObjectError, Source, SourceObject } from '../source.ts';

interface Entry {
  readonly bytes: Uint8Array;
  readonly object: SourceObject;
}

interface Failure {
  readonly error: Error;
  times: number;
}

/** An in-memory source for tests, with fault injection. */
export interface MemorySource extends Source {
  readWhole(object: SourceObject, into: Uint8Array): number;
  midpoint(range: Range, signal: AbortSignal): Promise<Key | null>;
  put(key: Key, content: Uint8Array | string, more?: Partial<SourceObject>): void;
  remove(key: Key): void;
  /** Makes the next `times` reads of the object fail. */
  failRead(key: Key, error: Error, times?: number): void;
  /** Makes the next `times` listings fail when they reach the key, after everything before it. */
  failList(key: Key, error: Error, times?: number): void;
  /** Lists the key as an object error. */
  hide(key: Key, error: SeineError): void;
  /** How often each object was read. */
  readonly reads: ReadonlyMap<Key, number>;
}

export function createMemorySource(
  contents: Readonly<Record<string, string>> = {},
  { id = 'memory:', batch = 4, piece = 1 << 16 }: { id?: string; batch?: number; piece?: number } = {},
): MemorySource {
  const entries = new Map<Key, Entry>();
  const hidden = new Map<Key, SeineError>();
  const readFailures = new Map<Key, Failure>();
  const listFailures = new Map<Key, Failure>();
  const reads = new Map<Key, number>();
  let version = 0;

  function put(key: Key, content: Uint8Array | string, more: Partial<SourceObject> = {}): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const object = { key, size: bytes.length, modified: null, identity: `v${++version}`, ...more };
    entries.set(key, { bytes, object });
  }

  function keysIn(range: Range): Key[] {
    return [...new Set([...entries.keys(), ...hidden.keys()])].filter((key) => contains(range, key)).sort();
  }

  function itemOf(key: Key): SourceObject | ObjectError | null {
    const error = hidden.get(key);
    return error === undefined ? (entries.get(key)?.object ?? null) : { key, error };
  }

  async function* list(range: Range, signal: AbortSignal): AsyncGenerator<(SourceObject | ObjectError)[]> {
    signal.throwIfAborted();
    let items: (SourceObject | ObjectError)[] = [];
    for (const key of keysIn(range)) {
      if (isDue(listFailures, key)) {
        if (items.length > 0) yield items;
        throw listFailures.get(key)!.error;
      }
      const item = itemOf(key);
      if (item !== null) items.push(item);
      if (items.length < batch) continue;
      yield items;
      items = [];
      await setImmediate();
      signal.throwIfAborted();
    }
    if (items.length > 0) yield items;
  }

  function open(object: SourceObject): Uint8Array {
    reads.set(object.key, (reads.get(object.key) ?? 0) + 1);
    if (isDue(readFailures, object.key)) throw readFailures.get(object.key)!.error;
    return listed(object);
  }

  function listed(object: SourceObject): Uint8Array {
    const entry = entries.get(object.key);
    if (entry === undefined) throw new SeineError('not-found', `${displayKey(object.key)} does not exist.`);
    if (entry.object.identity === object.identity) return entry.bytes;
    throw new SeineError('changed', `${displayKey(object.key)} is no longer what was listed.`);
  }

  const source: MemorySource = {
    id,
    capabilities: { rangeRead: true, splittable: true, remote: false },
    list,
    async *read(object, range, signal) {
      signal.throwIfAborted();
      const bytes = open(object).subarray(range?.from ?? 0, range?.to);
      for (let at = 0; at < bytes.length; at += piece) {
        yield bytes.slice(at, at + piece);
        signal.throwIfAborted();
        listed(object);
      }
    },
    async find(key, signal) {
      signal.throwIfAborted();
      return itemOf(key);
    },
    readWhole(object, into) {
      if (object.size > into.length) return -1;
      const bytes = open(object);
      into.set(bytes);
      return bytes.length;
    },
    async midpoint(range, signal) {
      signal.throwIfAborted();
      const keys = keysIn(range);
      return keys.length < 2 ? null : keys[(keys.length >> 1) - 1]!;
    },
    put,
    remove: (key) => void entries.delete(key),
    failRead: (key, error, times = Number.POSITIVE_INFINITY) => void readFailures.set(key, { error, times }),
    failList: (key, error, times = 1) => void listFailures.set(key, { error, times }),
    hide: (key, error) => void hidden.set(key, error),
    reads,
  };
  for (const [key, content] of Object.entries(contents)) put(keyOf(key), content);
  return source;
}

function isDue(failures: ReadonlyMap<Key, Failure>, key: Key): boolean {
  const failure = failures.get(key);
  return failure !== undefined && failure.times-- > 0;
}
