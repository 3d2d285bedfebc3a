/** Where something stands inside an object, and how that is called: `backup.zip!hr/salaries.xlsx#Sheet1!C7`. */
import type { Packing } from './magic.ts';

export interface Inside {
  /** Null: it is the object itself, or packed in it. */
  readonly part: string | null;
  readonly depth: number;
  /** What it is packed in, from the outside in. */
  readonly within: readonly Packing[];
}

export const OBJECT: Inside = { part: null, depth: 0, within: [] };

export function packedIn({ part, depth, within }: Inside, packing: Packing): Inside {
  return { part, depth: depth + 1, within: [...within, packing] };
}

/** A member of an archive, an attachment. */
export function member({ part, depth }: Inside, name: string): Inside {
  return { part: memberName(part, name), depth: depth + 1, within: [] };
}

export function memberName(part: string | null, name: string): string {
  return part === null ? name : `${part}!${name}`;
}

/** What a text is called that fills all of it. */
export function textName({ part, within }: Inside): string | null {
  return part ?? (within.length === 0 ? null : placeName(null, within.join('/')));
}

/** A page, a sheet, a table of it. */
export function placeName(part: string | null, place: string): string {
  return part?.includes('#') ? `${part}/${place}` : `${part ?? ''}#${place}`;
}

/** A cell of a table. */
export function cellIn(part: string | null, cell: string): string {
  if (part === null) return `#${cell}`;
  return part.includes('#') ? `${part}!${cell}` : `${part}#${cell}`;
}

/** The part says the place exactly: a line and a column of the text that a table became would say nothing more. */
export function isCell(part: string): boolean {
  return /[#!](?:[A-Z]{1,3}\d{1,7}|row \d+)$/.test(part);
}
