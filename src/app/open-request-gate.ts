import type { App } from '../app.ts';
import { messageOf } from '../base/errors.ts';
import { settingsFor } from '../config/source-config.ts';
import type { BudgetState } from '../engine/budget/budget.ts';
import { budgetExhaustedError } from '../engine/budget/budget-exhausted.ts';
import { openLocalBudget } from '../engine/budget/local-budget.ts';
import { createRequestGate } from '../engine/budget/request-gate.ts';
import { quotaOfLeaseGroup } from '../engine/leases/lease-group-store.ts';
import type { Limiter } from '../engine/limits/limiter.ts';
import { createRate } from '../engine/limits/rates.ts';
import type { ScanRow } from '../scans/lifecycle/scan-store.ts';
import type { OpenedGate } from '../scans/shard/deferred-gate.ts';

/**
 * Opens the request gate for a source of this scan in this process: rate limit and budget. `own` is the quota of this process's
 * credential; undefined means no limit. Workers may have different credentials, so all of them use the quota the scan was started with.
 */
export async function openRequestGate(
  { db, config }: Pick<App, 'db' | 'config'>,
  limiter: Limiter,
  scan: ScanRow,
  own: string | undefined,
  onBudgetExhausted: (why: string) => void,
): Promise<OpenedGate> {
  const entry = settingsFor(config, scan.source);
  const onExhausted = (state: BudgetState) =>
    onBudgetExhausted(messageOf(budgetExhaustedError(scan.id, state, state.exhaustedLimit!)));
  const quota = own === undefined ? undefined : ((await quotaOfLeaseGroup(db, scan.id)) ?? own);
  const budget = await openLocalBudget(db, scan.id, { onExhausted });
  const gate = createRequestGate({
    limiter,
    budget,
    quota,
    rate: entry?.rate ? createRate(entry.rate, entry.burst) : null,
    prices: entry?.prices ?? null,
  });
  return { gate, budgeted: budget !== null, close: async () => budget?.close() };
}
