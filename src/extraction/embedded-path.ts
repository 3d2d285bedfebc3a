/** The location of something inside an object, and its notation: `backup.zip!hr/salaries.xlsx#Sheet1!C7`. */
import type { Compression } from './sniff/magic.ts';

export interface EmbeddedPath {
  /** Null: the object itself, or compressed in it. */
  readonly part: string | null;
  readonly depth: number;
  /** The layers of compression, from the outside in. */
  readonly compressions: readonly Compression[];
}

export const ROOT_PATH: EmbeddedPath = { part: null, depth: 0, compressions: [] };

export function compressedPath(
  { part, depth, compressions }: EmbeddedPath,
  compression: Compression,
): EmbeddedPath {
  return { part, depth: depth + 1, compressions: [...compressions, compression] };
}

/** A member of an archive, an attachment. */
export function memberPath({ part, depth }: EmbeddedPath, name: string): EmbeddedPath {
  return { part: memberName(part, name), depth: depth + 1, compressions: [] };
}

export function memberName(part: string | null, name: string): string {
  return part === null ? name : `${part}!${name}`;
}

/** What a text is called that fills all of it. */
export function textName({ part, compressions }: EmbeddedPath): string | null {
  return part ?? (compressions.length === 0 ? null : locationName(null, compressions.join('/')));
}

/** A page, a sheet, a table of it. */
export function locationName(part: string | null, location: string): string {
  return part?.includes('#') ? `${part}/${location}` : `${part ?? ''}#${location}`;
}

/** A cell of a table. */
export function cellPath(part: string | null, cell: string): string {
  if (part === null) return `#${cell}`;
  return part.includes('#') ? `${part}!${cell}` : `${part}#${cell}`;
}

/** The part is an exact location: line and column in the text of a table would add nothing. */
export function isCellPath(part: string): boolean {
  return /[#!](?:[A-Z]{1,3}\d{1,7}|row \d+)$/.test(part);
}
