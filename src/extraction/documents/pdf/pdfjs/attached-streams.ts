/**
 * Files that are attached, as the library reads them: all at once, and again for each of the names that a file may have.
 * A few kilobytes could name gigabytes that way, so a stream is read once, and no further than it may be long.
 */
import type { LibraryInternals, Objects } from './library-internals.ts';
import { MAX_INFLATED, notifyListeners } from './platform.ts';

/** Another name of a stream that was read already. */
const READ_BEFORE = new Uint8Array(0);

/** Streams that were read, by their numbers, of each document. */
const seen = new WeakMap<Objects, Set<string>>();

/** From now on. */
export function readAttachmentsOnce({ FileSpec }: LibraryInternals): void {
  const whole = FileSpec.readStreamContent;
  FileSpec.readStreamContent = function readStreamContent(stream) {
    const { objId: id, xref } = stream.dict ?? {};
    if (!xref || !id) return whole.call(FileSpec, stream);
    const known = seen.get(xref) ?? new Set();
    seen.set(xref, known);
    if (known.has(id)) return READ_BEFORE;
    // What is not packed is a part of the document, which is in memory already.
    const max = Math.max(MAX_INFLATED, xref.stream.length);
    const bytes = whole.call(FileSpec, {
      dict: stream.dict ?? null,
      getBytes: () => stream.getBytes(max + 1),
    });
    known.add(id);
    if (bytes.length <= max) return bytes;
    notifyListeners((pattern) => pattern.cut('decompressed size'));
    return bytes.subarray(0, max);
  };
}
