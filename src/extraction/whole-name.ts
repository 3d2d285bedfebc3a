/**
 * Names in a file: of sheets, tables, columns, attachments and authors. They are masked when they are stored (scans/names), and a part of
 * a value would not be recognised there: so a name is kept completely or dropped, and never truncated.
 */

/** In characters: far more than any program allows, and short enough for a name that is repeated with every finding. */
const MAX_NAME_LENGTH = 1024;
/** Of all names of one list: a small file can have a hundred thousand columns, each below the same long name. */
const MAX_LIST_LENGTH = 16 * 1024 * 1024;
const OMITTED = '…';

export function wholeName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? OMITTED : name;
}

/** Limits the names that are in memory at the same time; further ones are dropped. */
export class NameList {
  #left = MAX_LIST_LENGTH;

  keep(name: string): string {
    if (name.length > this.#left) return OMITTED;
    this.#left -= name.length;
    return name;
  }
}
