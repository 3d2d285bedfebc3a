import type { Key } from '../../base/key.ts';
import { createKeyScope, TOO_LARGE } from '../key-scope.ts';
import type { ScopeOptions } from '../scope-options.ts';
import type { SourceObject } from '../source.ts';

/**
 * The scope of a source without folders: the parts of a key between slashes count as folders. Keys arrive in order, so the folder of the
 * last one is cached.
 */
export interface StoreScope {
  /** Not excluded by the scope. */
  includes(object: SourceObject): boolean;
  /** Marked as unreadable if it is too large. */
  marked(object: SourceObject): SourceObject;
  /** The excluded folder around the key: nothing in it needs to be listed. */
  excludedFolderOf(key: Key): Key | null;
}

type Folder = { readonly key: Key; readonly state: boolean | 'excluded' };

export function createStoreScope(options: ScopeOptions): StoreScope {
  const keys = createKeyScope(options);
  const root: Folder = { key: '' as Key, state: keys.included };
  let last = root;

  /** The folder of the key, or the outermost excluded folder around it. */
  function folderOf(key: Key): Folder {
    const end = key.lastIndexOf('/') + 1;
    if (end === last.key.length && key.startsWith(last.key)) return last;
    let folder = root;
    for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      if (folder.state === 'excluded') break;
      const inner = key.slice(0, slash + 1) as Key;
      folder = { key: inner, state: keys.folder(folder.state, inner) };
    }
    last = folder;
    return folder;
  }

  return {
    includes({ key, modified }) {
      const { state } = folderOf(key);
      if (state === 'excluded' || keys.name(state, key) !== null) return false;
      return modified === null || !keys.isOlder(modified);
    },
    marked: (object) =>
      object.unreadable === undefined && object.size > keys.maxSize
        ? { ...object, unreadable: TOO_LARGE }
        : object,
    excludedFolderOf(key) {
      const folder = folderOf(key);
      return folder.state === 'excluded' ? folder.key : null;
    },
  };
}
