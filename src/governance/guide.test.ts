/** The guide's examples are copied by users, so they must be correct. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../detection/catalogue.ts';
import { CHECK_NAMES } from '../detection/named-checks.ts';
import { DEFAULT_LIMITS } from '../extraction/budget/limits.ts';
import { CATEGORIES } from './categories.ts';
import { PACK_NAMES } from './packs/packs.ts';
import { BUILTIN_POLICY_NAMES } from './policies/builtin.ts';
import { parseRuleSet } from './rule-file.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/rules.md'), 'utf8');
const examples = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!);
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the guide to rules', () => {
  it('contains rules that can be parsed, together and one by one', () => {
    expect(examples).toHaveLength(3);
    const [first, second, third] = examples as [string, string, string];
    expect(parseRuleSet(first, 'guide', catalogue).packs).toEqual(['pci', 'glba']);
    expect(parseRuleSet(second, 'guide', catalogue).custom).toHaveLength(1);
    const all = parseRuleSet(first + second + third, 'guide', catalogue);
    expect(all.policies.own.map(({ id }) => id)).toEqual(['payroll']);
  });

  it('names every category, check, pack and policy', () => {
    const names = [...CATEGORIES, ...CHECK_NAMES, ...PACK_NAMES, ...BUILTIN_POLICY_NAMES];
    expect(names.filter((name) => !guide.includes(name))).toEqual([]);
  });

  it('of formats shows rules that can be read, and names every limit', () => {
    const formats = readFileSync(join(root, 'docs/guides/formats.md'), 'utf8');
    const [, example] = /```yaml\n(.*?)```/s.exec(formats)!;
    expect(parseRuleSet(example!, 'formats.md', catalogue).reading.ocr).toBe(true);
    expect(Object.keys(DEFAULT_LIMITS).filter((name) => !formats.includes(`\`${name}\``))).toEqual([]);
  });

  it('and the README agree about what can be read', () => {
    const example = /```yaml\n(name: cards and badges.*?)```/s.exec(readme)![1]!;
    expect(parseRuleSet(example, 'README.md', catalogue).policies.own).toHaveLength(1);
  });
});
