/**
 * The mounts below the root of a tree. An unmounted share leaves an empty folder behind, so that everything in it looks deleted. A
 * missing entry is therefore considered deleted only if the mounts on the way to it are the same as before.
 */
import { opendirSync, readFileSync } from 'node:fs';
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key } from '../../base/key.ts';
import { type BytePath, callWithPath } from './byte-path.ts';

/** The kernel's mount table as bytes; empty if the system has none. */
type ReadMountTable = () => string;

interface MountOptions {
  /** Folders (`a/b/`) that were mount points when the scan began, perhaps on another machine. */
  readonly expected?: readonly Key[];
  readonly readTable?: ReadMountTable;
  /** Opens a folder to trigger an automounter. */
  readonly open?: (path: BytePath) => void;
}

/** The device of an expected mount that this process has not seen. */
const UNSEEN_DEVICE = '';

export interface Mounts {
  /** Whether the folder was a mount point when it was last checked. */
  has(folder: Key): boolean;
  /** The reason if the entry at the key may not be the one that was there before. Null: no mount on the way to it has changed. */
  changeAbove(key: Key): SeineError | null;
  /** Called when a folder (`a/b/`) is entered whose device differs from that of its parent: a new mount on it is recorded. */
  enter(folder: Key): void;
  /** All known mount points. */
  list(): Key[];
  /**
   * The mount points in the folder, or the folder itself, that were expected when the scan began and have not been seen by this process.
   */
  missingIn(folder: Key): Key[];
}

export function createMounts(
  root: BytePath,
  { expected = [], readTable = readMountTable, open = openFolder }: MountOptions = {},
): Mounts {
  const table = readTable();
  // Without a mount table nothing can be compared.
  const compared = table === '' ? [] : expected;
  const known = new Map([
    ...compared.map((folder): [Key, string] => [folder, UNSEEN_DEVICE]),
    ...mountsBelow(root, table),
  ]);
  const pathOf = (folder: Key) => `${root}/${folder.slice(0, -1)}`;
  const missingIn = (folder: Key) =>
    compared.filter((key) => known.get(key) === UNSEEN_DEVICE && key.startsWith(folder));

  /** An automounter mounts a share on first access, or again after it was idle, when it is opened. */
  function lookForMissing(above: Key): void {
    const missing = missingIn('' as Key).filter((folder) => above.startsWith(folder));
    for (const folder of missing) open(pathOf(folder));
    const now = missing.length > 0 ? mountsBelow(root, readTable()) : null;
    for (const folder of missing) known.set(folder, now?.get(folder) ?? UNSEEN_DEVICE);
  }

  return {
    has: (folder) => known.has(folder),
    list: () => [...known.keys()],
    missingIn,
    changeAbove(key) {
      lookForMissing(key);
      const now = mountsBelow(root, readTable());
      for (const folder of new Set([...known.keys(), ...now.keys()])) {
        if (!key.startsWith(folder) || known.get(folder) === now.get(folder)) continue;
        return known.get(folder) === UNSEEN_DEVICE
          ? notMounted(pathOf(folder))
          : mountChanged(pathOf(folder), now.has(folder));
      }
      return null;
    },
    enter(folder) {
      const found = mountsBelow(root, readTable()).get(folder);
      if (found !== undefined && !known.has(folder)) known.set(folder, found);
    },
  };
}

function notMounted(path: BytePath): SeineError {
  const shown = displayKey(path as Key);
  const message = `${shown} was unmounted since the scan started, or is not mounted on this machine.`;
  return new SeineError('unavailable', message, {
    hint: 'Mount it and resume the scan, or scan again: its content was not read.',
    retry: true,
  });
}

function mountChanged(path: BytePath, isMounted: boolean): SeineError {
  const shown = displayKey(path as Key);
  const what = isMounted ? `Something else was mounted on ${shown}` : `${shown} was unmounted`;
  return new SeineError('unavailable', `${what} during the scan.`, {
    hint: 'Mount it and scan again: its content was not read.',
    retry: true,
  });
}

/** The devices mounted on folders below the root, by their keys (`a/b/`). Of several on one folder the last one is visible. */
function mountsBelow(root: BytePath, table: string): Map<Key, string> {
  const mounts = new Map<Key, string>();
  for (const line of table.split('\n')) {
    const [, , device, mounted, place] = line.split(' ');
    if (device === undefined || mounted === undefined || place === undefined) continue;
    const path = unescaped(place);
    if (path.startsWith(`${root}/`) && path.length > root.length + 1)
      mounts.set(`${path.slice(root.length + 1)}/` as Key, `${device} ${mounted}`);
  }
  return mounts;
}

/** Spaces, tabs, line breaks and backslashes are escaped as octal numbers. */
function unescaped(place: string): BytePath {
  return place.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function openFolder(path: BytePath): void {
  try {
    callWithPath(path, opendirSync).closeSync();
  } catch {
    // Then it is not mounted.
  }
}

function readMountTable(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'latin1');
  } catch {
    return '';
  }
}
