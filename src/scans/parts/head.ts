/** Whether an object can be read by parts, and what its head says about the text in any of them. */
import { SeineError } from '../../base/errors.ts';
import { type AnywhereText, anywhereText } from '../../extraction/anywhere.ts';
import { HEAD_BYTES } from '../../extraction/reading.ts';
import type { Source, SourceObject } from '../../sources/source.ts';

/** Without looking into it: worth a look at its head. */
export function isHuge(source: Source, object: SourceObject, splitFrom: number): boolean {
  return object.size >= splitFrom && source.capabilities.rangeRead && object.unreadable === undefined;
}

/** One that can't be read now is not splittable: whoever reads it whole will say what is wrong with it. */
export async function isSplittable(
  source: Source,
  object: SourceObject,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await readText(source, object, signal)) !== null;
  } catch (error) {
    if (error instanceof SeineError || signal.aborted) return false;
    throw error;
  }
}

/** Null: it must be read from the beginning. */
export async function readText(
  source: Source,
  object: SourceObject,
  signal: AbortSignal,
): Promise<AnywhereText | null> {
  const head = new Uint8Array(Math.min(HEAD_BYTES, object.size));
  let length = 0;
  for await (const piece of source.read(object, { from: 0, to: head.length }, signal)) {
    head.set(piece, length);
    length += piece.length;
  }
  return anywhereText(object.key, head.subarray(0, length), object.size <= HEAD_BYTES);
}
