/** What the neighbours of a part in the same folder tell about it. */
import type { Key } from '../../base/key.ts';
import { commonFolder, endOf } from './folders.ts';
import type { KeySpace } from './key-space.ts';
import { lower } from './known.ts';
import type { Part } from './part.ts';

export interface Evidence {
  count: number;
  measure: number;
  /** The measure without the emptiness at its far end. */
  dense: number;
  /** All of it lies in one folder inside this one. */
  lonely: boolean;
}

export interface Direction {
  readonly to: 'left' | 'right';
  /** Also over guesses in the same folder, not only in folders inside it. */
  readonly far: boolean;
}

/** The run of parts beside it, in the same folder, about which something is known or was guessed already. */
export function evidenceFor(
  parts: readonly Part[],
  at: number,
  { to, far }: Direction,
  space: KeySpace,
): Evidence | null {
  const { folder } = parts[at]!;
  const step = to === 'left' ? -1 : 1;
  let found: Evidence | null = null;
  let end: Key | null = null;
  for (let i = at + step; i >= 0 && i < parts.length; i += step) {
    const part = parts[i]!;
    if (Number.isNaN(part.count) || (part.known === null && !far && part.folder.length <= folder.length))
      break;
    const inside = insideOf(part, folder);
    if (inside === null) break;
    found ??= { count: 0, measure: 0, dense: 0, lonely: false };
    weigh(found, part, inside, space);
    if (part.count > 0) end = farEnd(part, inside, to) ?? end;
    if (!inside.whole) break;
  }
  const near = to === 'left' ? justBefore(parts[at]!.after) : parts[at]!.upTo;
  if (found && end !== null && near !== null) found.lonely = commonFolder(end, near).length > folder.length;
  return found;
}

interface Inside {
  readonly after: Key;
  readonly upTo: Key | null;
  readonly whole: boolean;
}

/** Only what lies in the folder counts; it may begin or end in the middle of a part. */
function insideOf(part: Part, folder: string): Inside | null {
  const after = part.after > folder ? part.after : (folder as Key);
  const upTo = folder === '' ? part.upTo : lower(part.upTo, endOf(folder));
  if (upTo !== null && upTo <= after) return null;
  return { after, upTo, whole: after === part.after && upTo === part.upTo };
}

function weigh(found: Evidence, part: Part, { after, upTo, whole }: Inside, space: KeySpace): void {
  const measure = whole ? part.measure : space.measure(after, upTo);
  found.count += whole ? part.count : part.count * shareInside(part, after, upTo, measure);
  found.measure += measure;
  if (part.count > 0)
    found.dense = Math.max(found.measure - emptiness(part, after, space), found.measure * 1e-9);
}

function shareInside({ known, measure }: Part, after: Key, upTo: Key | null, inside: number): number {
  if (known === null || known.keys.length === 0) return inside / measure;
  return known.keys.filter((key) => key > after && (upTo === null || key <= upTo)).length / known.keys.length;
}

/** How much of a known part lies before its first key. */
function emptiness({ known }: Part, after: Key, space: KeySpace): number {
  const first = known?.keys.find((key) => key > after);
  return first === undefined || first === known?.upTo ? 0 : space.measure(after, first);
}

function farEnd({ known }: Part, { after, upTo }: Inside, to: 'left' | 'right'): Key | null {
  return to === 'left' ? (known?.keys.find((key) => key > after) ?? after) : upTo;
}

/** Inside the folder that ends there, if that is what the bound is. */
function justBefore(bound: Key): Key {
  return bound.endsWith('0') ? (`${bound.slice(0, -1)}/` as Key) : bound;
}
