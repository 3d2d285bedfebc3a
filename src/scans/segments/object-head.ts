/** Whether an object can be read by segments, and what its head determines for the text in any of them. */

import { HEAD_BYTES } from '../../extraction/push-parser.ts';
import { type SeekableText, seekableText } from '../../extraction/seekable-text.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { isChunk, MIN_SEGMENTED_BYTES } from './segment.ts';

/** Decided without reading: whether its head should be read. */
export function isHuge(source: Source, object: SourceObject, minBytes = MIN_SEGMENTED_BYTES): boolean {
  if (isChunk(object) || object.unreadable !== undefined) return false;
  return object.size >= minBytes && source.capabilities.rangeRead;
}

/** Never throws. An object that can't be read now is not splittable: reading it whole reports the error. */
export function isSplittable(source: Source, object: SourceObject, signal: AbortSignal): Promise<boolean> {
  return openSeekableText(source, object, signal).then(
    (text) => text !== null,
    () => false,
  );
}

/** Null: it must be read from the start. */
export async function openSeekableText(
  source: Source,
  object: SourceObject,
  signal: AbortSignal,
): Promise<SeekableText | null> {
  const head = new Uint8Array(Math.min(HEAD_BYTES, object.size));
  let length = 0;
  for await (const bytes of source.read(object, { from: 0, to: head.length }, signal)) {
    head.set(bytes, length);
    length += bytes.length;
  }
  return seekableText(object.key, head.subarray(0, length), object.size <= HEAD_BYTES);
}
