/** Guesses at parts that nobody has looked at, from what is known beside them. */

import { type EstimatedRange, MAX_COUNT } from './estimated-range.ts';
import type { KeySpace } from './key-space/key-space.ts';
import { type NeighborDensity, neighborDensity } from './neighbor-density.ts';

/** So few keys say nothing about how dense others are. */
const MIN_EVIDENCE_KEYS = 20;
/** Of orders of magnitude that are nearly alike, one a little above the middle. */
const DAMPING = 0.6;
/** Where so many folders follow one another, a single one that is known stands for many. */
const MANY_FOLDERS = 2;

/** From the deepest folders upward; in each first between things that are known, then beyond them. */
export function fillGapEstimates(parts: EstimatedRange[], space: KeySpace): EstimatedRange[] {
  const open = parts.map((_, i) => i).filter((i) => Number.isNaN(parts[i]!.count));
  const levels = Map.groupBy(open, (i) => parts[i]!.folder.length);
  for (const length of [...levels.keys()].sort((a, b) => b - a)) {
    const beyond = levels.get(length)!.filter((i) => !estimateBetween(parts, i, space));
    for (const i of beyond) estimateBeyond(parts, i, space);
  }
  return parts;
}

/** As dense as the two sides in the mean. False: there are no two sides. */
function estimateBetween(parts: readonly EstimatedRange[], at: number, space: KeySpace): boolean {
  const left = neighborDensity(parts, at, { side: 'left', overGaps: false }, space);
  const right = neighborDensity(parts, at, { side: 'right', overGaps: false }, space);
  if (!isSignificant(left) || !isSignificant(right)) return false;
  const part = parts[at]!;
  const [a, b] = [left.count / left.measure, right.count / right.measure];
  part.count = Math.min(MAX_COUNT, Math.sqrt(a * b) * part.measure);
  part.maxCount = Math.min(MAX_COUNT, Math.max(a, b) * part.measure);
  return true;
}

/** Nobody knows how far it goes on: anything between nothing and the whole part, each order of magnitude alike. */
function estimateBeyond(parts: readonly EstimatedRange[], at: number, space: KeySpace): void {
  const part = parts[at]!;
  const left = neighborDensity(parts, at, { side: 'left', overGaps: true }, space);
  const right = neighborDensity(parts, at, { side: 'right', overGaps: true }, space);
  const side = isSignificant(left) ? left : isSignificant(right) ? right : (left ?? right);
  part.maxCount = 0;
  part.count = 0;
  if (side === null || side.count === 0) return;
  part.maxCount = Math.min(MAX_COUNT, (side.count / side.occupiedMeasure) * part.measure);
  part.reach = ((side === left ? 1 : -1) * side.occupiedMeasure) / part.measure;
  part.count =
    side.count * Math.min(dampedFactor(part.maxCount / side.count), siblingFactor(side, part, space));
}

function isSignificant(side: NeighborDensity | null): side is NeighborDensity {
  return side !== null && side.count > MIN_EVIDENCE_KEYS;
}

/** Where at most so many times as many can be, so many are likely. */
function dampedFactor(max: number): number {
  return max > 4 ? max ** DAMPING : max / 2;
}

/** A folder alone tells little about others beside it, unless such folders come in numbers elsewhere. */
function siblingFactor(
  { inOneSubfolder }: NeighborDensity,
  { folder }: EstimatedRange,
  space: KeySpace,
): number {
  const followers = inOneSubfolder ? space.expectedSiblings(folder.split('/').length - 1) : MANY_FOLDERS;
  return followers < MANY_FOLDERS ? Math.max(0.1, followers) : Number.POSITIVE_INFINITY;
}
