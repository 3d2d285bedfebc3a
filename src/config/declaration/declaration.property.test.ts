import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseSettings, problemMessages } from '../config.fixture.ts';
import type { Reference } from '../values/reference.ts';
import type { Setting } from '../values/setting.ts';
import { anyConfig, ENV, type Written } from './declaration.fixture.ts';
import { DECLARATION } from './declaration.ts';
import { jsonSchema } from './json-schema.ts';

const accepts = new Ajv({ allowUnionTypes: true }).compile(jsonSchema(DECLARATION));
const style = fc.constantFrom('block', 'flow', 'json');

describe('any valid configuration', () => {
  it('has no problem, for Seine and for the schema', () => {
    fc.assert(
      fc.property(anyConfig, style, (config, look) => {
        expect(problemMessages(parseSettings(write(config, look), ENV))).toEqual([]);
        expect([accepts(config), accepts.errors]).toEqual([true, null]);
      }),
    );
  });

  it('is the same when its settings are written and read again', () => {
    fc.assert(
      fc.property(anyConfig, style, style, (config, look, again) => {
        const first = parseSettings(write(config, look), ENV);
        const second = parseSettings(write(unread(first.settings), again), ENV);
        expect(problemMessages(second)).toEqual([]);
        expect(second.values).toEqual(first.values);
      }),
    );
  });
});

describe('a valid configuration with one unknown key', () => {
  it('is refused at the line and column of the key, wherever that is', () => {
    fc.assert(
      fc.property(
        anyConfig,
        fc.nat(),
        fc.nat(),
        fc.constantFrom('block', 'flow'),
        (config, where, index, look) => {
          const spoilt = structuredClone(config);
          const groups = groupsIn(spoilt);
          insert(groups[where % groups.length]!, index, 'zz_unknown');
          const text = write(spoilt, look);
          expect(problemMessages(parseSettings(text, ENV))).toEqual([
            expect.stringContaining(`${positionOf(text, 'zz_unknown')} `),
          ]);
          expect(accepts(spoilt)).toBe(false);
        },
      ),
    );
  });
});

describe('a valid configuration with one value replaced', () => {
  const other = fc.oneof(
    fc.constantFrom(null, [], {}, true, -1, 0.5, '', 'zz', '5', '1x', '$'),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );

  it('is never accepted by Seine and refused by the schema', () => {
    fc.assert(
      fc.property(anyConfig, fc.nat(), fc.nat(), other, (config, where, index, value) => {
        const spoilt = structuredClone(config);
        const groups = groupsIn(spoilt).filter((group) => Object.keys(group).length > 0);
        fc.pre(groups.length > 0 && !String(value).includes('${'));
        const group = groups[where % groups.length]!;
        const keys = Object.keys(group);
        Object.assign(group, { [keys[index % keys.length]!]: value });
        const valid = problemMessages(parseSettings(write(spoilt, 'json'), ENV)).length === 0;
        if (valid) expect([accepts(spoilt), accepts.errors]).toEqual([true, null]);
      }),
    );
  });
});

function write(config: unknown, look: string): string {
  if (look === 'json') return JSON.stringify(config);
  return stringify(config, { collectionStyle: look === 'flow' ? 'flow' : 'block', lineWidth: 0 });
}

/** A configuration file that contains the given settings. */
function unread(settings: readonly Setting[]): Written {
  const config = {};
  for (const { path, shape, value, origin } of settings) {
    if (value === undefined || origin.kind !== 'file') continue;
    if (shape.shape === 'secret') {
      const reference = value as Reference;
      const suffix = reference.from === 'text' ? '' : `_${reference.from}`;
      put(config, path + suffix, Object.values(reference)[1]);
    } else if (shape.shape === 'list') put(config, path, value);
    else put(config, path, shape.type.format(value));
  }
  return config;
}

/** `sources[0].url` */
function put(config: object, path: string, value: unknown): void {
  const steps = path.split(/[.[\]]+/).filter(Boolean);
  let at: Record<string, unknown> = config as Record<string, unknown>;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    at[step] ??= /^\d+$/.test(steps[index + 1]!) ? [] : {};
    at = at[step] as Record<string, unknown>;
  }
  at[steps.at(-1)!] = value;
}

function groupsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(groupsIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(groupsIn)];
}

function insert(group: Record<string, unknown>, index: number, key: string): void {
  const entries = Object.entries(group);
  for (const name of Object.keys(group)) delete group[name];
  entries.splice(index % (entries.length + 1), 0, [key, 1]);
  Object.assign(group, Object.fromEntries(entries));
}

/** Counted by hand, not by the parser that is tested. */
function positionOf(text: string, word: string): string {
  const before = text.slice(0, text.indexOf(word)).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}
