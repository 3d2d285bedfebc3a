/**
 * Objects that have no row, because nothing in them reaches its threshold, and yet have values below it. There may be very
 * many, so they are kept by the block of the inventory that they are in: some dozen bytes each.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Key } from '../base/key.ts';
import { type KeyStorage, PLAIN_KEYS } from '../base/sealed-key.ts';
import type { Contests, Levels } from './levels.ts';

export interface FaintObject {
  readonly key: Key;
  readonly levels: Levels;
  readonly contests?: Contests;
}

export function packFaint(objects: readonly FaintObject[], storage: KeyStorage = PLAIN_KEYS): Buffer | null {
  if (objects.length === 0) return null;
  const rows = objects.map(({ key, levels, contests }) =>
    contests ? [storage.seal(key), levels, contests] : [storage.seal(key), levels],
  );
  return deflateRawSync(JSON.stringify(rows), { level: 1 });
}

/** Keys as they are stored. */
export function unpackFaint(packed: Buffer | null): FaintObject[] {
  if (packed === null) return [];
  const rows = JSON.parse(inflateRawSync(packed).toString('utf8')) as [Key, Levels, Contests?][];
  return rows.map(([key, levels, contests]) => ({ key, levels, ...(contests && { contests }) }));
}
