/**
 * A huge object of plain text is not read by one thread: it is divided into segments, which any worker can claim.
 *
 *   shard meets it ──▶ segmented_object, one lease per segment ──▶ chunks, staged in segment_result ──▶ last segment: object
 *
 * A segment is a lease of the scan like any other, with byte offsets as keys: the position after byte n is the key `n` (eight
 * bytes, big-endian, so that keys sort like numbers), followed by the id of the object. Claim, checkpoint, fencing
 * and release are those of every shard. A segment is reserved to its end when it is started, so it is never split.
 *
 * A chunk is what one thread reads at a time. It owns the matches that start in its bytes and reads the lookbehind and
 * lookahead of detection on both sides; so the result does not depend on the boundaries. See detection/scanner.ts.
 *
 * Invariant: the rows of an object tile its bytes up to the cursors of its segments. The segment that ends last reads them all,
 * joins them in order and writes the object once, in the transaction of its own last checkpoint.
 */
import { type Key, keyFromBytes } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { ByteRange, SourceObject } from '../../sources/source.ts';

/** An object that is read by segments. */
export interface SegmentedObject {
  readonly id: number;
  readonly object: SourceObject;
}

/** A chunk, as it is submitted to a thread: listed by its shard instead of objects. */
export interface SegmentChunk extends SourceObject {
  readonly object: SourceObject;
  readonly step: ByteRange;
}

export function isChunk(object: SourceObject): object is SegmentChunk {
  return 'step' in object;
}

/** Sizes of segments. Deterministic: the same for the same size of an object. */
export interface SegmentSizes {
  readonly chunkBytes: number;
  readonly minSegmentBytes: number;
  readonly maxSegments: number;
}

const MiB = 1 << 20;
/** Minimum size of objects that are read by segments. */
export const MIN_SEGMENTED_BYTES = 64 * MiB;
const DEFAULT_SIZES: SegmentSizes = { chunkBytes: 8 * MiB, minSegmentBytes: 32 * MiB, maxSegments: 256 };

/**
 * A rest of less than half a chunk belongs to the segment before it, so that every chunk is worth a
 * request.
 */
export function segmentRanges({ id, object }: SegmentedObject, sizes: SegmentSizes = DEFAULT_SIZES): Range[] {
  const size = readableBytes(object);
  const minBytes = Math.max(sizes.minSegmentBytes, size / sizes.maxSegments);
  const length = Math.ceil(minBytes / sizes.chunkBytes) * sizes.chunkBytes;
  const ends: number[] = [];
  for (let at = length; at <= size - sizes.chunkBytes / 2; at += length) ends.push(at);
  ends.push(size);
  return ends.map((end, n) => ({ after: positionKey(ends[n - 1] ?? 0, id), upTo: positionKey(end, id) }));
}

export function readableBytes({ size, readTo = size }: SourceObject): number {
  return Math.min(size, readTo);
}

/**
 * The chunks of the rest of a segment. A short remainder is merged with the chunk before it. Lazy, because
 * a segment of a large object has too many to be held at once.
 */
export function* chunksOf(
  parted: SegmentedObject,
  rest: Range,
  sizes: SegmentSizes = DEFAULT_SIZES,
): Generator<SegmentChunk, void> {
  const end = rest.upTo === null ? parted.object.size : positionOf(rest.upTo);
  for (let from = positionOf(rest.after), to: number; from < end; from = to) {
    to = end - from < 1.5 * sizes.chunkBytes ? end : from + sizes.chunkBytes;
    yield toChunk(parted, { from, to });
  }
}

function toChunk({ id, object }: SegmentedObject, step: ByteRange): SegmentChunk {
  const { modified, identity } = object;
  return { key: positionKey(step.to, id), size: step.to - step.from, modified, identity, object, step };
}

export function positionKey(position: number, object: number): Key {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(BigInt(position), 0);
  bytes.writeBigUInt64BE(BigInt(object), 8);
  return keyFromBytes(bytes);
}

export function positionOf(key: Key): number {
  return numberAt(key, 0);
}

/** The id of the object that a segment belongs to. */
export function objectOf(key: Key): number {
  return numberAt(key, 8);
}

function numberAt(key: Key, at: number): number {
  return Number(Buffer.from(key, 'latin1').readBigUInt64BE(at));
}

/**
 * The inventory entry of such an object is written later: in a block of its own, directly after the
 * object's key.
 */
export function lateBlockKey(object: Key): Key {
  return `${object}\0` as Key;
}
