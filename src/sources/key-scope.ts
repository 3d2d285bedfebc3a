import type { Key } from '../base/key.ts';
import { compileGlob, pathText } from './glob.ts';
import { createSampler } from './sample.ts';
import type { ScopeOptions } from './scope-options.ts';

/** Why a key is not part of the scan, by the scan's options. */
export type KeyExclusionReason = 'excluded' | 'sampledOut' | 'older';

/**
 * The part of a scope that is common to all sources with paths. `included` of a folder: there are no include patterns, or one of them
 * matched it or a parent.
 */
export interface KeyScope {
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
