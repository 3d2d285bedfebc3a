/**
 * One name of a glob: `*`, `?`, classes and characters. Matching takes at most (length of the pattern) ×
 * (length of the name) steps: only the last star has to backtrack, because the parts before it matched at
 * their first position, and a later position never allows more. A regular expression of the same pattern
 * can take exponential time.
 */
import type { CharClass } from './bracket.ts';

export const STAR = Symbol('*');
export const ANY = Symbol('?');
/** A number is a literal character. */
export type Atom = number | CharClass | typeof STAR | typeof ANY;

export interface Segment {
  /** The only name that it matches; null when there may be others. */
  readonly literal: string | null;
  matches(name: string): boolean;
}

export function createSegment(atoms: readonly Atom[]): Segment {
  const kept = atoms.filter((atom, at) => atom !== STAR || atoms[at - 1] !== STAR);
  const isText = (some: readonly Atom[]): some is number[] => some.every((atom) => typeof atom === 'number');
  if (isText(kept)) {
    const literal = textOf(kept);
    return { literal, matches: (name) => name === literal };
  }
  const [first, ...rest] = kept;
  if (first === STAR && rest.length === 0) return { literal: null, matches: (name) => name.length > 0 };
  if (first === STAR && isText(rest)) {
    const ending = textOf(rest);
    return { literal: null, matches: (name) => name.endsWith(ending) };
  }
  return { literal: null, matches: (name) => matchAtoms(kept, name) };
}

function textOf(atoms: readonly number[]): string {
  return atoms.map((code) => String.fromCodePoint(code)).join('');
}

function matchAtoms(atoms: readonly Atom[], name: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let starEnd = 0; // end of what the last star has consumed
  while (at < name.length) {
    const code = name.codePointAt(at)!;
    const atom = atoms[next];
    if (atom === STAR) {
      star = next++;
      starEnd = at;
    } else if (atom !== undefined && isAt(atom, code)) {
      next++;
      at += width(code);
    } else if (star !== -1) {
      starEnd += width(name.codePointAt(starEnd)!);
      at = starEnd;
      next = star + 1;
    } else return false;
  }
  while (atoms[next] === STAR) next++;
  return next === atoms.length;
}

function isAt(atom: Atom, code: number): boolean {
  if (typeof atom === 'number') return atom === code;
  return atom === ANY || (atom as CharClass)(code);
}

function width(code: number): number {
  return code > 0xffff ? 2 : 1;
}
