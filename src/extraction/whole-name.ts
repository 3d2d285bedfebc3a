/**
 * Names that a file gives to its sheets, tables, columns, attachments and authors. They are masked when they are stored (scans/names),
 * and a part of a value would not be recognised there: so a name is kept whole or not at all, and no reader cuts one.
 */

/** In characters: far more than any program allows, and little enough for a name that stands beside every finding. */
const LONGEST = 1024;
/** Of all names of one list: a small file can have a hundred thousand columns, each below the same long name. */
const LONGEST_LIST = 16 * 1024 * 1024;
const LEFT_OUT = '…';

export function wholeName(name: string): string {
  return name.length > LONGEST ? LEFT_OUT : name;
}

/** For names that are in memory at the same time. Those that come when its room is used up are left out. */
export class NameList {
  #left = LONGEST_LIST;

  keep(name: string): string {
    if (name.length > this.#left) return LEFT_OUT;
    this.#left -= name.length;
    return name;
  }
}
