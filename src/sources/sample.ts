import { SeineError } from '../base/errors.ts';
import type { Key } from '../base/key.ts';

/**
 * Selects `percent` of all keys by a hash of their bytes: every machine and every run select the same ones, and a larger sample is a
 * superset of a smaller one.
 */
export function createSampler(percent: number): (key: Key) => boolean {
  if (!(percent >= 0 && percent <= 100)) {
    throw new SeineError('usage', `A sample of ${percent} percent makes no sense.`, {
      hint: 'Use a number from 0 to 100.',
    });
  }
  const below = (percent / 100) * 2 ** 32;
  return (key) => hashOf(key) < below;
}

/** FNV-1a with a final mixing step: FNV alone maps keys that differ in their last byte to close values. */
function hashOf(key: Key): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
