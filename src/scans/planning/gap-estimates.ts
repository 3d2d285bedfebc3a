/** Estimates unprobed parts from their counted neighbours. */

import { type EstimatedRange, MAX_COUNT } from './estimated-range.ts';
import type { KeySpace } from './key-space/key-space.ts';
import { type NeighborDensity, neighborDensity } from './neighbor-density.ts';

/** Fewer keys are not enough evidence for the density of others. */
const MIN_EVIDENCE_KEYS = 20;
/**
 * Exponent of the likely value: of orders of magnitude that are about equally likely, one slightly above
 * the middle.
 */
const DAMPING = 0.6;
/** With this many sibling folders, a single counted one represents many. */
const MANY_FOLDERS = 2;

/** From the deepest folders upward; in each first between counted ranges, then beyond them. */
export function fillGapEstimates(parts: EstimatedRange[], space: KeySpace): EstimatedRange[] {
  const open = parts.map((_, i) => i).filter((i) => Number.isNaN(parts[i]!.count));
  const levels = Map.groupBy(open, (i) => parts[i]!.folder.length);
  for (const length of [...levels.keys()].sort((a, b) => b - a)) {
    const beyond = levels.get(length)!.filter((i) => !estimateBetween(parts, i, space));
    for (const i of beyond) estimateBeyond(parts, i, space);
  }
  return parts;
}

/** Uses the mean density of both neighbours. Returns false if it has only one. */
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

/**
 * The extent of the keys is unknown: anything between zero and the whole part, each order of magnitude
 * equally likely.
 */
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

/** The likely factor, given the maximum. */
function dampedFactor(max: number): number {
  return max > 4 ? max ** DAMPING : max / 2;
}

/** One folder is weak evidence for its siblings, unless such folders are numerous elsewhere. */
function siblingFactor(
  { inOneSubfolder }: NeighborDensity,
  { folder }: EstimatedRange,
  space: KeySpace,
): number {
  const followers = inOneSubfolder ? space.expectedSiblings(folder.split('/').length - 1) : MANY_FOLDERS;
  return followers < MANY_FOLDERS ? Math.max(0.1, followers) : Number.POSITIVE_INFINITY;
}
