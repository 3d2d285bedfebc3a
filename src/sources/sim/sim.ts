import { setImmediate } from 'node:timers/promises';
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { Page, Source, SourceObject } from '../source.ts';
import { type ContentPlan, contentOf, type Planted, plantedAt, sizeAt } from './content.ts';
import { makeBucket, type Shape } from './shapes.ts';

/** A computed bucket of any size: the same seed gives the same bucket everywhere. */
export interface SimOptions {
  readonly objects: number;
  readonly shape?: Shape;
  readonly seed?: number;
  readonly size?: number;
  readonly values?: readonly string[];
  readonly perThousand?: number;
}

export interface SimSource extends Source {
  readWhole(object: SourceObject, into: Uint8Array): number;
  page(range: Range, max: number, signal: AbortSignal): Promise<Page>;
  objectAt(index: number): SourceObject;
  /** What a scan must find in it. */
  plantedIn(index: number): Planted | null;
}

const BATCH = 1000;
const CHUNK_BYTES = 1 << 18;

export function createSimSource(options: SimOptions): SimSource {
  const { objects: count, shape = 'flat', seed = 1 } = options;
  const plan: ContentPlan = {
    seed,
    size: options.size ?? 2000,
    values: options.values ?? ['4111 1111 1111 1111', 'jane.roe@example.com'],
    perThousand: options.perThousand ?? 20,
  };
  const { keyAt: key, countUpTo } = makeBucket(shape, count, seed);

  function objectAt(index: number): SourceObject {
    return { key: key(index), size: sizeAt(plan, index), modified: null, identity: `${seed}.${index}` };
  }

  function indexesOf(range: Range): { from: number; to: number } {
    return { from: countUpTo(range.after), to: range.upTo === null ? count : countUpTo(range.upTo) };
  }

  function indexOf(object: SourceObject): number {
    const index = countUpTo(object.key) - 1;
    const name = displayKey(object.key);
    if (index < 0 || key(index) !== object.key) throw new SeineError('not-found', `${name} does not exist.`);
    if (objectAt(index).identity === object.identity) return index;
    throw new SeineError('changed', `${name} is no longer what was listed.`);
  }

  return {
    id: `sim:${shape}/${count}/${seed}`,
    capabilities: { rangeRead: true, splittable: true, remote: false },
    async *list(range, signal) {
      signal.throwIfAborted();
      const { from, to } = indexesOf(range);
      for (let at = from; at < to; at += BATCH) {
        yield Array.from({ length: Math.min(BATCH, to - at) }, (_, i) => objectAt(at + i));
        await setImmediate();
        signal.throwIfAborted();
      }
    },
    async *read(object, bytes, signal) {
      signal.throwIfAborted();
      const index = indexOf(object);
      const end = Math.min(bytes?.to ?? object.size, object.size);
      for (let at = bytes?.from ?? 0; at < end; at += CHUNK_BYTES) {
        yield contentOf(plan, index, at, Math.min(end, at + CHUNK_BYTES));
        signal.throwIfAborted();
      }
    },
    async find(key, signal) {
      signal.throwIfAborted();
      const index = countUpTo(key) - 1;
      return index >= 0 && objectAt(index).key === key ? objectAt(index) : null;
    },
    readWhole(object, into) {
      if (object.size > into.length) return -1;
      return contentOf(plan, indexOf(object), 0, object.size).copy(into);
    },
    async page(range, max, signal) {
      signal.throwIfAborted();
      const { from, to } = indexesOf(range);
      const objects = Array.from({ length: Math.max(0, Math.min(max, to - from)) }, (_, i) =>
        objectAt(from + i),
      );
      const bytes = objects.reduce((sum, { size }) => sum + size, 0);
      return { keys: objects.map((object) => object.key), bytes, more: to - from > max };
    },
    objectAt,
    plantedIn: (index) => plantedAt(plan, index),
  };
}
