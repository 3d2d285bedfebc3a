import { resolve } from 'node:path';
import { type Secret, settingKeys } from '../declaration/shape.ts';
import type { TreeMap } from '../file/yaml-tree.ts';
import { byPosition, type Origin, toProblem } from '../problem.ts';
import { checkVariables, hasVariables, interpolate, literalPart, variableReference } from './interpolate.ts';
import { hasPassword } from './redact-url.ts';
import type { Reference } from './reference.ts';
import type { SettingContext } from './setting.ts';

type Entry = TreeMap['entries'][number];

/**
 * Where a secret is: in its well-known variable (DATABASE_URL), or given by `key`, `key_env` or `key_file`. Messages never quote the
 * value: it may be the secret, in the wrong place.
 */
export function readSecret(
  shape: Secret,
  key: string,
  entries: ReadonlyMap<string, Entry>,
  context: SettingContext,
): Reference | undefined {
  const written = readFromFile(shape, key, entries, context);
  const known = shape.env && context.env[shape.env] ? shape.env : undefined;
  const value: Reference | undefined = known ? { from: 'env', name: known } : written?.value;
  const origin: Origin = known ? { kind: 'env', name: known } : (written?.origin ?? { kind: 'default' });
  context.recordSetting(shape, value, origin);
  return value;
}

interface Found {
  readonly value: Reference;
  readonly origin: Origin;
}

function readFromFile(
  shape: Secret,
  key: string,
  entries: ReadonlyMap<string, Entry>,
  context: SettingContext,
): Found | undefined {
  const [first, second] = settingKeys(key, shape)
    .flatMap((name) => entries.get(name) ?? [])
    .sort((a, b) => byPosition(a.keyAt, b.keyAt));
  if (first === undefined) return undefined;
  const { path, reportProblem } = context;
  if (second) {
    const message = `${path} is set twice: ${first.key} and ${second.key}`;
    reportProblem({ kind: 'file', at: second.keyAt }, message, 'keep one of them');
  }
  const origin: Origin = { kind: 'file', at: first.value.at };
  const wrong = (must: string, hint: string) =>
    void reportProblem(origin, `${pathOf(path, key, first)} ${must}`, hint);
  const text = first.value.kind === 'scalar' ? first.value.value : null;
  if (typeof text !== 'string' || text === '') {
    return wrong('must be a text', 'put quotes around a value that YAML parses as a number');
  }
  try {
    if (first.key === key) checkVariables(text);
    const value = referenceOf(shape, first.key.slice(key.length), text, context);
    return typeof value === 'string' ? wrong(value, suggestReferences(key)) : { value, origin };
  } catch (error) {
    const { message, hint } = toProblem(error, 'error', path, origin);
    return wrong(`cannot be used: ${message}`, hint ?? '');
  }
}

/** Returns the reference, or a string that describes the problem. */
function referenceOf(
  shape: Secret,
  suffix: string,
  text: string,
  { env, folder }: SettingContext,
): Reference | string {
  if (suffix === '_file') return { from: 'file', path: resolve(folder, interpolate(text, env)) };
  if (suffix === '_env') {
    return /^[A-Za-z_]\w*$/.test(text)
      ? { from: 'env', name: text }
      : 'must be the name of an environment variable';
  }
  const written = literalPart(text);
  if (shape.clear === 'nothing' && written !== '') return 'is a secret and must not be written in the file';
  if (shape.clear === 'address' && hasPassword(written))
    return 'contains a password, which must not be written in the file';
  if (shape.address && !hasVariables(text) && !shape.address.test(written))
    return `must start with ${literalStart(shape.address)}`;
  return { from: 'text', text };
}

function suggestReferences(key: string): string {
  return `write ${key}_env: NAME, ${key}_file: PATH or a variable like ${variableReference('NAME')}`;
}

/** `^https?:\/\/` in readable form. */
export function literalStart(address: RegExp): string {
  return address.source.replace(/[\^\\?]|\(.*?\)/g, '');
}

function pathOf(path: string, key: string, entry: Entry): string {
  return path.slice(0, path.length - key.length) + entry.key;
}
