import { type BigIntStats, lstatSync } from 'node:fs';
import type { Key } from '../../base/key.ts';
import { TOO_LARGE } from '../key-scope.ts';
import type { SourceObject } from '../source.ts';

/** Blocking, because it takes 2 µs so and 40 µs as a promise. Undefined: there is nothing (any more). */
export function lstatEntry(path: string | Buffer): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * A file may claim any size and store nothing. Reading zeros takes as long as reading data, petabytes of them months, and Node cannot ask where
 * the holes are. So a file is read to this many bytes for each that is stored, and the first ones in any case: more than any file
 * system compresses real data to, and minutes rather than months for a hole.
 */
const READ_FOR_EACH_STORED = 64n;
const READ_ANYWAY = 64n << 30n;

export function fileObject(key: Key, stats: BigIntStats, maxSize: number): SourceObject {
  const most = READ_ANYWAY + READ_FOR_EACH_STORED * stats.blocks * 512n;
  const object = {
    key,
    size: Number(stats.size),
    modified: Number(stats.mtimeMs),
    identity: identityOf(stats),
    ...(stats.size > most && { readTo: Number(most) }),
  };
  const unreadable = reasonNotToRead(stats, maxSize);
  return unreadable === null ? object : { ...object, unreadable };
}

/**
 * Size, time of change, time of the last touch (which no program can set back), inode, device. Nanoseconds: two
 * writes within a millisecond are two contents.
 */
export function identityOf(stats: BigIntStats): string {
  const { size, mtimeNs, ctimeNs, ino, dev } = stats;
  const touched = (ctimeNs - mtimeNs).toString(36);
  return `${size.toString(36)}.${mtimeNs.toString(36)}.${touched}.${ino.toString(36)}.${dev.toString(36)}`;
}

/** Whether the same file was written to, or touched, between two looks at it. */
export function wasTouched(before: BigIntStats, after: BigIntStats): boolean {
  return before.ctimeNs !== after.ctimeNs || before.mtimeNs !== after.mtimeNs || before.size !== after.size;
}

function reasonNotToRead(stats: BigIntStats, maxSize: number): string | null {
  if (stats.isFile()) return stats.size > maxSize ? TOO_LARGE : null;
  return stats.isSymbolicLink() ? 'symbolic link' : 'not a regular file';
}
