/** What was seen of the columns of an object: counts that can be added, so that a huge object may be read by parts. */
import type { ColumnClassification } from '../../detection/columns.ts';

export interface MatchTally {
  /** Values that the detector claims, of those that are counted. */
  readonly cells: number;
  /** All its claims, and the sum of their hundredths of confidence. */
  readonly count: number;
  readonly sum: number;
  /** By hundredths: how many are all of their value. */
  readonly alone: Readonly<Record<string, number>>;
}

export interface ColumnTally {
  readonly values: number;
  /** By detector. */
  readonly claims: Readonly<Record<string, MatchTally>>;
}

/** By the column's name. */
export type ColumnTallies = Readonly<Record<string, ColumnTally>>;

export interface ClassifiedColumn extends ColumnClassification {
  readonly column: string;
  /** That were counted. */
  readonly values: number;
}

/** An archive or a mail may hold several tables. */
export function qualifiedColumnName(part: string | null, column: string): string {
  return part === null ? column : `${part}: ${column}`;
}

export function unqualifiedColumnName(column: string): string {
  return column.slice(column.lastIndexOf(': ') + 1).trimStart();
}

/** Of two stretches of an object. */
export function mergeColumns(
  left: ColumnTallies | undefined,
  right: ColumnTallies | undefined,
): ColumnTallies | undefined {
  if (!left || !right) return left ?? right;
  return merged(left, right, (a, b) => ({
    values: a.values + b.values,
    claims: merged(a.claims, b.claims, mergeMatches),
  }));
}

function mergeMatches(a: MatchTally, b: MatchTally): MatchTally {
  return {
    cells: a.cells + b.cells,
    count: a.count + b.count,
    sum: a.sum + b.sum,
    alone: merged(a.alone, b.alone, (x, y) => x + y),
  };
}

/** Names come from the data, so they are no properties until the end. */
function merged<T>(
  left: Readonly<Record<string, T>>,
  right: Readonly<Record<string, T>>,
  add: (a: T, b: T) => T,
): Record<string, T> {
  const sums = new Map(Object.entries(left));
  for (const [name, value] of Object.entries(right)) {
    const before = sums.get(name);
    sums.set(name, before === undefined ? value : add(before, value));
  }
  return Object.fromEntries(sums);
}
