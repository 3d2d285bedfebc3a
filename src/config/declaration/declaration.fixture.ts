/** Arbitrary valid configurations as written in a file, generated from the declaration for property tests. */
import fc from 'fast-check';
import { variableReference } from '../values/interpolate.ts';
import { DECLARATION } from './declaration.ts';
import { type AnyGroup, type Keys, type Secret, type Shape, settingKeys } from './shape.ts';
import type { ValueType } from './value-type.ts';

export type Written = { readonly [key: string]: unknown };

/** The only variables that the configurations refer to. */
export const ENV = { SEINE_FIXTURE: 'postgres://fixture' };

export const anyConfig: fc.Arbitrary<Written> = groupOf(DECLARATION).map(withoutContradictions);

function anyOf(key: string, shape: Shape): fc.Arbitrary<unknown> {
  if (shape.shape === 'group') return groupOf(shape);
  if (shape.shape === 'list') {
    const { item, default: defaultValue } = shape;
    return fc.array(anyOf(key, item), { minLength: defaultValue ? 1 : 0, maxLength: 3 });
  }
  return shape.shape === 'secret'
    ? fc.constant(variableReference('SEINE_FIXTURE'))
    : singleOf(key, shape.type);
}

/** A subset of the keys that includes the required ones, in any order. */
function groupOf(shape: AnyGroup): fc.Arbitrary<Written> {
  const anyKeys = Object.entries(shape.keys).map(([key, inner]) => entryOf(key, inner));
  const needed = (keys: readonly string[]) =>
    Object.entries(shape.keys).flatMap(([key]) =>
      keys.includes(key) ? [entryOf(key, shape.keys[key]!)] : [],
    );
  const chosen = fc
    .tuple(fc.shuffledSubarray(anyKeys), fc.constantFrom(...(shape.oneOf ?? [''])))
    .chain(([some, one]) =>
      fc.tuple(...needed([...(shape.required ?? []), one]), ...some).map((all) => ({ all, one })),
    );
  return chosen.map(({ all, one }) => {
    const written = Object.fromEntries(all.map(({ name, value }) => [name, value]));
    return withoutUnmetNeeds(withoutDuplicateKeys(written, shape, one), shape);
  });
}

function entryOf(key: string, shape: Shape): fc.Arbitrary<{ name: string; value: unknown }> {
  if (shape.shape !== 'secret') return anyOf(key, shape).map((value) => ({ name: key, value }));
  return fc.constantFrom(...secretEntries(key, shape)).map(([name, value]) => ({ name, value }));
}

function secretEntries(key: string, shape: Secret): [string, string][] {
  const [plain, env, file] = settingKeys(key, shape);
  return [
    [plain!, variableReference('SEINE_FIXTURE')],
    [env!, 'SEINE_FIXTURE'],
    [file!, '/run/secrets/fixture'],
  ];
}

function singleOf(key: string, type: ValueType<unknown>): fc.Arbitrary<unknown> {
  if (key === 'url') return fc.integer({ min: 0 }).map((n) => `other://bucket-${n}/prefix`);
  if (key === 'budget') return fc.constantFrom('requests=2M', 'cost=$40, time=6h');
  if (type.isSensitive) return fc.constantFrom('https://example.org', 'http://127.0.0.1:9000/base');
  return fc.oneof(...type.schema.map((schema) => bySchema(schema, type)));
}

/** Values that the schema allows and the type parses. */
function bySchema(schema: Written, valueType: ValueType<unknown>): fc.Arbitrary<unknown> {
  const { type, enum: words, const: word, minimum, maximum } = schema;
  if (Array.isArray(words)) return fc.constantFrom(...words);
  if (word !== undefined) return fc.constant(word);
  const range = { min: Number(minimum), max: Number(maximum) };
  if (type === 'integer') return fc.integer(range);
  if (type === 'number') return fc.double({ ...range, noNaN: true });
  if (type === 'boolean') return fc.boolean();
  const time = fc
    .tuple(fc.nat(400), fc.constantFrom('ms', 's', 'm', 'h', 'd', '/s', '/m'))
    .map((parts) => parts.join(''));
  return fc.oneof(fc.string(), fc.lorem({ maxCount: 1 }), time).filter((text) => parsesText(valueType, text));
}

function parsesText(type: ValueType<unknown>, text: string): boolean {
  return !text.includes('${') && type.parse(text) !== undefined;
}

/** Keeps only the chosen one of exclusive keys, and only one key of a secret. */
function withoutDuplicateKeys(written: Written, shape: AnyGroup, one: string): Written {
  const seen = new Set<string>();
  return pick(written, (name) => {
    const key = keyOf(name, shape.keys);
    const second = seen.has(key) || (shape.oneOf?.includes(key) === true && key !== one);
    seen.add(key);
    return !second;
  });
}

function withoutUnmetNeeds(written: Written, shape: AnyGroup): Written {
  const given = new Set(Object.keys(written).map((name) => keyOf(name, shape.keys)));
  const unmet = (shape.needs ?? []).filter(([, other]) => !given.has(other)).map(([key]) => key);
  return pick(written, (name) => !unmet.includes(keyOf(name, shape.keys)));
}

function keyOf(name: string, keys: Keys): string {
  return Object.keys(keys).find((key) => settingKeys(key, keys[key]!).includes(name))!;
}

function pick(written: Written, keep: (name: string) => boolean): Written {
  return Object.fromEntries(Object.entries(written).filter(([name]) => keep(name)));
}

/** Removes what the cross-checks reject: incomplete keys, credentials of anonymous sources, duplicates, a too short stale threshold. */
function withoutContradictions(config: Written): Written {
  const { mode: _, sources, hooks, queue, ...rest } = config as Record<string, Written[] & Written>;
  return {
    ...rest,
    ...(queue && { queue: { ...queue, stale_threshold: '1d' } }),
    ...(sources && { sources: unique(sources.map(withoutHalfKeys), 'url') }),
    ...(hooks && { hooks: hooks.map((hook) => pick(hook, (name) => name !== 'name')) }),
  };
}

function withoutHalfKeys({ anonymous: _, credentials, ...source }: Written): Written {
  const s3 = /^(access_key_id|secret_access_key|session_token)/;
  if (credentials === undefined) return source;
  return { ...source, credentials: pick(credentials as Written, (name) => !s3.test(name)) };
}

function unique(entries: readonly Written[], key: string): Written[] {
  return [...new Map(entries.map((entry) => [entry[key], entry])).values()];
}
