/** Archives that were cut into several files are not put together again, but what is one of those is not called damaged. */
import { endOfSeveral } from './archives/zip-end.ts';
import type { Reading } from './extraction.ts';
import { DIVIDED, Unsupported } from './obstacle.ts';
import type { RandomAccess } from './piece.ts';
import { partial, skipped } from './reading.ts';

/** `x.zip.001`, `x.tar.gz.02`, `x.z01`. */
const PART = /\.(zip|zipx|jar|7z|tar|t?gz|tbz2?|bz2|txz|xz|t?zst|lzma)\.\d{2,4}$|\.z\d{2}$/i;
/** The last file of a divided zip archive has the usual name. It begins in the middle of something. */
const LAST = /\.(zip|zipx|jar)$/i;
/** A record that tells so, and a comment behind it. */
const TAIL = 22 + 0xffff;

const REASON = new Unsupported(DIVIDED).message;

/** What seems to be cut off goes on in the next file. */
export function toldIfDivided(name: string, reading: Reading): Reading {
  if (reading.state === 'read' || !PART.test(name)) return reading;
  if (reading.state === 'skipped')
    return /^unsupported format: binary data/.test(reading.reason) ? skipped(REASON) : reading;
  return /^corrupt: truncated/.test(reading.reason) ? partial(REASON, reading.format) : reading;
}

export function isDivided(reading: Reading | null): boolean {
  return reading !== null && reading.state !== 'read' && reading.reason === REASON;
}

/** Of something that looks like nothing known. */
export function isLastWhole(name: string, bytes: Uint8Array): boolean {
  return LAST.test(name) && endOfSeveral(bytes.subarray(Math.max(0, bytes.length - TAIL)));
}

/** The same of what can be read from anywhere. */
export async function isLast(name: string, access: RandomAccess): Promise<boolean> {
  return LAST.test(name) && endOfSeveral(await access.read(Math.max(0, access.size - TAIL), access.size));
}

export const dividedReading: Reading = skipped(REASON);
