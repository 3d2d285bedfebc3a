/** Every setting with its value and where it came from, for people and programs. No secret is among them. */
import { SeineError } from '../base/errors.ts';
import { HIDDEN, redactPassword } from './address.ts';
import type { Loaded } from './load.ts';
import type { Origin } from './problem.ts';
import { formatReference, type Reference, resolveReference } from './reference.ts';
import type { Setting } from './setting.ts';
import type { Secret } from './shape.ts';

export interface ListedSetting {
  readonly setting: string;
  /** As it is written in a file; null: not set. */
  readonly value: Written | readonly Written[] | null;
  /** What is meant by null. */
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

/** An address in full but for its password; of everything else that is kept elsewhere only where. */
function listSecret(
  shape: Secret,
  reference: Reference,
  env: NodeJS.ProcessEnv,
): Pick<ListedSetting, 'value' | 'reference'> {
  // What may stand in the file may be shown: it has variables where secrets would be.
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
