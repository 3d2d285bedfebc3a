import type { SourceObject } from '../source.ts';

/** What the ledger says of an object whose size is missing in the listing, or no size at all. */
export const INVALID_SIZE = 'the store lists an invalid size';

/** The size as a listing has it in text; NaN when that is no size: `Number` would take nothing at all for 0. */
export function parseSize(text: string | null | undefined): number {
  return text != null && /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** How many bytes are read is decided by the listed size. One that is no size must not pass for "empty, therefore clean". */
export function withValidSize(object: SourceObject): SourceObject {
  const { size, modified } = object;
  const time = modified === null || Number.isFinite(modified) ? modified : null;
  if (Number.isSafeInteger(size) && size >= 0)
    return time === modified ? object : { ...object, modified: time };
  return { ...object, size: 0, modified: time, unreadable: object.unreadable ?? INVALID_SIZE };
}
