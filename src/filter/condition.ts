/** Checked conditions of a filter: each kind reads one field of a record and compares it with one value. */
import { type Tier, tierRank } from '../governance/tier.ts';
import type { FieldName } from './fields.ts';
import type { Interval } from './parse-values.ts';
import type { FilterRecord } from './record.ts';

export type Order = '=' | '!=' | '>' | '<' | '>=' | '<=';

/** Findings of one detector, or of all together. */
export interface DetectorCount {
  readonly detector: string | null;
}

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'missing'; readonly field: FieldName }
  | {
      readonly kind: 'number';
      readonly of: FieldName | DetectorCount;
      readonly order: Order;
      readonly value: number;
    }
  | { readonly kind: 'tier'; readonly order: Order; readonly value: Tier }
  | { readonly kind: 'date'; readonly field: FieldName; readonly order: Order; readonly value: Interval }
  | { readonly kind: 'equals'; readonly field: FieldName; readonly value: string; readonly anyCase: boolean }
  | { readonly kind: 'contains'; readonly field: FieldName; readonly value: string }
  | { readonly kind: 'matches'; readonly field: FieldName; readonly pattern: RegExp };

/**
 * A missing value equals nothing, matches nothing and is neither less nor more: only `!=`, `!~` and `not`
 * are true.
 */
export function evaluateCondition(condition: Condition, record: FilterRecord): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => evaluateCondition(part, record));
    case 'or':
      return condition.parts.some((part) => evaluateCondition(part, record));
    case 'not':
      return !evaluateCondition(condition.part, record);
    case 'missing':
      return (record[condition.field] ?? '') === '';
    case 'number':
      return compareToRange(
        numberIn(record, condition.of),
        condition.order,
        condition.value,
        condition.value,
      );
    case 'tier': {
      const rank = tierRank(condition.value);
      return compareToRange(record.tier === null ? null : tierRank(record.tier), condition.order, rank, rank);
    }
    case 'date': {
      // Dates are whole milliseconds, so the last one inside is equivalent to an open end.
      const { from, until } = condition.value;
      return compareToRange(timeIn(record, condition.field), condition.order, from, until - 1);
    }
    case 'equals':
      return equals(textIn(record, condition.field), condition.value, condition.anyCase);
    case 'contains':
      return textIn(record, condition.field)?.toLowerCase().includes(condition.value.toLowerCase()) ?? false;
    case 'matches': {
      const text = textIn(record, condition.field);
      return text !== null && condition.pattern.test(text);
    }
  }
}

/** Compares with the values from `first` to `last`, which differ only for a day. */
function compareToRange(value: number | null, order: Order, first: number, last: number): boolean {
  if (value === null) return order === '!=';
  switch (order) {
    case '=':
      return value >= first && value <= last;
    case '!=':
      return value < first || value > last;
    case '>':
      return value > last;
    case '>=':
      return value >= first;
    case '<':
      return value < first;
    case '<=':
      return value <= last;
  }
}

function equals(text: string | null, value: string, anyCase: boolean): boolean {
  if (text === null || !anyCase) return text === value;
  return text.toLowerCase() === value.toLowerCase();
}

function numberIn(record: FilterRecord, of: FieldName | DetectorCount): number | null {
  if (typeof of === 'object') return countIn(record, of);
  const value = record[of];
  return typeof value === 'number' ? value : null;
}

function countIn({ counts }: FilterRecord, { detector }: DetectorCount): number {
  if (detector !== null) return counts[detector] ?? 0;
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function timeIn(record: FilterRecord, field: FieldName): number | null {
  const value = record[field];
  return value instanceof Date ? value.getTime() : null;
}

function textIn(record: FilterRecord, field: FieldName): string | null {
  const value = record[field];
  return typeof value === 'string' ? value : null;
}
