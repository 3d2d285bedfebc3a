import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIERS } from '../governance/tier.ts';
import { compileFilter } from './evaluate.ts';
import { type FilterRecord, pathFields } from './record.ts';

/** A filter's text with a plain function that computes the expected result. */
interface Case {
  readonly text: string;
  readonly expected: (record: FilterRecord) => boolean;
}

const DAY = 86_400_000;
const days = ['2025-01-30', '2025-01-31', '2025-02-01'];
const few = fc.integer({ min: 0, max: 3 });
const letters = fc.constantFrom('', 'a', 'b', 'ab', "a'b", 'ba');
const types = fc.constantFrom('SSN', 'EMAIL', 'PHONE');
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values);

const records: fc.Arbitrary<FilterRecord> = fc
  .record({
    path: fc.constantFrom('a', 'a/b.csv', 'b/a.txt', 'a/b/ab.csv'),
    size: fc.constantFrom(0, 1, 1000, 1024, 2000),
    modified: optional(fc.tuple(fc.constantFrom(...days), fc.constantFrom(0, 1, DAY - 1))),
    score: optional(few),
    tier: optional(fc.constantFrom(...TIERS)),
    counts: fc.dictionary(types, few),
    line: few,
    field: optional(letters),
    detector: types,
  })
  .map(({ path, modified, ...rest }) => ({
    ...rest,
    ...pathFields(path),
    modified: modified && new Date(Date.parse(modified[0]) + modified[1]),
    outcome: 'scanned',
  }));

const ORDERS: Record<string, (a: number, b: number) => boolean> = {
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};
const orders = fc.constantFrom(...Object.keys(ORDERS));
const compare = (value: number | null | undefined, order: string, other: number) =>
  value === null || value === undefined ? order === '!=' : ORDERS[order]!(value, other);
const sumOf = (record: FilterRecord) => Object.values(record.counts).reduce((a, b) => a + b, 0);
const quote = (text: string) => `"${text}"`;

const leaves: fc.Arbitrary<Case> = fc.oneof(
  fc.tuple(fc.constantFrom('score' as const, 'line' as const), orders, few).map(([name, order, n]) => ({
    text: `${name} ${order} ${n}`,
    expected: (r: FilterRecord) => compare(r[name], order, n),
  })),
  fc
    .tuple(orders, fc.constantFrom<[string, number]>(['1KB', 1000], ['1KiB', 1024], ['1', 1]))
    .map(([order, [text, n]]) => ({
      text: `size${order}${text}`,
      expected: (r: FilterRecord) => compare(r.size, order, n),
    })),
  fc.tuple(orders, fc.constantFrom(...TIERS)).map(([order, tier]) => ({
    text: `tier ${order} ${tier}`,
    expected: (r: FilterRecord) => compare(r.tier && TIERS.indexOf(r.tier), order, TIERS.indexOf(tier)),
  })),
  // A day compared with a day: the time of the record's day is truncated.
  fc.tuple(orders, fc.constantFrom(...days)).map(([order, day]) => ({
    text: `modified ${order} '${day}'`,
    expected: (r: FilterRecord) =>
      compare(r.modified && Math.floor(r.modified.getTime() / DAY), order, Date.parse(day) / DAY),
  })),
  fc.tuple(fc.constantFrom('path' as const, 'field' as const), letters).map(([name, text]) => ({
    text: `${name} contains ${quote(text)}`,
    expected: (r: FilterRecord) => r[name]?.includes(text) ?? false,
  })),
  fc.tuple(fc.boolean(), letters).map(([equal, text]) => ({
    text: `field ${equal ? '=' : '!='} ${quote(text)}`,
    expected: (r: FilterRecord) => (r.field === text) === equal,
  })),
  fc.tuple(fc.boolean(), fc.constantFrom('^a', 'b', 'csv$', '^a/.*csv$')).map(([match, pattern]) => ({
    text: `path ${match ? '~' : '!~'} '${pattern}'`,
    expected: (r: FilterRecord) => new RegExp(pattern).test(r.path) === match,
  })),
  types.map((type) => ({ text: `detector = ${type}`, expected: (r: FilterRecord) => r.detector === type })),
  types.map((type) => ({ text: `has(${type})`, expected: (r: FilterRecord) => (r.counts[type] ?? 0) > 0 })),
  fc.tuple(types, orders, few).map(([type, order, n]) => ({
    text: `count(${type}) ${order} ${n}`,
    expected: (r: FilterRecord) => compare(r.counts[type] ?? 0, order, n),
  })),
  fc.tuple(orders, few).map(([order, n]) => ({
    text: `count() ${order} ${n}`,
    expected: (r: FilterRecord) => compare(sumOf(r), order, n),
  })),
  fc.constantFrom('score' as const, 'modified' as const, 'tier' as const).map((name) => ({
    text: `missing(${name})`,
    expected: (r: FilterRecord) => r[name] === null,
  })),
);

const { cases } = fc.letrec<{ cases: Case }>((tie) => ({
  cases: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaves,
    tie('cases').map(({ text, expected }) => ({
      text: `not (${text})`,
      expected: (r: FilterRecord) => !expected(r),
    })),
    fc.tuple(tie('cases'), tie('cases')).map(([a, b]) => ({
      text: `(${a.text}) AND (${b.text})`,
      expected: (r: FilterRecord) => a.expected(r) && b.expected(r),
    })),
    fc.tuple(leaves, tie('cases')).map(([a, b]) => ({
      text: `${a.text} or (${b.text})`,
      expected: (r: FilterRecord) => a.expected(r) || b.expected(r),
    })),
  ),
}));

describe('evaluation', () => {
  it('agrees with a plain evaluator, also after printing', () => {
    fc.assert(
      fc.property(cases, fc.array(records, { minLength: 1, maxLength: 10 }), ({ text, expected }, all) => {
        const filter = compileFilter(text);
        const again = compileFilter(filter.text);
        for (const record of all) {
          expect(filter.matches(record)).toBe(expected(record));
          expect(again.matches(record)).toBe(expected(record));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
