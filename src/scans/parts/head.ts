/** Whether an object can be read by parts, and what its head says about the text in any of them. */
import { type AnywhereText, anywhereText } from '../../extraction/anywhere.ts';
import { HEAD_BYTES } from '../../extraction/reading.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { isStep, SPLIT_FROM } from './part.ts';

/** Without looking into it: worth a look at its head. */
export function isHuge(source: Source, object: SourceObject, splitFrom = SPLIT_FROM): boolean {
  if (isStep(object) || object.unreadable !== undefined) return false;
  return object.size >= splitFrom && source.capabilities.rangeRead;
}

/** Never throws. One that can't be read now is not splittable: whoever reads it whole will say what is wrong with it. */
export function isSplittable(source: Source, object: SourceObject, signal: AbortSignal): Promise<boolean> {
  return readText(source, object, signal).then(
    (text) => text !== null,
    () => false,
  );
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
