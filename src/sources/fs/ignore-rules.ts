import ignore, { type Ignore } from 'ignore';
import type { Key } from '../../base/key.ts';

/**
 * The rules of the .seineignore files on the way from the root to a folder, as git reads its own: of all the lines
 * that match the last one decides, and lines of an inner folder come after those of an outer one. The rules are kept
 * as one list against keys of the whole tree, because only so may an inner file take back what an outer one ignored.
 * Everything is in bytes, as in git.
 */
export interface IgnoreRules {
  /** `key` ends in '/' for a folder. Its parent folders must have been asked before: what is in an ignored one is never asked. */
  ignores(key: Key): boolean;
  /** These rules and the lines of a file in the folder `prefix`. */
  plus(prefix: Key, lines: string): IgnoreRules;
}

/** The package remembers every path it was ever asked about; memory must not grow with the tree. */
const ANSWERS_KEPT = 10_000;
const options = { ignorecase: false, allowRelativePaths: true };

export const NO_RULES: IgnoreRules = {
  ignores: () => false,
  plus: (prefix, lines) => withRules(ignore(options), prefix, lines),
};

function withRules(outer: Ignore, prefix: Key, lines: string): IgnoreRules {
  let rules = ignore(options).add(outer).add(rebase(prefix, lines));
  let asked = 0;
  return {
    ignores(key) {
      if (++asked % ANSWERS_KEPT === 0) rules = ignore(options).add(rules);
      return rules.ignores(key);
    },
    plus: (inner, more) => withRules(rules, inner, more),
  };
}

/** Lines of a file in `a/b/` become lines that say the same at the root. */
function rebase(prefix: Key, lines: string): string[] {
  const folder = `/${prefix.replace(/[\\*?[\]!# ]/g, '\\$&')}`;
  return lines
    .replace(/^\xef\xbb\xbf/, '')
    .split(/\r?\n/)
    .filter((line) => /[^ ]/.test(line) && !line.startsWith('#'))
    .map((line) => {
      const negated = line.startsWith('!');
      const pattern = negated ? line.slice(1) : line;
      // A slash at the start or in the middle ties a pattern to its folder; one at the end only says "folders".
      const tied = /\/./.test(pattern.trimEnd());
      const rebased = tied ? folder + pattern.replace(/^\//, '') : `${folder}**/${pattern}`;
      return negated ? `!${rebased}` : rebased;
    });
}
