/**
 * What a configuration may hold, said once. The validator, the JSON Schema, the table in the documentation and the types
 * follow from it.
 */

import type { Reference } from './reference.ts';
import type { ValueType } from './value-type.ts';

interface Described {
  /** For the documentation and the schema. */
  readonly about: string;
}

/** One value. Without a preset it may be missing: then `T` holds undefined. */
export interface Single<T> extends Described, SingleOptions<T> {
  readonly shape: 'single';
  readonly type: ValueType<T>;
}

interface SingleOptions<T> {
  readonly preset?: NoInfer<T> | (() => NoInfer<T>);
  readonly env?: string;
  readonly flag?: string;
  /** Shown where there is neither a value nor a preset. */
  readonly unset?: string;
  /**
   * May be said by a file that was only found in the working folder, and may be hostile: it can neither send, write, delete nor run anything,
   * nor choose a server, nor make a scan end as if it had been done. Whatever is not declared so needs a file that was named or trusted.
   * `downwards`: up to the preset, because more of it takes more memory, connections or time.
   */
  readonly harmless?: true | 'downwards';
}

/** `key_env` and `key_file` say where the value is; `key` itself holds it, as far as that is allowed. */
export interface Secret extends Described {
  readonly shape: 'secret';
  /** What may stand in the file itself: nothing but `${NAME}`, an address without a password, or anything. */
  readonly clear: 'nothing' | 'address' | 'anything';
  /** How it begins, where it is an address. */
  readonly address?: RegExp;
  /** May be shown without its password. Of other secrets only is shown where they are. */
  readonly open?: true;
  readonly env?: string;
  readonly unset?: string;
}

export interface List<I extends Shape> extends Described {
  readonly shape: 'list';
  readonly item: I;
  readonly preset?: readonly Exclude<ValueOf<I>, undefined>[];
}

export interface Group<K extends Keys> extends Described {
  readonly shape: 'group';
  readonly keys: K;
  /** Each of these must be there. */
  readonly required?: readonly (keyof K & string)[];
  /** Exactly one of these must be there. */
  readonly oneOf?: readonly (keyof K & string)[];
  /** The first makes sense only with the second. */
  readonly needs?: readonly (readonly [key: keyof K & string, other: keyof K & string])[];
}

export type Shape = Single<unknown> | Secret | AnyList | AnyGroup;
export interface Keys extends Readonly<Record<string, Shape>> {}
export interface AnyList extends Omit<List<never>, 'item' | 'preset'> {
  readonly item: Shape;
  readonly preset?: readonly unknown[];
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
  more: SingleOptions<T> & { readonly preset: NoInfer<T> | (() => NoInfer<T>) },
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
  preset?: readonly Exclude<ValueOf<I>, undefined>[],
): List<I> {
  return { shape: 'list', about, item, ...(preset && { preset }) };
}

export function group<const K extends Keys>(
  about: string,
  keys: K,
  more: Pick<Group<K>, 'required' | 'oneOf' | 'needs'> = {},
): Group<K> {
  return { shape: 'group', about, keys, ...more };
}

export function resolveDefault(shape: Single<unknown>): unknown {
  return typeof shape.preset === 'function' ? shape.preset() : shape.preset;
}

/** The keys under which a setting can be given. */
export function settingKeys(key: string, shape: Shape): readonly string[] {
  return shape.shape === 'secret' ? [key, `${key}_env`, `${key}_file`] : [key];
}
