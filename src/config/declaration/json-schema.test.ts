/** The published schema and documentation agree with the declaration. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseSettings, problemMessages } from '../config.fixture.ts';
import { DECLARATION } from './declaration.ts';
import { jsonSchema } from './json-schema.ts';
import { resolveDefault, type Shape } from './shape.ts';

const docs = join(import.meta.dirname, '../../../docs');
const page = readFileSync(join(docs, 'configuration.md'), 'utf8');
const schema = jsonSchema(DECLARATION);

describe('docs/seine.schema.json', () => {
  it('is what `seine config schema` prints', () => {
    expect(JSON.parse(readFileSync(join(docs, 'seine.schema.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(schema)),
    );
  });
});

describe('docs/configuration.md', () => {
  it('has a line in its tables for every setting, and for no other', () => {
    const lines = page.split('\n').filter((line) => /^\| `[a-z_.[\]]+` \| .* \| .* \| /.test(line));
    expect(lines).toEqual(rowsOf(DECLARATION, ''));
  });

  it('has examples that are valid', () => {
    const accepts = new Ajv({ allowUnionTypes: true }).compile(schema);
    const examples = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!);
    expect(examples.length).toBeGreaterThan(1);
    for (const text of examples) {
      const env = Object.fromEntries([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => [name, '1']));
      expect(problemMessages(parseSettings(text, env))).toEqual([]);
      expect([accepts(parse(text)), accepts.errors]).toEqual([true, null]);
    }
  });

  it('names every key in its large example', () => {
    const large = /```yaml\n(.*?)```/s.exec(page)![1]!;
    for (const key of Object.keys(DECLARATION.keys)) expect(large).toMatch(new RegExp(`^${key}:`, 'm'));
  });
});

describe('the schema', () => {
  const accepts = new Ajv({ allowUnionTypes: true }).compile(schema);

  it.each([
    ['an unknown key', { quue: {} }],
    ['a wrong type', { worker: { threads: 'many' } }],
    ['a number out of range', { worker: { threads: 0 } }],
    ['a secret in clear', { sources: [{ url: 's3://a', credentials: { secret_access_key: 'hush' } }] }],
    ['a secret said twice', { database: { url_env: 'A', url_file: 'b' } }],
    ['a source without an address', { sources: [{ region: 'eu' }] }],
    ['a hook of two kinds', { hooks: [{ export: '/a', webhook_env: 'B' }] }],
    ['a hook of no kind', { hooks: [{ name: 'a' }] }],
    ['a burst without a rate', { sources: [{ url: 's3://a', burst: 5 }] }],
    ['a secret without a webhook', { hooks: [{ export: '/a', secret_env: 'B' }] }],
  ])('refuses %s', (_, config) => {
    expect(accepts(config)).toBe(false);
  });

  it('takes an empty file and empty headings', () => {
    for (const config of [null, {}, { queue: null, sources: null }]) expect(accepts(config)).toBe(true);
  });
});

/** The tables of the page: name, what it must be, default, where else it can be set, what it is for. */
function rowsOf(shape: Shape, path: string): string[] {
  if (shape.shape === 'group') {
    return Object.entries(shape.keys).flatMap(([key, inner]) =>
      rowsOf(inner, path === '' ? key : `${path}.${key}`),
    );
  }
  if (shape.shape === 'list' && shape.item.shape === 'group') return rowsOf(shape.item, `${path}[]`);
  return [
    `| \`${path}\` | ${expected(shape)} | ${defaultText(shape)} | ${elsewhere(shape)} | ${shape.about} |`,
  ];
}

function expected(shape: Shape): string {
  if (shape.shape === 'single') return shape.type.expected;
  if (shape.shape === 'secret')
    return { nothing: 'a secret', address: 'a URL', anything: 'a text' }[shape.clear];
  return shape.shape === 'list' ? `a list of ${expected(shape.item)}` : '';
}

function defaultText(shape: Shape): string {
  if (shape.shape === 'list') return shape.default ? 'all of them' : 'none';
  if (shape.shape !== 'single') return (shape.shape === 'secret' && shape.unset) || '';
  const value = typeof shape.default === 'function' ? 'number of cores' : resolveDefault(shape);
  return String(
    value === undefined
      ? (shape.unset ?? '')
      : value === 'number of cores'
        ? value
        : shape.type.format(value),
  );
}

function elsewhere(shape: Shape): string {
  const { env, flag } = shape as { env?: string; flag?: string };
  return [env && `\`${env}\``, flag && `\`--${flag}\``].filter(Boolean).join(', ');
}
