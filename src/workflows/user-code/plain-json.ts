/**
 * What user code writes: events, commands, inputs of actions. Converted to JSON once, here; all later code works with what will be read again. Values
 * that JSON or PostgreSQL would silently drop or change are rejected.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { isStorable, isStorableJson } from '../../db/sanitize.ts';
import { MAX_EVENT_BYTES } from '../../events/append-store.ts';
import { formatValue, isPromise } from './code-error.ts';

export interface PlainJson<T> {
  readonly bytes: number;
  /** The value as it will be read from the database. */
  readonly value: T;
}

/** `what` is the subject of the error message: "the event placed". */
export function plainJson<T>(what: string, value: T, max = MAX_EVENT_BYTES): PlainJson<T> {
  const json = jsonOf(what, value);
  const bytes = Buffer.byteLength(json);
  if (bytes > max)
    throw new SeineError('limit', `${what} has ${bytes} bytes; the maximum is ${max}`, {
      hint: 'Keep large things elsewhere, and their address here.',
    });
  if (!isStorableJson(json))
    throw new SeineError('usage', `${what} holds a zero character or a lone surrogate`, {
      hint: 'PostgreSQL stores neither. Replace them, or encode the text as base64.',
    });
  return { bytes, value: JSON.parse(json) };
}

function jsonOf(what: string, value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value, rejectLossyValue);
  } catch (error) {
    const why = isTooDeep(error) ? 'it is nested too deeply' : messageOf(error).split('\n')[0]!;
    throw notJson(what, why, error);
  }
  if (json === undefined) throw notJson(what, `it is ${formatValue(value)}`);
  return json;
}

function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.startsWith('Maximum call stack');
}

function notJson(what: string, why: string, cause?: unknown): SeineError {
  return new SeineError('usage', `${what} can't be written as JSON: ${why}`, {
    hint: 'Use text, finite numbers, booleans, null, arrays and plain objects.',
    cause,
  });
}

/** A JSON replacer: `this` is the object or array that contains `value`. */
function rejectLossyValue(this: unknown, key: string, value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
    case 'function':
    case 'symbol':
      throw new TypeError(`${at(key)} is a ${typeof value}`);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${at(key)} is ${value}`);
      return value;
    case 'object':
      if (value === null) rejectInvalidDate(this, key);
      else rejectEmptied(key, value);
      return value;
    default:
      return value;
  }
}

/** JSON converts it to null. */
function rejectInvalidDate(holder: unknown, key: string): void {
  if ((holder as Record<string, unknown>)[key] instanceof Date)
    throw new TypeError(`${at(key)} is an invalid date`);
}

/** JSON converts them to `{}`. */
const EMPTIED = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Promise', 'RegExp', 'Error']);

function rejectEmptied(key: string, value: object): void {
  if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) return;
  const name = Object.prototype.toString.call(value).slice(8, -1);
  if (!EMPTIED.has(name)) return;
  isPromise(value);
  throw new TypeError(`${at(key)} is a ${name}`);
}

function at(key: string): string {
  return key === '' ? 'it' : `"${key}"`;
}

/** Types of events, tags and the like: text that PostgreSQL can store. */
export function checkText(what: string, text: unknown, max = 1000): void {
  if (typeof text !== 'string')
    throw new SeineError('usage', `${what} is ${formatValue(text)}, not text`, { hint: 'Give it a string.' });
  const bytes = Buffer.byteLength(text);
  if (bytes > max)
    throw new SeineError('usage', `${what} has ${bytes} bytes; the maximum is ${max}.`, {
      hint: 'Use a hash of it.',
    });
  if (text.includes('\0'))
    throw new SeineError('usage', `${what} holds a zero character, which PostgreSQL text cannot store.`, {
      hint: 'Leave it out.',
    });
  if (!isStorable(text))
    throw new SeineError('usage', `${what} holds a lone surrogate, which is no character.`, {
      hint: 'Was a text cut in the middle of a character? Cut it by code points: [...text].slice(0, n).join("").',
    });
}

/** A command: an object with a type. */
export function checkTyped(what: string, value: unknown): void {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject)
    throw new SeineError('usage', `${what} is ${formatValue(value)}, not an object with a type`, {
      hint: "Like this: { type: 'approve' }.",
    });
  checkText(`the type of ${what}`, (value as { type?: unknown }).type);
}
