import type { ByteQueue } from '../../formats/byte-queue.ts';
import { viewOf } from './zip-fields.ts';

export const LOCAL = 0x04034b50;
export const RECORD = 0x02014b50;
export const ENCRYPTED_DIRECTORY = 0x08064b50;
export const END64 = 0x06064b50;
export const LOCATOR = 0x07064b50;
export const END = 0x06054b50;
/** At an archive's beginning it marks a split archive; after an entry it is that of a data descriptor. */
export const SPLIT = 0x08074b50;

const KNOWN: ReadonlySet<number> = new Set([LOCAL, RECORD, ENCRYPTED_DIRECTORY, END64, END]);
const LOCAL_SIZE = 30;
const END_SIZE = 22;
const SLICE = 64 * 1024;

/** The signature at the current position. */
export async function signatureHere(queue: ByteQueue): Promise<number | null> {
  const bytes = await queue.take(4);
  const signature = bytes.length < 4 ? null : viewOf(bytes).getUint32(0, true);
  queue.unread(bytes.length);
  return signature;
}

export async function isSignatureHere(queue: ByteQueue): Promise<boolean> {
  return KNOWN.has((await signatureHere(queue)) ?? 0);
}

/**
 * Advances to the next signature within `max` bytes. There may be gaps between entries, and foreign data before and after an archive,
 * where only local headers are accepted.
 */
export async function findSignature(
  queue: ByteQueue,
  only: 'entry' | 'any',
  max: number,
): Promise<number | null> {
  const here = await signatureHere(queue);
  if (here !== null && KNOWN.has(here) && (only === 'any' || here === LOCAL)) return here;
  for (let left = max; left > 0; ) {
    const needed = Math.min(left, SLICE) + LOCAL_SIZE;
    const bytes = await queue.take(needed);
    const at = findPlausible(bytes, only);
    if (at === null && bytes.length < needed) return null;
    const passed = at ?? bytes.length - LOCAL_SIZE + 1;
    queue.unread(bytes.length - passed);
    if (at !== null) return signatureHere(queue);
    left -= passed;
  }
  return null;
}

/** Whether an entry begins somewhere in these bytes. */
export function holdsEntry(bytes: Uint8Array): boolean {
  return findPlausible(bytes, 'entry') !== null;
}

function findPlausible(bytes: Uint8Array, only: 'entry' | 'any'): number | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const view = viewOf(bytes);
  for (let at = buffer.indexOf('PK'); at !== -1; at = buffer.indexOf('PK', at + 1)) {
    if (at + 4 > bytes.length) return null;
    const signature = view.getUint32(at, true);
    if (KNOWN.has(signature) && (only === 'any' || signature === LOCAL) && isPlausible(view, at, signature))
      return at;
  }
  return null;
}

/** The highest version that anything needs, tenfold. */
const NEWEST = 99;
const METHODS: ReadonlySet<number> = new Set([
  0,
  1,
  2,
  3,
  4,
  5,
  6,
  8,
  9,
  10,
  12,
  14,
  16,
  18,
  19,
  20,
  ...[93, 94, 95, 96, 97, 98, 99],
]);

/** Where no signature is expected it may occur by chance, for instance in the code of an unzip program. */
function isPlausible(view: DataView, at: number, signature: number): boolean {
  if (signature === END) return at + END_SIZE <= view.byteLength && view.getUint32(at + 4, true) === 0;
  if (signature !== LOCAL && signature !== RECORD) return true;
  if (at + LOCAL_SIZE > view.byteLength) return false;
  // A record has one number more, and other ones before the length of its name.
  const [version, method, nameLength] = signature === LOCAL ? [4, 8, 26] : [6, 10, 28];
  const isKnown = view.getUint8(at + version!) <= NEWEST && METHODS.has(view.getUint16(at + method!, true));
  return isKnown && view.getUint16(at + nameLength!, true) > 0;
}
