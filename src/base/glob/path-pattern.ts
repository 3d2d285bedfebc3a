/**
 * A glob over paths: names separated by slashes, where `**` stands for any number of folders. It is matched
 * name by name, by simulating an NFA whose states are positions in the pattern. So each name of a path is
 * compared at most once with each name of the pattern, and a tree walk carries the states along instead of
 * matching every path from its start.
 */
import { type CharClass, parseBracket } from './bracket.ts';
import { ANY, type Atom, createSegment, type Segment, STAR } from './segment.ts';

const GLOBSTAR = null;
export type PathPattern = readonly (Segment | typeof GLOBSTAR)[];

/** Positions in a pattern, ascending. Empty: nothing below can match. */
export type MatchStates = readonly number[];

/** Differences between the patterns of git and those of command lines. */
export interface GlobDialect {
  /** `a/**` also matches `a`; but `a*\/**` only matches what is in folders, not `ab`. */
  readonly endMatchesFolder: boolean;
  /**
   * A bracket that is not closed, or a backslash at the end, is literal; otherwise the pattern matches
   * nothing.
   */
  readonly unterminatedIsLiteral: boolean;
  /** A double star before an escaped slash stands for at least one folder, as in git's own matcher. */
  readonly escapedSlashNeedsFolder: boolean;
}

/** Null: an unterminated pattern, which matches nothing. */
export function parsePathPattern(pattern: string, dialect: GlobDialect): PathPattern | null {
  const names = parseNames(pattern, dialect);
  if (names === null) return null;
  const parsed: (Segment | typeof GLOBSTAR)[] = [];
  for (const { atoms, isGlobstar } of names) {
    if (!isGlobstar) parsed.push(createSegment(atoms));
    else if (parsed.at(-1) !== GLOBSTAR || parsed.length === 0) parsed.push(GLOBSTAR);
  }
  const endsInStar = names.findLast(({ isGlobstar }) => !isGlobstar)?.atoms.at(-1) === STAR;
  if (parsed.at(-1) === GLOBSTAR && (endsInStar || !dialect.endMatchesFolder))
    parsed.push(createSegment([STAR]));
  return parsed;
}

export function initialStates(pattern: PathPattern): MatchStates {
  return epsilonClosure(pattern, [0]);
}

/** The states after one more name of the path. */
export function nextStates(pattern: PathPattern, states: MatchStates, name: string): MatchStates {
  const behind: number[] = [];
  for (const state of states) {
    const segment = pattern[state];
    if (segment === GLOBSTAR) add(behind, state);
    else if (segment?.matches(name)) add(behind, state + 1);
  }
  return epsilonClosure(pattern, behind);
}

/** Whether the names so far form a matching path. */
export function isAccepting(pattern: PathPattern, states: MatchStates): boolean {
  return states.at(-1) === pattern.length;
}

export function matchesPath(pattern: PathPattern, path: string): boolean {
  let states = initialStates(pattern);
  for (let from = 0; states.length > 0; ) {
    const slash = path.indexOf('/', from);
    states = nextStates(pattern, states, slash === -1 ? path.slice(from) : path.slice(from, slash));
    if (slash === -1) break;
    from = slash + 1;
  }
  return isAccepting(pattern, states);
}

/** The literal names that every match starts with. */
export function literalPrefix(pattern: PathPattern): string[] {
  const names: string[] = [];
  for (const segment of pattern) {
    if (segment === GLOBSTAR || segment.literal === null) break;
    names.push(segment.literal);
  }
  return names;
}

/**
 * `**` may stand for zero folders. States before the last active `**` are dropped: they accept nothing that
 * it does not.
 */
function epsilonClosure(pattern: PathPattern, places: readonly number[]): MatchStates {
  const all: number[] = [];
  for (let place of places) {
    add(all, place);
    while (pattern[place] === GLOBSTAR) add(all, ++place);
  }
  const last = all.findLastIndex((place) => pattern[place] === GLOBSTAR);
  return last > 0 ? all.slice(last) : all;
}

/** States come in ascending order, with duplicates. */
function add(places: number[], place: number): void {
  const last = places.at(-1);
  if (last === undefined || place > last) places.push(place);
}

interface Name {
  readonly atoms: readonly Atom[];
  readonly isGlobstar: boolean;
}

function parseNames(pattern: string, dialect: GlobDialect): Name[] | null {
  const { unterminatedIsLiteral, escapedSlashNeedsFolder } = dialect;
  const names: Name[] = [];
  let atoms: Atom[] = [];
  const endName = (isEscaped = false) => {
    const isGlobstar = atoms.length > 1 && atoms.every((atom) => atom === STAR);
    if (isGlobstar && isEscaped && escapedSlashNeedsFolder) names.push({ atoms: [STAR], isGlobstar: false });
    names.push({ atoms, isGlobstar });
    atoms = [];
  };
  for (let at = 0; at < pattern.length; ) {
    const parsed = parseAtom(pattern, at);
    if (parsed === null && !unterminatedIsLiteral) return null;
    const { atom, end } = parsed ?? { atom: pattern.charCodeAt(at), end: at + 1 };
    if (atom === SLASH) endName(pattern[at] === '\\');
    else atoms.push(atom);
    at = end;
  }
  endName();
  return names;
}

const SLASH = 0x2f;

function parseAtom(pattern: string, at: number): { atom: Atom; end: number } | null {
  const char = pattern[at];
  if (char === '*') return { atom: STAR, end: at + 1 };
  if (char === '?') return { atom: ANY, end: at + 1 };
  if (char === '[') return fromBracket(parseBracket(pattern, at));
  const start = char === '\\' ? at + 1 : at;
  const code = pattern.codePointAt(start);
  return code === undefined ? null : { atom: code, end: start + (code > 0xffff ? 2 : 1) };
}

function fromBracket(
  bracket: { matches: CharClass; end: number } | null,
): { atom: Atom; end: number } | null {
  return bracket && { atom: bracket.matches, end: bracket.end };
}
