import type { BudgetState } from '../../engine/budget/budget.ts';
import type { BudgetUsage } from './snapshot.ts';

/** The usage per limit of a budget; unlimited quantities are omitted. */
export function budgetUsageOf(state: BudgetState | null): BudgetUsage[] | null {
  if (state === null) return null;
  const { limits, used, exhaustedLimit } = state;
  const lines = [
    { what: 'requests', spent: used.requests, limit: limits.requests },
    { what: 'bytes', spent: used.bytes, limit: limits.bytes },
    { what: 'cost', spent: used.cost, limit: limits.cost },
    { what: 'time', spent: used.seconds, limit: limits.seconds },
  ] as const;
  return lines.flatMap(({ limit, ...line }) =>
    limit === undefined
      ? []
      : [{ ...line, limit, currency: limits.currency ?? '$', met: exhaustedLimit === line.what }],
  );
}
