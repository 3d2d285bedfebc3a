/** Guesses at parts that nobody has looked at, from what is known beside them. */
import { type Evidence, evidenceFor } from './evidence.ts';
import type { KeySpace } from './key-space.ts';
import { type Part, TOO_MANY } from './part.ts';

/** So few keys say nothing about how dense others are. */
const FEW = 20;
/** Of orders of magnitude that are nearly alike, one a little above the middle. */
const DAMPING = 0.6;
/** Where so many folders follow one another, a single one that is known stands for many. */
const MANY_FOLDERS = 2;

/** From the deepest folders upward; in each first between things that are known, then beyond them. */
export function fillGuesses(parts: Part[], space: KeySpace): Part[] {
  const open = parts.map((_, i) => i).filter((i) => Number.isNaN(parts[i]!.count));
  const levels = Map.groupBy(open, (i) => parts[i]!.folder.length);
  for (const length of [...levels.keys()].sort((a, b) => b - a)) {
    const beyond = levels.get(length)!.filter((i) => !guessBetween(parts, i, space));
    for (const i of beyond) guessBeyond(parts, i, space);
  }
  return parts;
}

/** As dense as the two sides in the mean. False: there are no two sides. */
function guessBetween(parts: readonly Part[], at: number, space: KeySpace): boolean {
  const left = evidenceFor(parts, at, { to: 'left', far: false }, space);
  const right = evidenceFor(parts, at, { to: 'right', far: false }, space);
  if (!tells(left) || !tells(right)) return false;
  const part = parts[at]!;
  const [a, b] = [left.count / left.measure, right.count / right.measure];
  part.count = Math.min(TOO_MANY, Math.sqrt(a * b) * part.measure);
  part.most = Math.min(TOO_MANY, Math.max(a, b) * part.measure);
  return true;
}

/** Nobody knows how far it goes on: anything between nothing and the whole part, each order of magnitude alike. */
function guessBeyond(parts: readonly Part[], at: number, space: KeySpace): void {
  const part = parts[at]!;
  const left = evidenceFor(parts, at, { to: 'left', far: true }, space);
  const right = evidenceFor(parts, at, { to: 'right', far: true }, space);
  const side = tells(left) ? left : tells(right) ? right : (left ?? right);
  part.most = 0;
  part.count = 0;
  if (side === null || side.count === 0) return;
  part.most = Math.min(TOO_MANY, (side.count / side.dense) * part.measure);
  part.reach = ((side === left ? 1 : -1) * side.dense) / part.measure;
  part.count = side.count * Math.min(likelyTimes(part.most / side.count), followersOf(side, part, space));
}

function tells(side: Evidence | null): side is Evidence {
  return side !== null && side.count > FEW;
}

/** Where at most so many times as many can be, so many are likely. */
function likelyTimes(most: number): number {
  return most > 4 ? most ** DAMPING : most / 2;
}

/** A folder alone tells little about others beside it, unless such folders come in numbers elsewhere. */
function followersOf({ lonely }: Evidence, { folder }: Part, space: KeySpace): number {
  const followers = lonely ? space.followers(folder.split('/').length - 1) : MANY_FOLDERS;
  return followers < MANY_FOLDERS ? Math.max(0.1, followers) : Number.POSITIVE_INFINITY;
}
