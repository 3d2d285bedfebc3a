import { describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { DEFAULT_RULES, type RuleSet } from '../../governance/rule-set.ts';
import { customRule } from '../../governance/rules.fixture.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { SourceObject } from '../../sources/source.ts';
import type { Inspection } from '../results/inspection.ts';
import { Inspector } from './inspector.ts';

const EMPLOYEE = customRule();
const BADGE = customRule({ id: 'BADGE', pattern: 'B\\d{7}', confidence: 0.6 });

/** Only the custom detectors are on. */
const rules = (change: Partial<RuleSet> = {}): RuleSet => ({
  ...DEFAULT_RULES,
  detectors: { include: [EMPLOYEE.id], exclude: [] },
  custom: [EMPLOYEE, BADGE],
  ...change,
});

async function inspect(set: RuleSet, text: string, name = 'people.csv'): Promise<Inspection> {
  const source = createMemorySource({ [name]: text });
  const object = (await source.find(keyOf(name), never)) as SourceObject;
  const inspector = new Inspector(source, {
    rules: set,
    secret: Buffer.alloc(32, 1),
    maxFindingsPerType: 100,
  });
  return inspector.inspect(object, never, () => {});
}

const never = new AbortController().signal;
const TABLE = 'name,number,badge\nAnn,EMP-123456,B1234567\nBob,EMP-654321,B7654321\n';

describe('an object under a rule set', () => {
  it('is searched with the detectors of the rules, weighted as they specify', async () => {
    const { counts, score } = await inspect(rules(), TABLE);
    expect(counts).toEqual({ EMPLOYEE: 2, BADGE: 2 });
    const heavy = await inspect(rules({ weights: { EMPLOYEE: 10 } }), TABLE);
    expect(heavy.score).toBeGreaterThan(score!);
    const light = await inspect(rules({ custom: [{ ...EMPLOYEE, risk: 0 }] }), TABLE);
    expect(light).toMatchObject({ counts: { EMPLOYEE: 2 }, score: 0 });
  });

  it('reports for each detector what reaches its own threshold', async () => {
    const strict = await inspect(rules({ thresholds: { BADGE: 0.65 } }), TABLE.replaceAll('badge', 'x'));
    expect(strict.counts).toEqual({ EMPLOYEE: 2 });
    const all = await inspect(
      rules({ minConfidence: 0.9, thresholds: { BADGE: 0.3 } }),
      TABLE.replaceAll('badge', 'x'),
    );
    expect(all.counts).toEqual({ BADGE: 2 });
  });

  it('reports nothing in excluded columns, nor in others if some are included', async () => {
    const without = await inspect(rules({ columns: { include: [], exclude: ['NUM*'] } }), TABLE);
    expect(without.counts).toEqual({ BADGE: 2 });
    const only = await inspect(rules({ columns: { include: ['number'], exclude: [] } }), TABLE);
    expect(only.counts).toEqual({ EMPLOYEE: 2 });
    expect(only.findings.map(({ field }) => field)).toEqual(['number', 'number']);
    const text = await inspect(
      rules({ columns: { include: ['number'], exclude: [] } }),
      'EMP-123456',
      'a.txt',
    );
    expect(text.counts).toEqual({});
  });

  it('reports nothing in excluded tables', async () => {
    const without = rules({ tables: { include: [], exclude: ['people'] } });
    expect((await inspect(without, TABLE, 'hr/people.csv')).counts).toEqual({});
    expect((await inspect(without, TABLE, 'hr/staff.csv')).counts).toEqual({ EMPLOYEE: 2, BADGE: 2 });
    expect((await inspect(without, 'EMP-123456', 'people.txt')).counts).toEqual({ EMPLOYEE: 1 });
    const only = rules({ tables: { include: ['peop*'], exclude: [] } });
    expect((await inspect(only, TABLE, 'hr/people.2024.csv')).counts).toEqual({ EMPLOYEE: 2, BADGE: 2 });
    expect((await inspect(only, 'EMP-123456', 'people.txt')).counts).toEqual({});
  });

  it('meets the policies that its findings meet', async () => {
    const own = [
      {
        id: 'staff',
        title: 'Staff',
        when: { allOf: [{ one: 'EMPLOYEE', minCount: 2 }, { one: 'BADGE' }] },
        excludeIfOnly: [],
      },
      {
        id: 'crowd',
        title: 'Many',
        when: { one: 'category:quasi_identifier', minCount: 5 },
        excludeIfOnly: [],
      },
    ];
    const set = rules({ policies: { include: ['pci_dss'], exclude: [], own } });
    expect((await inspect(set, TABLE)).policies).toEqual({ staff: ['BADGE', 'EMPLOYEE'] });
    expect((await inspect(set, TABLE + TABLE)).policies).toEqual({
      staff: ['BADGE', 'EMPLOYEE'],
      crowd: ['BADGE', 'EMPLOYEE'],
    });
    expect((await inspect(set, 'EMP-123456', 'a.txt')).policies).toEqual({});
  });
});
