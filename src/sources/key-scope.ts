import type { Key } from '../base/key.ts';
import { compileGlob, pathText } from './glob.ts';
import { createSampler } from './sample.ts';
import type { ScopeOptions } from './scope-options.ts';

/** Why a key is not of the scan, as far as the scan's options tell. */
export type KeyExclusionReason = 'excluded' | 'sampledOut' | 'older';

/**
 * The part of a scope that is the same for every source with paths. `included` says of a folder that no include
 * patterns are given or that one of them matched it or a folder around it.
 */
export interface KeyScope {
  /** Of the root. */
  readonly included: boolean;
  readonly maxSize: number;
  /** `included` for what is in a subfolder (`a/b/`), or why it is not entered. */
  folder(included: boolean, key: Key): boolean | 'excluded';
  /** Why an object is left out, as far as its key tells. */
  name(included: boolean, key: Key): KeyExclusionReason | null;
  isOlder(modified: number): boolean;
}

/** What the ledger says of an object beyond `maxSize`. */
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
