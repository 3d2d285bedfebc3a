import { didYouMean } from '../base/nearest.ts';
import { isTier, TIERS } from '../governance/tier.ts';
import type { Condition, Order } from './condition.ts';
import { type FieldType, type FilterField, OUTCOMES } from './fields.ts';
import { type NameResolver, usageOf } from './name-resolver.ts';
import { parseDate, parseSize, SIZE_UNITS } from './parse-values.ts';
import { compilePattern } from './pattern.ts';
import type { Call, Comparator, Comparison, Value } from './syntax.ts';

const ORDERS: readonly Comparator[] = ['=', '!=', '>', '<', '>=', '<='] satisfies Order[];
const TEXT_COMPARATORS: readonly Comparator[] = ['=', '!=', '~', '!~', 'contains'];

/** The names of the types in messages. */
const TYPE_NAMES: Readonly<Record<FieldType, string>> = {
  text: 'a text',
  name: 'a name',
  number: 'a number',
  size: 'a size',
  date: 'a date',
  tier: 'a tier',
};

export function checkComparison(comparison: Comparison, names: NameResolver): Condition {
  const { left, right } = comparison;
  if (left.kind === 'call') {
    const detector = countTarget(names, left);
    const order = orderOf(names, comparison, 'count()', 'number');
    return { kind: 'number', of: { detector }, order, value: numberOf(names, right, 'count()', 'number') };
  }
  const field = names.resolveField(left);
  const { name, type } = field;
  if (type === 'text' || type === 'name') return textCondition(names, comparison, field);
  const order = orderOf(names, comparison, name, type);
  if (type === 'tier') return { kind: 'tier', order, value: tierOf(names, right) };
  if (type === 'date') return { kind: 'date', field: name, order, value: dateOf(names, right, name) };
  return { kind: 'number', of: name, order, value: numberOf(names, right, name, type) };
}

/** Null: without an argument, count() counts everything. */
function countTarget(names: NameResolver, call: Call): string | null {
  const name = names.resolveFunction(call);
  if (name === 'count') return call.argument && names.resolveDetector(call.argument);
  return names.fail(call, `${name}() is true or false and is not compared`, `write ${usageOf(name)} alone`);
}

function orderOf(
  names: NameResolver,
  { comparator, sign }: Comparison,
  name: string,
  type: FieldType,
): Order {
  const order = isOrder(comparator) ? comparator : undefined;
  return (
    order ??
    names.fail(sign, `${name} is ${TYPE_NAMES[type]} and has no '${comparator}'`, `use ${ORDERS.join(' ')}`)
  );
}

function isOrder(comparator: Comparator): comparator is Order {
  return ORDERS.includes(comparator);
}

function textCondition(names: NameResolver, comparison: Comparison, field: FilterField): Condition {
  const { comparator, sign, right } = comparison;
  const { name, type } = field;
  if (!TEXT_COMPARATORS.includes(comparator)) {
    const hint = `use ${TEXT_COMPARATORS.join(' ')}`;
    return names.fail(sign, `${name} is ${TYPE_NAMES[type]} and has no '${comparator}'`, hint);
  }
  const text = textOf(names, right, field);
  if (comparator === 'contains') return { kind: 'contains', field: name, value: text };
  const positive: Condition =
    comparator === '~' || comparator === '!~'
      ? { kind: 'matches', field: name, pattern: patternOf(names, right, text) }
      : { kind: 'equals', field: name, value: nameOf(names, right, text, field), anyCase: type === 'name' };
  return comparator.startsWith('!') ? { kind: 'not', part: positive } : positive;
}

function textOf(names: NameResolver, value: Value, { name, type }: FilterField): string {
  if (value.kind === 'string') return value.text;
  if (value.kind === 'word' && type === 'name') return value.text;
  const written = value.kind === 'word' ? value.text : `${value.value}${value.unit}`;
  const message = `${name} is ${TYPE_NAMES[type]}, and ${written} is ${value.kind === 'word' ? 'not in quotes' : 'a number'}`;
  return names.fail(value, message, `write '${written}'`);
}

/** A name must be in its vocabulary: a misspelt one would silently match nothing. */
function nameOf(names: NameResolver, value: Value, text: string, { name }: FilterField): string {
  if (name === 'detector') return names.resolveDetector({ ...value, name: text });
  if (name === 'extension') return text.replace(/^\./, '');
  if (name === 'outcome' && !OUTCOMES.includes(text.toLowerCase())) {
    const hint = didYouMean(text, OUTCOMES, `the outcomes are ${OUTCOMES.join(', ')}`);
    return names.fail(value, `unknown outcome '${text}'`, hint);
  }
  return text;
}

function patternOf(names: NameResolver, value: Value, text: string): RegExp {
  const pattern = compilePattern(text);
  if (pattern instanceof RegExp) return pattern;
  // After the opening quote; doubled quotes before it only move the caret a little.
  const start = Math.min(value.start + 1 + pattern.at, value.end - 1);
  return names.fail({ start, end: start + 1 }, pattern.message, pattern.hint);
}

function numberOf(names: NameResolver, value: Value, name: string, type: 'number' | 'size'): number {
  if (value.kind !== 'number')
    return names.fail(value, `${name} is ${TYPE_NAMES[type]}, not a text`, `such as ${name} > 10`);
  if (type === 'number' && value.unit !== '') {
    return names.fail(value, `${name} is a plain number, without a unit`, `such as ${name} > ${value.value}`);
  }
  const units = `the units are ${SIZE_UNITS.join(', ')}`;
  return parseSize(value.value, value.unit) ?? names.fail(value, `unknown unit '${value.unit}'`, units);
}

function tierOf(names: NameResolver, value: Value) {
  const text = value.kind === 'number' ? '' : value.text.toUpperCase();
  if (isTier(text)) return text;
  const hint = didYouMean(text, TIERS, `the tiers are ${TIERS.join(' < ')}`);
  return names.fail(
    value,
    value.kind === 'number' ? 'a tier is not a number' : `unknown tier '${value.text}'`,
    hint,
  );
}

function dateOf(names: NameResolver, value: Value, name: string) {
  const hint = `such as ${name} >= '2025-01-31', in quotes`;
  const date = value.kind === 'string' ? parseDate(value.text) : null;
  return date ?? names.fail(value, 'this is not a date', hint);
}
