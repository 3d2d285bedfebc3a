/** The density of a part's neighbours in the same folder. */
import type { Key } from '../../base/key.ts';
import { minKey } from './counted-range.ts';
import type { EstimatedRange } from './estimated-range.ts';
import { commonFolder, endOf } from './key-space/folders.ts';
import type { KeySpace } from './key-space/key-space.ts';

export interface NeighborDensity {
  count: number;
  measure: number;
  /** The measure without the empty interval at its far end. */
  occupiedMeasure: number;
  /** All of it is in one subfolder of this folder. */
  inOneSubfolder: boolean;
}

export interface Direction {
  readonly side: 'left' | 'right';
  /** Also skips estimates in the same folder, not only those in subfolders. */
  readonly overGaps: boolean;
}

/** Sums the adjacent run of counted or already estimated parts in the same folder. */
export function neighborDensity(
  parts: readonly EstimatedRange[],
  at: number,
  { side, overGaps }: Direction,
  space: KeySpace,
): NeighborDensity | null {
  const { folder } = parts[at]!;
  const step = side === 'left' ? -1 : 1;
  let found: NeighborDensity | null = null;
  let end: Key | null = null;
  for (let i = at + step; i >= 0 && i < parts.length; i += step) {
    const part = parts[i]!;
    if (
      Number.isNaN(part.count) ||
      (part.counted === null && !overGaps && part.folder.length <= folder.length)
    )
      break;
    const inside = overlapWith(part, folder);
    if (inside === null) break;
    found ??= { count: 0, measure: 0, occupiedMeasure: 0, inOneSubfolder: false };
    addRange(found, part, inside, space);
    if (part.count > 0) end = farEnd(part, inside, side) ?? end;
    if (!inside.whole) break;
  }
  const near = side === 'left' ? justBefore(parts[at]!.after) : parts[at]!.upTo;
  if (found && end !== null && near !== null)
    found.inOneSubfolder = commonFolder(end, near).length > folder.length;
  return found;
}

interface Overlap {
  readonly after: Key;
  readonly upTo: Key | null;
  readonly whole: boolean;
}

/** The part inside the folder; it may start or end in the middle of a part. */
function overlapWith(part: EstimatedRange, folder: string): Overlap | null {
  const after = part.after > folder ? part.after : (folder as Key);
  const upTo = folder === '' ? part.upTo : minKey(part.upTo, endOf(folder));
  if (upTo !== null && upTo <= after) return null;
  return { after, upTo, whole: after === part.after && upTo === part.upTo };
}

function addRange(
  found: NeighborDensity,
  part: EstimatedRange,
  { after, upTo, whole }: Overlap,
  space: KeySpace,
): void {
  const measure = whole ? part.measure : space.measure(after, upTo);
  found.count += whole ? part.count : part.count * shareInside(part, after, upTo, measure);
  found.measure += measure;
  if (part.count > 0)
    found.occupiedMeasure = Math.max(found.measure - emptiness(part, after, space), found.measure * 1e-9);
}

function shareInside(
  { counted, measure }: EstimatedRange,
  after: Key,
  upTo: Key | null,
  inside: number,
): number {
  if (counted === null || counted.keys.length === 0) return inside / measure;
  return (
    counted.keys.filter((key) => key > after && (upTo === null || key <= upTo)).length / counted.keys.length
  );
}

/** The measure of a counted part before its first key. */
function emptiness({ counted }: EstimatedRange, after: Key, space: KeySpace): number {
  const first = counted?.keys.find((key) => key > after);
  return first === undefined || first === counted?.upTo ? 0 : space.measure(after, first);
}

function farEnd({ counted }: EstimatedRange, { after, upTo }: Overlap, to: 'left' | 'right'): Key | null {
  return to === 'left' ? (counted?.keys.find((key) => key > after) ?? after) : upTo;
}

/** If the bound is the end of a folder, the position inside it. */
function justBefore(bound: Key): Key {
  return bound.endsWith('0') ? (`${bound.slice(0, -1)}/` as Key) : bound;
}
