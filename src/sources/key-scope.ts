import { SeineError } from '../base/errors.ts';
import type { Key } from '../base/key.ts';
import { compileGlob, pathText } from './glob.ts';
import type { ScopeOptions } from './scope-options.ts';

/** Why a key is not part of the scan, by the scan's options. */
export type KeyExclusionReason = 'excluded' | 'sampledOut' | 'older';

/**
 * The part of a scope that is common to all sources with paths. `included` of a folder: there are no include patterns, or one of them
 * matched it or a parent.
 */
interface KeyScope {
  /** Of the root. */
  readonly included: boolean;
  readonly maxSize: number;
  /** `included` for the content of a subfolder (`a/b/`), or why it is not entered. */
  folder(included: boolean, key: Key): boolean | 'excluded';
  /** Why an object is excluded, as far as its key determines. */
  name(included: boolean, key: Key): KeyExclusionReason | null;
  isOlder(modified: number): boolean;
}

/** The reason in the ledger for an object above `maxSize`. */
export const TOO_LARGE = 'larger than the size limit';

export function createKeyScope(options: ScopeOptions): KeyScope {
  const includes = (options.include ?? []).map(compileGlob);
  const excludes = (options.exclude ?? []).map(compileGlob);
  const chosen = options.sample === undefined ? () => true : createSampler(options.sample);
  const since = options.modifiedSince ?? Number.NEGATIVE_INFINITY;

  function folder(included: boolean, key: Key): boolean | 'excluded' {
    if (excludes.length === 0 && included) return true;
    const text = pathText(key);
    if (excludes.some((glob) => glob.matches(text, true))) return 'excluded';
    if (included || includes.some((glob) => glob.matches(text, true))) return true;
    return includes.some((glob) => glob.mayMatchBelow(key)) ? false : 'excluded';
  }

  function name(included: boolean, key: Key): KeyExclusionReason | null {
    if (excludes.length > 0 || !included) {
      const text = pathText(key);
      if (excludes.some((glob) => glob.matches(text, false))) return 'excluded';
      if (!included && !includes.some((glob) => glob.matches(text, false))) return 'excluded';
    }
    return chosen(key) ? null : 'sampledOut';
  }

  return {
    included: includes.length === 0,
    maxSize: options.maxSize ?? Number.POSITIVE_INFINITY,
    folder,
    name,
    isOlder: (modified) => modified < since,
  };
}

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
