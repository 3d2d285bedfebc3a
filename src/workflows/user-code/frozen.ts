/**
 * States and events as user code gets them: frozen, so that a function which changes its argument fails at once instead of giving another
 * answer when it is asked again; and plain, so that a snapshot is read as the same state.
 *
 * What was frozen before is not walked through again: a new state costs what is new in it.
 */
import { SeineError } from '../../base/errors.ts';
import { isPromise, shown } from './code-error.ts';

/** PostgreSQL and JSON.parse manage some thousand. */
const MOST_LEVELS = 500;

const known = new WeakSet<object>();

/** Throws where the value would not survive JSON. */
export function frozen<T>(what: string, value: T): T {
  if (value === undefined)
    throw new SeineError('usage', `${what} is undefined`, { hint: 'Was a `return` forgotten?' });
  freeze(value, what, []);
  return value;
}

/** `around` are the objects that this one stands in. */
function freeze(value: unknown, path: string, around: object[]): void {
  if (typeof value === 'object' && value !== null) return freezeObject(value, path, around);
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol')
    throw notPlain(path, `a ${typeof value}`);
  if (typeof value === 'number' && !Number.isFinite(value)) throw notPlain(path, String(value));
}

function freezeObject(value: object, path: string, around: object[]): void {
  if (known.has(value)) return;
  if (around.includes(value)) throw notPlain(path, 'a part of itself');
  if (around.length >= MOST_LEVELS) throw notPlain(path, `nested deeper than ${MOST_LEVELS} levels`);
  around.push(value);
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) freeze(value[i], path, around);
  else {
    if (!isPlain(value)) throw notPlain(path, isPromise(value) ? 'a promise' : `a ${nameOf(value)}`);
    for (const key in value) freeze((value as Record<string, unknown>)[key], key, around);
  }
  around.pop();
  Object.freeze(value);
  known.add(value);
}

/** Also one of another realm. */
function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? name : shown(value);
}

function notPlain(path: string, found: string): SeineError {
  return new SeineError('usage', `${path} is ${found}, which JSON does not keep`, {
    hint: 'States and events must survive JSON: text, finite numbers, booleans, null, arrays and plain objects.',
  });
}
