import type { BigIntStats } from 'node:fs';
import type { Key } from '../../base/key.ts';
import { createKeyScope, type KeyExclusionReason } from '../key-scope.ts';
import type { ScopeOptions } from '../scope-options.ts';
import { type IgnoreRules, NO_RULES } from './ignore-rules.ts';

/** Why an entry is not an object of the scan. A folder that is not entered counts once. */
export type ExclusionReason = 'ignored' | KeyExclusionReason;
export type ExcludedCounts = Record<ExclusionReason, number>;

/** The scope's state for everything in a folder. */
export interface FolderScope {
  readonly rules: IgnoreRules;
  /** There are no include patterns, or one of them matched this folder or a parent. */
  readonly included: boolean;
}

export interface Scope {
  readonly root: FolderScope;
  readonly ignoreFile: boolean;
  readonly maxSize: number;
  /** The state for a subfolder (`a/b/`), or why it is not entered. */
  folder(parent: FolderScope, key: Key): FolderScope | ExclusionReason;
  /** Why a file is excluded, as far as its name determines. */
  name(parent: FolderScope, key: Key): ExclusionReason | null;
  isOlder(stats: BigIntStats): boolean;
}

export function createScope(options: ScopeOptions): Scope {
  const keys = createKeyScope(options);

  function folder(parent: FolderScope, key: Key): FolderScope | ExclusionReason {
    if (parent.rules.ignores(key)) return 'ignored';
    const included = keys.folder(parent.included, key);
    if (included === 'excluded') return included;
    const rules = parent.rules.enter(key);
    return included === parent.included && rules === parent.rules ? parent : { rules, included };
  }

  return {
    root: { rules: NO_RULES, included: keys.included },
    ignoreFile: options.ignoreFile ?? true,
    maxSize: keys.maxSize,
    folder,
    name: (parent, key) => (parent.rules.ignores(key) ? 'ignored' : keys.name(parent.included, key)),
    isOlder: (stats) => keys.isOlder(Number(stats.mtimeMs)),
  };
}
