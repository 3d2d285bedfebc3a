import type { SourceObject } from '../source.ts';

/** The reason in the ledger for an object whose listed size is missing or invalid. */
export const INVALID_SIZE = 'the store lists an invalid size';

/** Parses the size in a listing; NaN if it is invalid: `Number` would convert an empty text to 0. */
export function parseSize(text: string | null | undefined): number {
  return text != null && /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** The listed size determines how many bytes are read. An invalid one must not be taken for "empty, therefore clean". */
export function withValidSize(object: SourceObject): SourceObject {
  const { size, modified } = object;
  const time = modified === null || Number.isFinite(modified) ? modified : null;
  if (Number.isSafeInteger(size) && size >= 0)
    return time === modified ? object : { ...object, modified: time };
  return { ...object, size: 0, modified: time, unreadable: object.unreadable ?? INVALID_SIZE };
}
