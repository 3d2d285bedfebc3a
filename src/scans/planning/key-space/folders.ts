/** Bounds of folders in the order of keys. */
import type { Key } from '../../../base/key.ts';
import type { Range } from '../../../base/range.ts';

/** The smallest key after all keys of the folder `a/b/`. */
export function endOf(folder: string): Key {
  return `${folder.slice(0, -1)}0` as Key;
}

/** The innermost folder that contains both. */
export function commonFolder(a: string, b: string): string {
  let slash = 0;
  for (let at = 0; at < a.length && a[at] === b[at]; at++) if (a[at] === '/') slash = at + 1;
  return a.slice(0, slash);
}

/** The folders that contain the key, below `within`, the innermost last. */
export function foldersOf(key: string, within: string): string[] {
  const folders: string[] = [];
  for (let at = key.indexOf('/', within.length); at >= 0; at = key.indexOf('/', at + 1))
    folders.push(key.slice(0, at + 1));
  return folders;
}

/**
 * Splits a range into parts inside one folder each: up out of the folders of its start, then down into
 * those of its end.
 */
export function folderBounds({ after, upTo }: Range): { upTo: Key | null; folder: string }[] {
  const common = upTo === null ? '' : commonFolder(after, upTo);
  const leaving = foldersOf(after, common).reverse();
  const entering = upTo === null ? [] : foldersOf(upTo, common);
  return [
    ...leaving.map((folder) => ({ upTo: endOf(folder) as Key | null, folder })),
    ...[common, ...entering].map((folder, i) => ({ upTo: (entering[i] ?? upTo) as Key | null, folder })),
  ];
}
