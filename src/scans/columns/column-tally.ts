/** Counts per column of an object. They can be added, so that a huge object may be read by segments. */
import type { ColumnClassification } from '../../detection/columns.ts';

export interface MatchTally {
  /** Sampled values that the detector matches. */
  readonly cells: number;
  /** All its matches, and the sum of their confidence in hundredths. */
  readonly count: number;
  readonly sum: number;
  /** By confidence in hundredths: how many cover their whole value. */
  readonly alone: Readonly<Record<string, number>>;
}

export interface ColumnTally {
  readonly values: number;
  /** The matches, by detector. */
  readonly claims: Readonly<Record<string, MatchTally>>;
}

/** By column name. */
export type ColumnTallies = Readonly<Record<string, ColumnTally>>;

export interface ClassifiedColumn extends ColumnClassification {
  readonly column: string;
  /** The number of sampled values. */
  readonly values: number;
}

/** Qualified by part, because an archive or a mail may contain several tables. */
export function qualifiedColumnName(part: string | null, column: string): string {
  return part === null ? column : `${part}: ${column}`;
}

export function unqualifiedColumnName(column: string): string {
  return column.slice(column.lastIndexOf(': ') + 1).trimStart();
}

/** Adds the counts of two windows of an object. */
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

/**
 * Uses a Map, because names come from the data: as property names they could collide with those of the
 * prototype.
 */
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
