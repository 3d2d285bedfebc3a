import { resolve } from 'node:path';
import { hasPassword } from './address.ts';
import { checkPlaces, fillIn, hasPlaces, place, writtenPart } from './interpolate.ts';
import { byPosition, type Origin, problemOf } from './problem.ts';
import type { Reference } from './reference.ts';
import type { Context } from './setting.ts';
import { type Secret, waysToSay } from './shape.ts';
import type { TreeMap } from './yaml-tree.ts';

type Entry = TreeMap['entries'][number];

/**
 * Where a secret is: in a variable that is known by itself (DATABASE_URL), or as `key`, `key_env` or `key_file` says. No message
 * quotes what stands there: it may be the secret, in the wrong place.
 */
export function readSecret(
  shape: Secret,
  key: string,
  entries: ReadonlyMap<string, Entry>,
  context: Context,
): Reference | undefined {
  const written = readWritten(shape, key, entries, context);
  const known = shape.env && context.env[shape.env] ? shape.env : undefined;
  const value: Reference | undefined = known ? { from: 'env', name: known } : written?.value;
  const origin: Origin = known ? { kind: 'env', name: known } : (written?.origin ?? { kind: 'default' });
  context.settled(shape, value, origin);
  return value;
}

interface Found {
  readonly value: Reference;
  readonly origin: Origin;
}

function readWritten(
  shape: Secret,
  key: string,
  entries: ReadonlyMap<string, Entry>,
  context: Context,
): Found | undefined {
  const [first, second] = waysToSay(key, shape)
    .flatMap((name) => entries.get(name) ?? [])
    .sort((a, b) => byPosition(a.keyAt, b.keyAt));
  if (first === undefined) return undefined;
  const { path, tell } = context;
  if (second) {
    const message = `${path} is said twice: ${first.key} and ${second.key}`;
    tell({ kind: 'file', at: second.keyAt }, message, 'keep one of them');
  }
  const origin: Origin = { kind: 'file', at: first.value.at };
  const wrong = (must: string, hint: string) =>
    void tell(origin, `${pathOf(path, key, first)} ${must}`, hint);
  const text = first.value.kind === 'scalar' ? first.value.value : null;
  if (typeof text !== 'string' || text === '') {
    return wrong('must be a text', 'put quotes around what YAML would take for a number');
  }
  try {
    if (first.key === key) checkPlaces(text);
    const value = referenceOf(shape, first.key.slice(key.length), text, context);
    return typeof value === 'string' ? wrong(value, waysOut(key)) : { value, origin };
  } catch (error) {
    const { message, hint } = problemOf(error, 'error', path, origin);
    return wrong(`cannot be used: ${message}`, hint ?? '');
  }
}

/** A text instead of the reference says what is wrong with it. */
function referenceOf(
  shape: Secret,
  suffix: string,
  text: string,
  { env, folder }: Context,
): Reference | string {
  if (suffix === '_file') return { from: 'file', path: resolve(folder, fillIn(text, env)) };
  if (suffix === '_env') {
    return /^[A-Za-z_]\w*$/.test(text)
      ? { from: 'env', name: text }
      : 'must be the name of an environment variable';
  }
  const written = writtenPart(text);
  if (shape.clear === 'nothing' && written !== '') return 'is a secret and must not stand in the file';
  if (shape.clear === 'address' && hasPassword(written))
    return 'holds a password, which must not stand in the file';
  if (shape.address && !hasPlaces(text) && !shape.address.test(written))
    return `must begin with ${beginning(shape.address)}`;
  return { from: 'text', text };
}

function waysOut(key: string): string {
  return `write ${key}_env: NAME, ${key}_file: PATH or a variable like ${place('NAME')}`;
}

/** `^https?:\/\/` as people write it. */
export function beginning(address: RegExp): string {
  return address.source.replace(/[\^\\?]|\(.*?\)/g, '');
}

function pathOf(path: string, key: string, entry: Entry): string {
  return path.slice(0, path.length - key.length) + entry.key;
}
