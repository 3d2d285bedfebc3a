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
 * The rules of the .seineignore files on the way from the root to a folder, as git reads its own: of all the lines that match the last
 * one decides, and lines of an inner folder come after those of an outer one. Everything is in bytes, as in git. Rules belong to a
 * folder: a line with a slash in it is matched name by name on the way down, so that what a name costs does not depend on its depth.
 */
export interface IgnoreRules {
  /** Of something in this folder; `key` ends in '/' for a folder. What is in an ignored folder is never asked. */
  ignores(key: Key): boolean;
  /** What holds in a subfolder (`a/b/`) of this folder. */
  enter(key: Key): IgnoreRules;
  /** With the lines of this folder's own file. Null: there would be more than can be obeyed. */
  plus(lines: string): IgnoreRules | null;
}

/**
 * Bytes of all lines that can apply in one folder. Every name is compared with all of them, and they may be hostile: this bounds the time for one name to about a tenth of a second in the worst case.
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
  /** About names in this folder and all below, not about paths from the folder of its file. */
  readonly anywhere: boolean;
  /** How far the path of this folder has led into the pattern. */
  readonly places: MatchStates;
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
    const { pattern, places, foldersOnly, negated } = rules[at]!;
    if (foldersOnly && !isFolder) continue;
    if (isAccepting(pattern, nextStates(pattern, places, name))) return !negated;
  }
  return false;
}

function below(rule: Rule, name: string): Rule[] {
  if (rule.anywhere) return [rule];
  const places = nextStates(rule.pattern, rule.places, name);
  return places.length === 0 ? [] : [{ ...rule, places }];
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
  // A slash at the start or in the middle ties a pattern to its folder; one at the end only says "folders".
  const anywhere = !bare.includes('/');
  const pattern = parsePathPattern(bare.replace(/^\//, ''), DIALECT);
  if (pattern === null) return [];
  return [
    { pattern, negated, foldersOnly, anywhere, places: initialStates(pattern), bytes: line.length + 1 },
  ];
}

/** A space that a backslash precedes belongs to the pattern. */
function withoutSpacesAtEnd(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    if (line[at] !== ' ' || line[at - 1] === '\\') end = at + 1;
  }
  return line.slice(0, end);
}
