import picomatch from 'picomatch';
import { SeineError } from '../base/errors.ts';
import { type Key, keyBytes, keyOf } from '../base/key.ts';

/**
 * A pattern of --include or --exclude. Without a slash it is about names at any depth (`*.log`, `node_modules`), with
 * one about the path from the root (`logs/2019/**`). One that matches a folder stands for all that is in it; one that
 * ends in a slash is about folders only.
 */
export interface Glob {
  matches(path: PathText, isFolder: boolean): boolean;
  /** Whether something below the folder (`a/b/`) can match: false spares the way there. */
  mayMatchBelow(folder: Key): boolean;
}

/** A key as the text that patterns are about: `?` is one character, not one byte. */
export interface PathText {
  readonly path: string;
  readonly name: string;
}

export function pathText(key: Key): PathText {
  const bare = key.endsWith('/') ? key.slice(0, -1) : key;
  const path = /^[\0-\x7f]*$/.test(bare) ? bare : keyBytes(bare as Key).toString('utf8');
  return { path, name: path.slice(path.lastIndexOf('/') + 1) };
}

export function compileGlob(pattern: string): Glob {
  const foldersOnly = pattern.endsWith('/');
  const bare = pattern.replace(/^\.\//, '').replace(/\/+$/, '');
  if (bare === '') {
    throw new SeineError('usage', `The pattern "${pattern}" matches nothing.`, {
      hint: 'Write a name such as *.log or a path from the root such as logs/2019/**.',
    });
  }
  const tied = bare.includes('/');
  const glob = bare.replace(/^\//, '');
  // 's': a name may hold a line break. 'nonegate': '!' is a character like any other, excludes have their own option.
  const test = picomatch(glob, { dot: true, nonegate: true, flags: 's' });
  const base = tied ? fixedFolder(glob) : '';
  return {
    matches: (text, isFolder) => (isFolder || !foldersOnly) && test(tied ? text.path : text.name),
    mayMatchBelow: (folder) => base === '' || base.startsWith(folder) || folder.startsWith(base),
  };
}

/** The folder in which all matches lie: `logs/2019/` for `logs/2019/*.gz`. */
function fixedFolder(glob: string): string {
  const { base } = picomatch.scan(glob);
  return base === '' || base.includes('\\') ? '' : `${keyOf(base)}/`;
}
