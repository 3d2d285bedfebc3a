/**
 * User code receives states and events frozen, so that a function that mutates its argument fails at once instead of becoming nondeterministic; and
 * plain, so that a snapshot is read as the same state.
 *
 * Frozen objects are not traversed again: a new state costs only its new parts, about a microsecond for each event. So an object that user code has
 * frozen itself is not checked; a state that does not survive JSON because of that gets no snapshots.
 */
import { SeineError } from '../../base/errors.ts';
import { formatValue, isPromise } from './code-error.ts';

/** PostgreSQL and JSON.parse support some thousand levels; also stops at cyclic objects. */
const MAX_LEVELS = 500;

/** Throws where the value would not survive JSON. */
export function deepFreeze<T>(what: string, value: T): T {
  if (value === undefined)
    throw new SeineError('usage', `${what} is undefined`, { hint: 'Was a `return` forgotten?' });
  freeze(value, what, 0);
  return value;
}

/**
 * Values read from the database are JSON already and never rejected: no deployment could correct them. Levels beyond the limit (possible in a result
 * of an action) are left unfrozen.
 */
export function deepFreezeStored<T>(value: T, level = 0): T {
  if (typeof value !== 'object' || value === null || level === MAX_LEVELS || Object.isFrozen(value))
    return value;
  const parts = Object.values(value);
  for (let i = 0; i < parts.length; i++) deepFreezeStored(parts[i], level + 1);
  return Object.freeze(value);
}

function freeze(value: unknown, path: string, level: number): void {
  switch (typeof value) {
    case 'object':
      if (value !== null && !Object.isFrozen(value)) freezeObject(value, path, level);
      return;
    case 'number':
      if (!Number.isFinite(value)) throw notPlain(path, String(value));
      return;
    case 'bigint':
    case 'function':
    case 'symbol':
      throw notPlain(path, `a ${typeof value}`);
  }
}

function freezeObject(value: object, path: string, level: number): void {
  if (level === MAX_LEVELS) throw notPlain(path, `nested deeper than ${MAX_LEVELS} levels, or cyclic`);
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) freeze(value[i], path, level + 1);
  else {
    if (!isPlain(value)) throw notPlain(path, isPromise(value) ? 'a promise' : `a ${nameOf(value)}`);
    const keys = Object.keys(value);
    for (let i = 0; i < keys.length; i++)
      freeze((value as Record<string, unknown>)[keys[i]!], keys[i]!, level + 1);
  }
  Object.freeze(value);
}

/** Including objects of another realm. */
function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? name : formatValue(value);
}

function notPlain(path: string, found: string): SeineError {
  return new SeineError('usage', `${path} is ${found}, which JSON does not keep`, {
    hint: 'States and events must survive JSON: text, finite numbers, booleans, null, arrays and plain objects.',
  });
}
