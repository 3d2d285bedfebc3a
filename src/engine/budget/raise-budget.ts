import { SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';
import type { Budget, BudgetState, LimitName } from './budget.ts';
import { readBudget, setBudget } from './budget-store.ts';
import { formatBudget } from './parse-budget.ts';

/**
 * Replaces some limits; the others are kept. Throws a usage error if the usage already reached a new limit.
 */
export async function raiseBudget(tx: Tx, groupId: number, budget: Budget): Promise<BudgetState> {
  const before = await readBudget(tx, groupId);
  const limits = { ...before?.limits, ...budget };
  if (before) checkLimitsAboveUsage(before, limits);
  await setBudget(tx, groupId, limits);
  return (await readBudget(tx, groupId))!;
}

function checkLimitsAboveUsage({ used }: BudgetState, limits: Budget): void {
  const met = (Object.keys(used) as (keyof typeof used)[]).find(
    (name) => limits[name] !== undefined && used[name] >= limits[name],
  );
  if (met === undefined) return;
  const { currency = '$' } = limits;
  const sofar = formatBudget({ [met]: used[met], currency });
  throw new SeineError(
    'usage',
    `The budget has no room: ${sofar} was used already, and the limit is ${formatBudget({ [met]: limits[met]!, currency })}.`,
    {
      hint: `Set a larger limit for ${nameOf(met)}.`,
    },
  );
}

function nameOf(name: keyof BudgetState['used']): LimitName {
  return name === 'seconds' ? 'time' : name;
}
