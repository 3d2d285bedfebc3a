/**
 * No library: picomatch compiles patterns to regular expressions, which backtrack, and a pattern may come from the scanned folder. Tests
 * compare the results with it.
 */
import { SeineError } from '../base/errors.ts';
import { expandAlternatives, TooManyAlternatives } from '../base/glob/alternatives.ts';
import {
  type GlobDialect,
  literalPrefix,
  matchesPath,
  type PathPattern,
  parsePathPattern,
} from '../base/glob/path-pattern.ts';
import { type Key, keyBytes, keyOf } from '../base/key.ts';

/**
 * A pattern of --include or --exclude. Without a slash it matches names at any depth (`*.log`, `node_modules`), with one the path from
 * the root (`logs/2019/**`). A pattern that matches a folder includes everything in it; one that ends in a slash matches folders only.
 */
export interface Glob {
  matches(path: PathText, isFolder: boolean): boolean;
  /** Whether something below the folder (`a/b/`) can match; if not, the folder is not read. */
  mayMatchBelow(folder: Key): boolean;
}

/** A key decoded for matching: `?` is one character, not one byte. */
export interface PathText {
  readonly path: string;
  readonly name: string;
}

export function pathText(key: Key): PathText {
  const bare = key.endsWith('/') ? key.slice(0, -1) : key;
  const path = /^[\0-\x7f]*$/.test(bare) ? bare : keyBytes(bare as Key).toString('utf8');
  return { path, name: path.slice(path.lastIndexOf('/') + 1) };
}

const DIALECT: GlobDialect = {
  endMatchesFolder: true,
  unterminatedIsLiteral: true,
  escapedSlashNeedsFolder: false,
};
/** A pattern may come from a file in the scanned folder, so the cost of matching must be bounded for hostile input. */
const MAX_CHARACTERS = 1024;

export function compileGlob(pattern: string): Glob {
  const foldersOnly = pattern.endsWith('/');
  const bare = pattern.replace(/^\.\//, '').replace(/\/+$/, '');
  if (bare === '') {
    throw new SeineError('usage', `The pattern "${pattern}" matches nothing.`, {
      hint: 'Write a name such as *.log or a path from the root such as logs/2019/**.',
    });
  }
  const tied = bare.includes('/');
  const patterns = parse(bare.replace(/^\//, ''));
  const folders = tied ? patterns.map(fixedFolder) : [''];
  return {
    matches(text, isFolder) {
      if (foldersOnly && !isFolder) return false;
      const subject = tied ? text.path : text.name;
      return patterns.some((one) => matchesPath(one, subject));
    },
    mayMatchBelow: (folder) => folders.some((base) => base.startsWith(folder) || folder.startsWith(base)),
  };
}

function parse(glob: string): PathPattern[] {
  if (glob.length > MAX_CHARACTERS) {
    throw new SeineError('usage', `The pattern "${glob.slice(0, 60)}…" has ${glob.length} characters.`, {
      hint: `A pattern has at most ${MAX_CHARACTERS}; use several patterns.`,
    });
  }
  const unknown = /(?<!\\)(?:[!+*]\([^)]*\)|\{[^{},]*\.\.[^{},]*\})/.exec(glob)?.[0];
  if (unknown !== undefined) {
    throw new SeineError('usage', `"${unknown}" in the pattern "${glob}" is not supported.`, {
      hint: 'Write alternatives as {a,b}, ranges as [a-z], and a backslash before a parenthesis or brace of a name.',
    });
  }
  try {
    return expandAlternatives(glob)
      .map((one) => parsePathPattern(one, DIALECT))
      .filter((one) => one !== null);
  } catch (error) {
    if (!(error instanceof TooManyAlternatives)) throw error;
    throw new SeineError('usage', `The pattern "${glob}" has too many combinations of alternatives.`, {
      hint: 'Use fewer braces, or several patterns.',
    });
  }
}

/** The folder that contains all matches: `logs/2019/` for `logs/2019/*.gz`. */
function fixedFolder(pattern: PathPattern): string {
  const names = literalPrefix(pattern);
  return names.length === 0 ? '' : `${keyOf(names.join('/'))}/`;
}
