/**
 * A huge object of plain text is not given to one thread: it is read by parts, by whoever is free.
 *
 *   shard meets it ──▶ parted_object, one lease for each part ──▶ steps, staged in part_result ──▶ last part: object
 *
 * A part is a lease of the scan like any other, with bytes for keys: the position behind byte n is the key `n` (eight
 * bytes, big end first, so that keys sort like numbers), followed by the number of the object. Claim, checkpoint, fencing
 * and release are those of every shard. A part is reserved to its end when it is begun: nobody splits it, there are enough.
 *
 * A step is what one thread looks at in one go. It owns what begins in its bytes and reads a little on both sides, as
 * much as detection looks around; so the borders change nothing, wherever they are. See detection/scanner.ts.
 *
 * Invariant: the rows of an object tile its bytes up to the cursors of its parts. The part that ends last finds them all,
 * joins them in order and writes the object once, in the transaction of its own last checkpoint.
 */
import { type Key, keyFromBytes } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { ByteRange, SourceObject } from '../../sources/source.ts';

/** An object that is read by parts. */
export interface SegmentedObject {
  readonly id: number;
  readonly object: SourceObject;
}

/** A step, as it is given to a thread: what its shard lists in the place of objects. */
export interface SegmentChunk extends SourceObject {
  readonly object: SourceObject;
  readonly step: ByteRange;
}

export function isChunk(object: SourceObject): object is SegmentChunk {
  return 'step' in object;
}

/** Where objects are cut. Whoever cuts, it is the same for the same size. */
export interface SegmentSizes {
  readonly chunkBytes: number;
  readonly minSegmentBytes: number;
  readonly maxSegments: number;
}

const MiB = 1 << 20;
/** From here on an object is read by parts. */
export const MIN_SEGMENTED_BYTES = 64 * MiB;
const DEFAULT_SIZES: SegmentSizes = { chunkBytes: 8 * MiB, minSegmentBytes: 32 * MiB, maxSegments: 256 };

/** A rest of less than half a step belongs to the part before it, so that every step is worth a request. */
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
 * The steps of what is left of a part. Here too a short rest is done with the step before it. One after the other: a part of a large object
 * has more than should be held at once.
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

/** The number of the object that a part belongs to. */
export function objectOf(key: Key): number {
  return numberAt(key, 8);
}

function numberAt(key: Key, at: number): number {
  return Number(Buffer.from(key, 'latin1').readBigUInt64BE(at));
}

/** The inventory's entry of such an object comes late: a block of its own, which stands directly behind the object's key. */
export function lateBlockKey(object: Key): Key {
  return `${object}\0` as Key;
}
