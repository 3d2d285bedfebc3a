import { SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';
import type { Budget, BudgetState, LimitName } from './budget.ts';
import { readBudget, setBudget } from './budget-store.ts';
import { formatBudget } from './parse-budget.ts';

/** New values for some limits; the others stay. Throws a usage error when one of them is used up already. */
export async function raiseBudget(tx: Tx, work: number, budget: Budget): Promise<BudgetState> {
  const before = await readBudget(tx, work);
  const limits = { ...before?.limits, ...budget };
  if (before) checkLimitsAboveUsage(before, limits);
  await setBudget(tx, work, limits);
  return (await readBudget(tx, work))!;
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
      hint: `Give ${nameOf(met)} a larger limit.`,
    },
  );
}

function nameOf(name: keyof BudgetState['used']): LimitName {
  return name === 'seconds' ? 'time' : name;
}
