/** Every setting with its value and origin, without secrets. */
import { SeineError } from '../base/errors.ts';
import type { Secret } from './declaration/shape.ts';
import type { Loaded } from './load.ts';
import type { Origin } from './problem.ts';
import { HIDDEN, redactPassword } from './values/redact-url.ts';
import { formatReference, type Reference, resolveReference } from './values/reference.ts';
import type { Setting } from './values/setting.ts';

export interface ListedSetting {
  readonly setting: string;
  /** As written in a file; null if not set. */
  readonly value: Written | readonly Written[] | null;
  /** What an unset value means. */
  readonly unset?: string;
  readonly origin: Origin;
  /** Where a secret is. */
  readonly reference?: { readonly from: 'env' | 'file'; readonly name: string; readonly there: boolean };
}

type Written = string | number | boolean;

export function listSettings(loaded: Loaded, env: NodeJS.ProcessEnv): ListedSetting[] {
  const data: ListedSetting = { setting: 'data', value: loaded.dataFolder, origin: loaded.dataOrigin };
  return [data, ...loaded.settings.map((setting) => listSetting(setting, env))];
}

function listSetting({ path, shape, value, origin }: Setting, env: NodeJS.ProcessEnv): ListedSetting {
  const shown = { setting: path, origin };
  if (shape.shape === 'secret') {
    if (value === undefined) return { ...shown, value: null, ...(shape.unset && { unset: shape.unset }) };
    return { ...shown, ...listSecret(shape, value as Reference, env) };
  }
  if (shape.shape === 'list') {
    const { item } = shape;
    return {
      ...shown,
      value: item.shape === 'single' ? (value as unknown[]).map((each) => item.type.format(each)) : [],
    };
  }
  if (value === undefined) return { ...shown, value: null, ...(shape.unset && { unset: shape.unset }) };
  return { ...shown, value: shape.type.format(value) };
}

/** A URL without its password; of other secrets kept elsewhere only the location. */
function listSecret(
  shape: Secret,
  reference: Reference,
  env: NodeJS.ProcessEnv,
): Pick<ListedSetting, 'value' | 'reference'> {
  // Text that may be written in the file may be shown: it has variables in place of secrets.
  if (reference.from === 'text') return { value: reference.text };
  const fetched = tryResolve(reference, env);
  return {
    value: fetched !== null && shape.open ? redactPassword(fetched) : HIDDEN,
    reference: { from: reference.from, name: formatReference(reference), there: fetched !== null },
  };
}

function tryResolve(reference: Reference, env: NodeJS.ProcessEnv): string | null {
  try {
    return resolveReference(reference, env);
  } catch (error) {
    if (error instanceof SeineError) return null;
    throw error;
  }
}
