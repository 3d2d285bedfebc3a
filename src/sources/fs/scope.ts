import type { BigIntStats } from 'node:fs';
import type { Key } from '../../base/key.ts';
import { sampler } from '../sample.ts';
import type { ScopeOptions } from '../scope-options.ts';
import { compileGlob, pathText } from './glob.ts';
import { type IgnoreRules, NO_RULES } from './ignore-rules.ts';

/** Why something is not an object of the scan. A folder that is not entered counts once. */
export type Absence = 'ignored' | 'excluded' | 'sampledOut' | 'older';
export type LeftOut = Record<Absence, number>;

/** What holds for everything in a folder. */
export interface FolderScope {
  readonly rules: IgnoreRules;
  /** No include patterns, or one of them matched this folder or one around it. */
  readonly included: boolean;
}

export interface Scope {
  readonly root: FolderScope;
  readonly ignoreFile: boolean;
  readonly maxSize: number;
  /** What holds in a subfolder (`a/b/`), or why it is not entered. */
  folder(parent: FolderScope, key: Key): FolderScope | Absence;
  /** Why a file is left out, as far as its name tells. */
  name(parent: FolderScope, key: Key): Absence | null;
  isOlder(stats: BigIntStats): boolean;
}

export function createScope(options: ScopeOptions): Scope {
  const includes = (options.include ?? []).map(compileGlob);
  const excludes = (options.exclude ?? []).map(compileGlob);
  const chosen = options.sample === undefined ? () => true : sampler(options.sample);
  const since = options.modifiedSince ?? Number.NEGATIVE_INFINITY;

  function folder(parent: FolderScope, key: Key): FolderScope | Absence {
    if (parent.rules.ignores(key)) return 'ignored';
    if (excludes.length === 0 && parent.included) return parent;
    const text = pathText(key);
    if (excludes.some((glob) => glob.matches(text, true))) return 'excluded';
    if (parent.included) return parent;
    if (includes.some((glob) => glob.matches(text, true))) return { ...parent, included: true };
    return includes.some((glob) => glob.mayMatchBelow(key)) ? parent : 'excluded';
  }

  function name(parent: FolderScope, key: Key): Absence | null {
    if (parent.rules.ignores(key)) return 'ignored';
    if (excludes.length > 0 || !parent.included) {
      const text = pathText(key);
      if (excludes.some((glob) => glob.matches(text, false))) return 'excluded';
      if (!parent.included && !includes.some((glob) => glob.matches(text, false))) return 'excluded';
    }
    return chosen(key) ? null : 'sampledOut';
  }

  return {
    root: { rules: NO_RULES, included: includes.length === 0 },
    ignoreFile: options.ignoreFile ?? true,
    maxSize: options.maxSize ?? Number.POSITIVE_INFINITY,
    folder,
    name,
    isOlder: (stats) => Number(stats.mtimeMs) < since,
  };
}
