import { expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import type { Difference, FindingLocation } from '../../scans/comparing/difference.ts';
import { causesOf } from '../../scans/comparing/totals.ts';
import { changeOf, differenceJson, differenceLine, summaryText } from './differences.ts';
import { HOSTILE, stream } from './sample-report.ts';
import { PLAIN_STYLE } from './terminal-style.ts';

const place = (key: string, line: number | null = 1): FindingLocation => ({
  key: keyOf(key),
  part: null,
  line,
  handle: '2-7-0',
});
const difference: Difference = {
  change: 'new',
  cause: 'rules',
  detector: 'EMAIL',
  fingerprint: 'aa',
  masked: 'a•••',
  confidence: Math.fround(0.95),
  count: 1,
  before: null,
  after: place('a.txt'),
};
const summary = { types: [{ detector: 'EMAIL', new: 1_200, gone: 0, moved: 1, unchanged: 5 }], counted: 1 };

it('a difference is a line: what, why, where', () => {
  expect(differenceLine(difference, PLAIN_STYLE)).toMatch(
    /^\+ new +rules +EMAIL +a\.txt:1 {2}a••• {2}2-7-0$/,
  );
  const moved = { ...difference, change: 'moved', cause: null, before: place('b.txt', null) } as const;
  expect(differenceLine(moved, PLAIN_STYLE)).toMatch(/^> moved +EMAIL +b\.txt → a\.txt:1 /);
});

it('a difference of counts is marked', () => {
  const counted = { ...difference, fingerprint: null, masked: null, count: 20 };
  expect(differenceLine(counted, PLAIN_STYLE)).toContain('(20 findings, by count)');
});

it('a hostile name stays one line', () => {
  const hostile = { ...difference, after: { ...place('x'), key: HOSTILE, part: 'a\nb' } };
  const line = differenceLine(hostile, PLAIN_STYLE);
  expect([line.includes('\n'), line.includes('\x1b')]).toEqual([false, false]);
});

it('the summary names causes, and where counts were compared', async () => {
  const causes = await causesOf(stream([difference, { ...difference, count: 4, cause: 'data' as const }]));
  expect(causes.new).toEqual({ data: 4, rules: 1, suppressions: 0, 'not read': 0 });
  expect(summaryText(summary, causes)).toBe(
    '  1,200 new, 0 gone, 1 moved, 5 unchanged\n' +
      '  new: 4 because the data changed, 1 because the rules changed\n' +
      '  Only counts were compared for 1 object and type with more findings than are kept.\n',
  );
});

it.each([
  [undefined, false],
  ['new', true],
  ['gone', false],
  ['moved', true],
  ['any', true],
])('--fail-on %s: %s', (failOn, fails) => {
  expect(changeOf(failOn, { new: 2, gone: 0, moved: 1, unchanged: 9 })).toBe(fails);
  expect(changeOf(failOn, { new: 0, gone: 0, moved: 0, unchanged: 9 })).toBe(false);
});

it('as JSON it has keys as they are shown, and confidences as they were given', () => {
  expect(differenceJson(difference)).toMatchObject({
    change: 'new',
    confidence: 0.95,
    before: null,
    after: { key: 'a.txt', line: 1, handle: '2-7-0' },
  });
});
