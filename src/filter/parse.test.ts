import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from './parse.ts';
import { printFilter } from './print.ts';
import type { Expression, Value } from './syntax.ts';
import { COMPARATORS } from './tokens.ts';

/** The tree without spans, which printing changes. */
function bare(expression: Expression): unknown {
  return JSON.parse(JSON.stringify(expression, (key, value) => (PLACES.has(key) ? undefined : value)));
}
const PLACES = new Set(['start', 'end', 'sign']);

/** With all optional parentheses, to show the precedence. */
function grouped(text: string): string {
  const show = (e: Expression): string => {
    if (e.kind === 'not') return `[not ${show(e.part)}]`;
    return 'parts' in e ? `[${e.parts.map(show).join(` ${e.kind} `)}]` : printFilter(e);
  };
  return show(parseFilter(text));
}

describe('parseFilter', () => {
  it.each([
    ['a = 1 or b = 2 and c = 3', '[a = 1 or [b = 2 and c = 3]]'],
    ['a = 1 and b = 2 or c = 3', '[[a = 1 and b = 2] or c = 3]'],
    ['(a = 1 or b = 2) and c = 3', '[[a = 1 or b = 2] and c = 3]'],
    ['not a = 1 and b = 2', '[[not a = 1] and b = 2]'],
    ['not (a = 1 and b = 2)', '[not [a = 1 and b = 2]]'],
    ['not not a = 1', '[not [not a = 1]]'],
    ['a = 1 and b = 2 and c = 3', '[a = 1 and b = 2 and c = 3]'],
    ['a = 1 AND NOT has(X) Or b CONTAINS "y"', "[[a = 1 and [not has(X)]] or b contains 'y']"],
    ['((a=1))', 'a = 1'],
  ])('%s means %s', (text, meaning) => {
    expect(grouped(text)).toBe(meaning);
  });

  it('needs no spaces around signs', () => {
    expect(bare(parseFilter('size>=10KB and(has(SSN))'))).toEqual(
      bare(parseFilter('size >= 10KB and has(SSN)')),
    );
  });

  it('keeps backslashes as they are, and takes two quotes for one', () => {
    expect(valueIn(String.raw`path ~ '^it''s\.x$'`)).toMatchObject({ text: String.raw`^it's\.x$` });
    expect(valueIn('path = "say ""no"" \'now\'"')).toMatchObject({ text: `say "no" 'now'` });
  });

  it('keeps the span of each part', () => {
    const text = 'tier = HIGH and count( SSN ) >= 5';
    const { parts } = parseFilter(text) as Extract<Expression, { kind: 'and' }>;
    const at = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
    const second = parts[1] as Extract<Expression, { kind: 'compare' }>;
    expect([at(parts[0]!), at(second.left), at(second.sign), at(second.right)]).toEqual([
      'tier = HIGH',
      'count( SSN )',
      '>=',
      '5',
    ]);
  });

  it('takes a chain of hundreds', () => {
    expect(parseFilter(Array(900).fill('a = 1').join(' or '))).toMatchObject({
      kind: 'or',
      parts: { length: 900 },
    });
  });

  it('returns the same tree when a printed tree is parsed again', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        expect(bare(parseFilter(printFilter(expression)))).toEqual(bare(expression));
      }),
      { numRuns: 500 },
    );
  });
});

function valueIn(text: string): Value | null {
  const expression = parseFilter(text);
  return expression.kind === 'compare' ? expression.right : null;
}

const span = { start: 0, end: 0 };
const words = fc
  .stringMatching(/^[A-Za-z_]\w{0,8}$/)
  .filter((word) => !['and', 'or', 'not', 'contains'].includes(word.toLowerCase()));
const texts = fc.string({ unit: 'grapheme', maxLength: 12 });
const field = words.map((name) => ({ kind: 'field' as const, name, ...span }));
const argument = fc.oneof(words, texts).map((name) => ({ name, ...span }));
const call = fc.record({ name: words, argument: fc.option(argument) }).map((made) => ({
  kind: 'call' as const,
  ...made,
  ...span,
}));
const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
);
const values: fc.Arbitrary<Value> = fc.oneof(
  texts.map((text) => ({ kind: 'string' as const, text, ...span })),
  words.map((text) => ({ kind: 'word' as const, text, ...span })),
  fc
    .tuple(numbers, fc.constantFrom('', 'KB', 'MiB', 'x'))
    .map(([value, unit]) => ({ kind: 'number' as const, value, unit, ...span })),
);
const comparisons = fc
  .tuple(fc.oneof(field, call), fc.constantFrom(...COMPARATORS, 'contains' as const), values)
  .map(([left, comparator, right]) => ({
    kind: 'compare' as const,
    left,
    comparator,
    sign: span,
    right,
    ...span,
  }));

const { expressions } = fc.letrec<{ expressions: Expression }>((tie) => ({
  expressions: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    comparisons,
    call,
    tie('expressions').map((part) => ({ kind: 'not' as const, part, ...span })),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('expressions'), { minLength: 2, maxLength: 4 }),
      )
      .map(([kind, parts]) => ({ kind, parts, ...span })),
  ),
}));
