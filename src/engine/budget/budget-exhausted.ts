import { SeineError } from '../../base/errors.ts';
import type { Budget, BudgetState, LimitName } from './budget.ts';
import { formatBudget } from './parse-budget.ts';
import { formatBytes, formatCost, formatDuration } from './quantities.ts';

/**
 * Distinguished from other `limit` errors (such as a full disk): the scan pauses and handles it, so callers
 * need no action.
 */
export class BudgetExhausted extends SeineError {}

/** The error that `admit` rejects with: the limit that was met, the usage, and how to continue. */
export function budgetExhaustedError(groupId: number, state: BudgetState, limit: LimitName): BudgetExhausted {
  const { limits, used } = state;
  const figures: Record<LimitName, string> = {
    requests: `${used.requests.toLocaleString('en-US')} requests`,
    bytes: formatBytes(used.bytes),
    cost: formatCost(used.cost, limits.currency),
    time: formatDuration(used.seconds),
  };
  const others = Object.entries(figures).filter(([name]) => name !== limit);
  return new BudgetExhausted(
    'limit',
    `The budget is spent: ${figures[limit]} of ${formatBudget(only(limits, limit))} ` +
      `(with ${others.map(([, figure]) => figure).join(', ')}).`,
    {
      hint: `Resume with a larger one, such as: seine resume ${groupId} --budget "${formatBudget(only(doubled(limits), limit))}"`,
      retry: false,
    },
  );
}

function only({ requests, bytes, cost, seconds, currency = '$' }: Budget, limit: LimitName): Budget {
  if (limit === 'requests') return { requests: requests ?? 0 };
  if (limit === 'bytes') return { bytes: bytes ?? 0 };
  if (limit === 'time') return { seconds: seconds ?? 0 };
  return { cost: cost ?? 0, currency };
}

function doubled(limits: Budget): Budget {
  const { requests = 0, bytes = 0, cost = 0, seconds = 0, currency = '$' } = limits;
  return { requests: 2 * requests, bytes: 2 * bytes, cost: 2 * cost, seconds: 2 * seconds, currency };
}
