/**
 * A glob over paths: names between slashes, where `**` stands for any number of folders. It is matched name by name, with the set of places
 * in the pattern that the names so far can have led to. So each name of a path is compared at most once with each name of the pattern, and a
 * walk of a tree carries the places along instead of matching every path from its beginning.
 */
import { type CharClass, parseBracket } from './bracket.ts';
import { ANY, type Atom, createSegment, type Segment, STAR } from './segment.ts';

const ANY_FOLDERS = null;
export type PathPattern = readonly (Segment | typeof ANY_FOLDERS)[];

/** Places in a pattern, ascending. None: nothing below can match. */
export type Places = readonly number[];

/** What differs between the patterns of git and those of command lines. */
export interface Dialect {
  /** `a/**` also matches `a`; but `a*\/**` is about what is in folders, and matches no `ab`. */
  readonly endMatchesFolder: boolean;
  /** A bracket that is not closed, or a backslash at the end, is a character; else the pattern matches nothing. */
  readonly unfinishedIsLiteral: boolean;
  /** A double star before a slash that is escaped stands for one folder at least, as in git's own matcher. */
  readonly escapedSlashNeedsFolder: boolean;
}

/** Null: it is not finished and so matches nothing. */
export function parsePathPattern(pattern: string, dialect: Dialect): PathPattern | null {
  const names = parseNames(pattern, dialect);
  if (names === null) return null;
  const parsed: (Segment | typeof ANY_FOLDERS)[] = [];
  for (const { atoms, isAnyFolders } of names) {
    if (!isAnyFolders) parsed.push(createSegment(atoms));
    else if (parsed.at(-1) !== ANY_FOLDERS || parsed.length === 0) parsed.push(ANY_FOLDERS);
  }
  const endsInStar = names.findLast(({ isAnyFolders }) => !isAnyFolders)?.atoms.at(-1) === STAR;
  if (parsed.at(-1) === ANY_FOLDERS && (endsInStar || !dialect.endMatchesFolder))
    parsed.push(createSegment([STAR]));
  return parsed;
}

export function firstPlaces(pattern: PathPattern): Places {
  return reachable(pattern, [0]);
}

/** The places behind one more name of the path. */
export function placesBehind(pattern: PathPattern, places: Places, name: string): Places {
  const behind: number[] = [];
  for (const place of places) {
    const segment = pattern[place];
    if (segment === ANY_FOLDERS) add(behind, place);
    else if (segment?.matches(name)) add(behind, place + 1);
  }
  return reachable(pattern, behind);
}

/** Whether the names so far are a path that matches. */
export function isMatch(pattern: PathPattern, places: Places): boolean {
  return places.at(-1) === pattern.length;
}

export function matchesPath(pattern: PathPattern, path: string): boolean {
  let places = firstPlaces(pattern);
  for (let from = 0; places.length > 0; ) {
    const slash = path.indexOf('/', from);
    places = placesBehind(pattern, places, slash === -1 ? path.slice(from) : path.slice(from, slash));
    if (slash === -1) break;
    from = slash + 1;
  }
  return isMatch(pattern, places);
}

/** The names that every match begins with. */
export function fixedNames(pattern: PathPattern): string[] {
  const names: string[] = [];
  for (const segment of pattern) {
    if (segment === ANY_FOLDERS || segment.literal === null) break;
    names.push(segment.literal);
  }
  return names;
}

/** `**` may stand for no folder. Places before the last `**` that was reached allow nothing that this one does not. */
function reachable(pattern: PathPattern, places: readonly number[]): Places {
  const all: number[] = [];
  for (let place of places) {
    add(all, place);
    while (pattern[place] === ANY_FOLDERS) add(all, ++place);
  }
  const last = all.findLastIndex((place) => pattern[place] === ANY_FOLDERS);
  return last > 0 ? all.slice(last) : all;
}

/** Places come in ascending order, some of them twice. */
function add(places: number[], place: number): void {
  const last = places.at(-1);
  if (last === undefined || place > last) places.push(place);
}

interface Name {
  readonly atoms: readonly Atom[];
  readonly isAnyFolders: boolean;
}

function parseNames(pattern: string, dialect: Dialect): Name[] | null {
  const { unfinishedIsLiteral, escapedSlashNeedsFolder } = dialect;
  const names: Name[] = [];
  let atoms: Atom[] = [];
  const endName = (isEscaped = false) => {
    const isAnyFolders = atoms.length > 1 && atoms.every((atom) => atom === STAR);
    if (isAnyFolders && isEscaped && escapedSlashNeedsFolder)
      names.push({ atoms: [STAR], isAnyFolders: false });
    names.push({ atoms, isAnyFolders });
    atoms = [];
  };
  for (let at = 0; at < pattern.length; ) {
    const parsed = parseAtom(pattern, at);
    if (parsed === null && !unfinishedIsLiteral) return null;
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
