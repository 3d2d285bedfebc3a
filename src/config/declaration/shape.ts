/**
 * The single declaration of what a configuration may hold. Validator, JSON Schema, the table in the documentation and the types
 * are derived from it.
 */

import type { Reference } from '../values/reference.ts';
import type { ValueType } from './value-type.ts';

interface Described {
  /** For the documentation and the schema. */
  readonly about: string;
}

/** One value. Without a default it may be missing; then `T` includes undefined. */
export interface Single<T> extends Described, SingleOptions<T> {
  readonly shape: 'single';
  readonly type: ValueType<T>;
}

interface SingleOptions<T> {
  readonly default?: NoInfer<T> | (() => NoInfer<T>);
  readonly env?: string;
  readonly flag?: string;
  /** Shown if there is neither a value nor a default. */
  readonly unset?: string;
  /**
   * Allowed in a possibly hostile file that was found in the working folder: the setting can neither send, write, delete nor run anything,
   * nor choose a server, nor make an incomplete scan look complete. All other settings need a file that was named or trusted.
   * `downwards`: allowed up to the default, because more takes more memory, connections or time.
   */
  readonly harmless?: true | 'downwards';
}

/** `key_env` and `key_file` name the variable or file with the value; `key` holds the value itself, as far as `clear` allows. */
export interface Secret extends Described {
  readonly shape: 'secret';
  /** What may be written in the file itself: only `${NAME}`, a URL without a password, or anything. */
  readonly clear: 'nothing' | 'address' | 'anything';
  /** Pattern of its start, if it is a URL. */
  readonly address?: RegExp;
  /** May be shown without its password. Of other secrets only the location is shown. */
  readonly open?: true;
  readonly env?: string;
  readonly unset?: string;
}

export interface List<I extends Shape> extends Described {
  readonly shape: 'list';
  readonly item: I;
  readonly default?: readonly Exclude<ValueOf<I>, undefined>[];
}

export interface Group<K extends Keys> extends Described {
  readonly shape: 'group';
  readonly keys: K;
  /** Each of these must be present. */
  readonly required?: readonly (keyof K & string)[];
  /** Exactly one of these must be present. */
  readonly oneOf?: readonly (keyof K & string)[];
  /** The first requires the second. */
  readonly needs?: readonly (readonly [key: keyof K & string, other: keyof K & string])[];
}

export type Shape = Single<unknown> | Secret | AnyList | AnyGroup;
export interface Keys extends Readonly<Record<string, Shape>> {}
export interface AnyList extends Omit<List<never>, 'item' | 'default'> {
  readonly item: Shape;
  readonly default?: readonly unknown[];
}
export interface AnyGroup extends Described {
  readonly shape: 'group';
  readonly keys: Keys;
  readonly required?: readonly string[];
  readonly oneOf?: readonly string[];
  readonly needs?: readonly (readonly [key: string, other: string])[];
}

export type ValueOf<S> =
  S extends Single<infer T>
    ? T
    : S extends Secret
      ? Reference | undefined
      : S extends { shape: 'list'; item: infer I }
        ? readonly Exclude<ValueOf<I>, undefined>[]
        : S extends { shape: 'group'; keys: infer K }
          ? { readonly [P in keyof K]: ValueOf<K[P]> }
          : never;

export function single<T>(
  about: string,
  type: ValueType<T>,
  more: SingleOptions<T> & { readonly default: NoInfer<T> | (() => NoInfer<T>) },
): Single<T>;
export function single<T>(about: string, type: ValueType<T>, more?: SingleOptions<T>): Single<T | undefined>;
export function single<T>(about: string, type: ValueType<T>, more: SingleOptions<T> = {}): Single<T> {
  return { shape: 'single', about, type, ...more };
}

export function secret(about: string, more: Partial<Omit<Secret, 'shape' | 'about'>> = {}): Secret {
  return { shape: 'secret', about, clear: 'nothing', ...more };
}

export function list<I extends Shape>(
  about: string,
  item: I,
  defaultValue?: readonly Exclude<ValueOf<I>, undefined>[],
): List<I> {
  return { shape: 'list', about, item, ...(defaultValue && { default: defaultValue }) };
}

export function group<const K extends Keys>(
  about: string,
  keys: K,
  more: Pick<Group<K>, 'required' | 'oneOf' | 'needs'> = {},
): Group<K> {
  return { shape: 'group', about, keys, ...more };
}

export function resolveDefault(shape: Single<unknown>): unknown {
  return typeof shape.default === 'function' ? shape.default() : shape.default;
}

/** The keys under which a setting can be given. */
export function settingKeys(key: string, shape: Shape): readonly string[] {
  return shape.shape === 'secret' ? [key, `${key}_env`, `${key}_file`] : [key];
}
