/**
 * Format: gitignore(5), "PATTERN FORMAT". No library: `ignore` compiles patterns to regular expressions, which backtrack and match
 * characters instead of bytes. The patterns may be hostile and names need not be UTF-8. Tests compare the results with it.
 */
import {
  type GlobDialect,
  initialStates,
  isAccepting,
  type MatchStates,
  nextStates,
  type PathPattern,
  parsePathPattern,
} from '../../base/glob/path-pattern.ts';
import type { Key } from '../../base/key.ts';

/**
 * The rules of the .seineignore files from the root down to a folder, with git's semantics: of all matching lines the last one decides,
 * and lines of inner folders come after those of outer ones. Matching is bytewise, as in git. Rules are kept per folder: a pattern with a
 * slash is matched incrementally on the way down, so that the cost per name does not depend on its depth.
 */
export interface IgnoreRules {
  /** For an entry of this folder; `key` ends in '/' for a folder. Not called for entries of an ignored folder. */
  ignores(key: Key): boolean;
  /** The rules for a subfolder (`a/b/`) of this folder. */
  enter(key: Key): IgnoreRules;
  /** Adds the lines of this folder's own file. Returns null if the limit would be exceeded. */
  plus(lines: string): IgnoreRules | null;
}

/**
 * Limit for the total length of all lines that apply in one folder. Every name is compared with all of them, and they may be hostile:
 * this bounds the time per name to about a tenth of a second in the worst case.
 */
export const MAX_RULE_BYTES = 1 << 18;

const DIALECT: GlobDialect = {
  endMatchesFolder: false,
  unterminatedIsLiteral: false,
  escapedSlashNeedsFolder: true,
};

interface Rule {
  readonly pattern: PathPattern;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** Matches names in this folder and all below, instead of paths relative to the folder of its file. */
  readonly anywhere: boolean;
  /** How much of the pattern the path of this folder has matched. */
  readonly states: MatchStates;
  readonly bytes: number;
}

export const NO_RULES: IgnoreRules = withRules([]);

function withRules(rules: readonly Rule[]): IgnoreRules {
  const hasPaths = rules.some(({ anywhere }) => !anywhere);
  const self: IgnoreRules = {
    ignores: (key) => rules.length > 0 && decide(rules, key),
    enter: (key) => (hasPaths ? withRules(rules.flatMap((rule) => below(rule, nameOf(key)))) : self),
    plus(lines) {
      const before = rules.reduce((sum, rule) => sum + rule.bytes, 0);
      return before + lines.length > MAX_RULE_BYTES ? null : withRules([...rules, ...parseLines(lines)]);
    },
  };
  return self;
}

function decide(rules: readonly Rule[], key: Key): boolean {
  const isFolder = key.endsWith('/');
  const name = nameOf(key);
  for (let at = rules.length - 1; at >= 0; at--) {
    const { pattern, states, foldersOnly, negated } = rules[at]!;
    if (foldersOnly && !isFolder) continue;
    if (isAccepting(pattern, nextStates(pattern, states, name))) return !negated;
  }
  return false;
}

function below(rule: Rule, name: string): Rule[] {
  if (rule.anywhere) return [rule];
  const states = nextStates(rule.pattern, rule.states, name);
  return states.length === 0 ? [] : [{ ...rule, states }];
}

function nameOf(key: Key): string {
  const end = key.endsWith('/') ? key.length - 1 : key.length;
  return key.slice(key.lastIndexOf('/', end - 1) + 1, end);
}

function parseLines(lines: string): Rule[] {
  return lines
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .flatMap((line) => parseLine(line.endsWith('\r') ? line.slice(0, -1) : line));
}

function parseLine(line: string): Rule[] {
  if (line.startsWith('#')) return [];
  const trimmed = withoutSpacesAtEnd(line);
  const negated = trimmed.startsWith('!');
  const text = negated ? trimmed.slice(1) : trimmed;
  const foldersOnly = text.endsWith('/');
  const bare = foldersOnly ? text.slice(0, -1) : text;
  if (bare === '') return [];
  // A slash at the start or in the middle anchors a pattern to its folder; one at the end only restricts it to folders.
  const anywhere = !bare.includes('/');
  const pattern = parsePathPattern(bare.replace(/^\//, ''), DIALECT);
  if (pattern === null) return [];
  return [
    { pattern, negated, foldersOnly, anywhere, states: initialStates(pattern), bytes: line.length + 1 },
  ];
}

/** A space after a backslash belongs to the pattern. */
function withoutSpacesAtEnd(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    if (line[at] !== ' ' || line[at - 1] === '\\') end = at + 1;
  }
  return line.slice(0, end);
}
