import { FIRST_KEY, type Key } from './key.ts';

/**
 * `(after, upTo]`: open at the start, closed at the end, so that the rest of a shard is always `(cursor,
 * upTo]` and a key equal to a bound belongs to the left range. `upTo` null: to the end of the source.
 */
export interface Range {
  readonly after: Key;
  readonly upTo: Key | null;
}

export const FULL_RANGE: Range = { after: FIRST_KEY, upTo: null };

export function contains(range: Range, key: Key): boolean {
  return key > range.after && (range.upTo === null || key <= range.upTo);
}
