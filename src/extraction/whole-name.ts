/**
 * Names that a file gives to its sheets, tables, columns, attachments and authors. They are masked when they are stored (scans/names),
 * and a part of a value would not be recognised there: so a name is kept whole or not at all, and no reader cuts one.
 */

/** In characters: far more than any program allows, and little enough for a name that stands beside every finding. */
const MAX_NAME_LENGTH = 1024;
/** Of all names of one list: a small file can have a hundred thousand columns, each below the same long name. */
const MAX_LIST_LENGTH = 16 * 1024 * 1024;
const OMITTED = '…';

export function wholeName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? OMITTED : name;
}

/** For names that are in memory at the same time. Those that come when its room is used up are left out. */
export class NameList {
  #left = MAX_LIST_LENGTH;

  keep(name: string): string {
    if (name.length > this.#left) return OMITTED;
    this.#left -= name.length;
    return name;
  }
}
