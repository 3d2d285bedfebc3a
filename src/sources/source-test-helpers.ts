import { expect } from 'vitest';
import type { ErrorKind } from '../base/errors.ts';
import { type Key, keyBytes } from '../base/key.ts';
import { FULL_RANGE, type Range } from '../base/range.ts';
import { type ByteRange, isObjectError, type ObjectError, type Source, type SourceObject } from './source.ts';

/** Helpers for tests of sources. */
export async function itemsOf(
  source: Source,
  range: Range = FULL_RANGE,
  signal = neverAborted(),
): Promise<(SourceObject | ObjectError)[]> {
  const items: (SourceObject | ObjectError)[] = [];
  for await (const batch of source.list(range, signal)) items.push(...batch);
  return items;
}

export async function keysOf(
  source: Source,
  range: Range = FULL_RANGE,
  signal = neverAborted(),
): Promise<Key[]> {
  return (await itemsOf(source, range, signal)).map(({ key }) => key);
}

export async function objectsOf(source: Source): Promise<SourceObject[]> {
  return (await itemsOf(source)).flatMap((item) => (isObjectError(item) ? [] : [item]));
}

export async function largestOf(source: Source): Promise<SourceObject> {
  return (await objectsOf(source)).reduce((a, b) => (b.size > a.size ? b : a));
}

/** Copies every chunk, because a source may reuse its buffer. */
export async function bytesOf(
  source: Source,
  object: SourceObject,
  bytes: ByteRange | null = null,
  signal = neverAborted(),
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source.read(object, bytes, signal)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Both ways of reading must fail. */
export async function expectReadError(source: Source, object: SourceObject, kind: ErrorKind): Promise<void> {
  await expect(bytesOf(source, object)).rejects.toMatchObject({ kind });
  if (source.readWhole === undefined) return;
  const into = new Uint8Array(object.size + 1);
  expect(() => source.readWhole?.(object, into)).toThrow(expect.objectContaining({ kind }));
}

export function compareBytes(a: Key, b: Key): number {
  return Buffer.compare(keyBytes(a), keyBytes(b));
}

/** At most this many, evenly spaced. */
export function spread<T>(all: readonly T[], max: number): T[] {
  const step = Math.max(1, all.length / max);
  return Array.from({ length: Math.min(max, all.length) }, (_, i) => all[Math.floor(i * step)]!);
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
