/**
 * The language of --where over search attributes: compiled to a condition that the database evaluates. Any
 * name is an attribute, and the value that it is compared with determines the type: a number, a quoted
 * text, true or false, or a quoted date.
 *
 * The condition is a jsonpath predicate, a parameter of one static statement. Names and values are JSON
 * strings and numbers in it. Each comparison is an `exists`, so a missing attribute or one of another type
 * makes it false and never unknown: `not` and `!=` are true then.
 */

import { parseFilter } from './parse.ts';
import { type Interval, parseDate } from './parse-values.ts';
import type { Call, Comparison, Expression, NamedNode, Value } from './syntax.ts';
import { syntaxErrorAt } from './syntax-error.ts';

export interface AttributeFilter {
  readonly jsonpath: string;
  /** The attributes that it refers to, in order, with their spans in the text. */
  readonly names: readonly NamedNode[];
}

export function compileAttributeFilter(text: string): AttributeFilter {
  const names: NamedNode[] = [];
  const jsonpath = predicate(text, parseFilter(text), names);
  return { jsonpath, names };
}

function predicate(text: string, expression: Expression, names: NamedNode[]): string {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const sign = expression.kind === 'and' ? ' && ' : ' || ';
      return `(${expression.parts.map((part) => predicate(text, part, names)).join(sign)})`;
    }
    case 'not':
      return `!(${predicate(text, expression.part, names)})`;
    case 'call':
      return missing(text, expression, names);
    case 'compare':
      return comparison(text, expression, names);
  }
}

function missing(text: string, call: Call, names: NamedNode[]): string {
  if (call.name.toLowerCase() !== 'missing' || call.argument === null)
    throw syntaxErrorAt(text, call, `no function '${call.name}' for attributes`, 'use missing(NAME)');
  names.push(call.argument);
  return `!(exists(${pathTo(call.argument)}))`;
}

function comparison(text: string, { left, comparator, sign, right }: Comparison, names: NamedNode[]): string {
  if (left.kind === 'call')
    throw syntaxErrorAt(
      text,
      left,
      `${left.name}() can't be compared`,
      'compare an attribute, such as amount > 1000',
    );
  names.push(left);
  const holds = (condition: string) => `exists(${pathTo(left)} ? (${condition}))`;
  if (comparator === '~' || comparator === '!~')
    throw syntaxErrorAt(text, sign, `attributes have no '${comparator}'`, 'use = != contains, or < <= > >=');
  if (comparator === 'contains') {
    if (right.kind !== 'string')
      throw syntaxErrorAt(text, right, 'contains needs a text in quotes', "such as 'paid'");
    return holds(`@ like_regex ${textOf(text, right)} flag "iq"`);
  }
  if (comparator === '!=') return `!(${holds(equal(text, right))})`;
  if (comparator === '=') return holds(equal(text, right));
  return holds(ordered(text, comparator, right));
}

function pathTo({ name }: NamedNode): string {
  return `$.${JSON.stringify(name)}`;
}

function equal(text: string, value: Value): string {
  if (value.kind === 'number') return `@ == ${numberOf(text, value)}`;
  if (value.kind === 'word') return `@ == ${booleanOf(text, value)}`;
  const date = parseDate(value.text);
  const same = `@ == ${textOf(text, value)}`;
  return date ? `${same} || (${IS_DATE} && @ >= ${bound(date.from)} && @ < ${bound(date.until)})` : same;
}

function ordered(text: string, order: '<' | '<=' | '>' | '>=', value: Value): string {
  if (value.kind === 'number') return `@ ${order} ${numberOf(text, value)}`;
  const date: Interval | null = value.kind === 'string' ? parseDate(value.text) : null;
  if (date === null)
    throw syntaxErrorAt(
      text,
      value,
      `'${order}' needs a number or a date`,
      "such as 1000, or '2025-01-31' in quotes",
    );
  if (order === '<' || order === '>=') return `${IS_DATE} && @ ${order} ${bound(date.from)}`;
  return `${IS_DATE} && @ ${order === '>' ? '>=' : '<'} ${bound(date.until)}`;
}

/** Dates are stored as ISO text in UTC. Any other text has another type than a date. */
const IS_DATE = '@ like_regex "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?Z?)?$"';
const YEAR_10000 = Date.UTC(10_000, 0);
/** Sorts after all dates: years of five digits are written with a sign, which sorts before every digit, as it must before the year 0. */
const AFTER_ALL = '"~"';

/** The shortest text of an instant sorts before all longer ones, so a stored day counts as well. */
function bound(ms: number): string {
  if (ms >= YEAR_10000) return AFTER_ALL;
  const iso = new Date(ms).toISOString();
  return JSON.stringify(
    iso
      .replace(/\.000Z$/, '')
      .replace(/:00$/, '')
      .replace(/T00:00$/, ''),
  );
}

function numberOf(text: string, value: Extract<Value, { kind: 'number' }>): string {
  if (value.unit === '') return JSON.stringify(value.value);
  throw syntaxErrorAt(text, value, 'attributes are plain numbers, without a unit', `such as ${value.value}`);
}

function booleanOf(text: string, value: Extract<Value, { kind: 'word' }>): string {
  const word = value.text.toLowerCase();
  if (word === 'true' || word === 'false') return word;
  throw syntaxErrorAt(
    text,
    value,
    `${value.text} is not in quotes`,
    `write '${value.text}', or true or false`,
  );
}

function textOf(text: string, value: Extract<Value, { kind: 'string' }>): string {
  if (!value.text.includes('\0') && value.text.isWellFormed()) return JSON.stringify(value.text);
  throw syntaxErrorAt(text, value, 'no attribute holds such a character', 'leave it out');
}
