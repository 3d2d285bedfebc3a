/**
 * Objects without a row, because no value reaches its threshold, that have values below it. There may be
 * very many, so they are stored with their block of the inventory: a few dozen bytes each.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Key } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { ConfidenceHistogram, Overlaps } from './confidence-histogram.ts';

export interface SubThresholdObject {
  readonly key: Key;
  readonly confidenceHistogram: ConfidenceHistogram;
  readonly overlapCounts?: Overlaps;
}

export function encodeSubThreshold(
  objects: readonly SubThresholdObject[],
  storage: KeyCodec = PLAIN_KEYS,
): Buffer | null {
  if (objects.length === 0) return null;
  const rows = objects.map(({ key, confidenceHistogram: levels, overlapCounts: contests }) =>
    contests ? [storage.seal(key), levels, contests] : [storage.seal(key), levels],
  );
  return deflateRawSync(JSON.stringify(rows), { level: 1 });
}

/** Keys are in stored form. */
export function decodeSubThreshold(packed: Buffer | null): SubThresholdObject[] {
  if (packed === null) return [];
  const rows = JSON.parse(inflateRawSync(packed).toString('utf8')) as [Key, ConfidenceHistogram, Overlaps?][];
  return rows.map(([key, levels, contests]) => ({
    key,
    confidenceHistogram: levels,
    ...(contests && { overlapCounts: contests }),
  }));
}
