/**
 * The declaration as a JSON Schema (draft 7), for editors. It accepts every valid file. Some errors are only found by Seine itself:
 * durations out of range, contradicting settings, passwords in URLs.
 */

import {
  type AnyGroup,
  type AnyList,
  type Keys,
  type Secret,
  type Shape,
  type Single,
  settingKeys,
} from './shape.ts';
import type { JsonSchema } from './value-type.ts';

export function jsonSchema(declaration: AnyGroup): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'seine.yaml',
    ...schemaOf(declaration),
  };
}

const VARIABLE = '\\$\\{[A-Za-z_]\\w*(:-[^}]*)?\\}';
const WITH_VARIABLE: JsonSchema = { type: 'string', pattern: VARIABLE };

function schemaOf(shape: Shape): JsonSchema {
  if (shape.shape === 'group') return groupSchema(shape);
  if (shape.shape === 'list') return listSchema(shape);
  return shape.shape === 'secret' ? secretSchema(shape) : singleSchema(shape);
}

function singleSchema({ about, type, default: defaultValue }: Single<unknown>): JsonSchema {
  const known = defaultValue !== undefined && typeof defaultValue !== 'function';
  return {
    description: about,
    ...(known && { default: type.format(defaultValue) }),
    anyOf: [...type.schema, WITH_VARIABLE],
  };
}

/** The value itself, as far as it may be written in the file. */
function secretSchema({ about, clear, address }: Secret): JsonSchema {
  if (clear === 'nothing') return { description: about, type: 'string', pattern: `^(${VARIABLE})+$` };
  if (!address) return { description: about, type: 'string', minLength: 1 };
  return { description: about, anyOf: [{ type: 'string', pattern: address.source }, WITH_VARIABLE] };
}

function listSchema({ about, item, default: defaultValue }: AnyList): JsonSchema {
  return {
    description: about,
    type: ['array', 'null'],
    items: schemaOf(item),
    ...(defaultValue && { minItems: 1, default: defaultValue }),
  };
}

function groupSchema({ about, keys, required, oneOf, needs }: AnyGroup): JsonSchema {
  const rules = [
    ...Object.entries(keys).flatMap(([key, shape]) => atMostOne(settingKeys(key, shape))),
    ...(oneOf ? [{ oneOf: oneOf.map((key) => present(key, keys)) }] : []),
  ];
  return {
    description: about,
    // A heading with nothing under it is an empty group.
    type: required || oneOf ? 'object' : ['object', 'null'],
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(keys).flatMap(([key, shape]) => properties(key, shape))),
    ...(required && { required }),
    ...(needs && { dependencies: dependencies(needs, keys) }),
    ...(rules.length > 0 && { allOf: rules }),
  };
}

function properties(key: string, shape: Shape): [string, JsonSchema][] {
  if (shape.shape !== 'secret') return [[key, schemaOf(shape)]];
  const [, env, file] = settingKeys(key, shape);
  return [
    [key, schemaOf(shape)],
    [
      env!,
      {
        description: `${shape.about}: environment variable that holds it`,
        type: 'string',
        pattern: '^[A-Za-z_]\\w*$',
      },
    ],
    [file!, { description: `${shape.about}: file that holds it`, type: 'string', minLength: 1 }],
  ];
}

function atMostOne(names: readonly string[]): JsonSchema[] {
  return names.flatMap((name, index) =>
    names.slice(index + 1).map((other) => ({ not: { type: 'object', required: [name, other] } })),
  );
}

function present(key: string, keys: Keys): JsonSchema {
  return { anyOf: settingKeys(key, keys[key]!).map((name) => ({ required: [name] })) };
}

function dependencies(needs: NonNullable<AnyGroup['needs']>, keys: Keys): JsonSchema {
  return Object.fromEntries(
    needs.flatMap(([key, other]) => settingKeys(key, keys[key]!).map((name) => [name, present(other, keys)])),
  );
}
