import type { App } from '../app.ts';
import { messageOf } from '../base/errors.ts';
import { settingsFor } from '../config/source-config.ts';
import type { BudgetState } from '../engine/budget/budget.ts';
import { createGate } from '../engine/budget/gate.ts';
import { openPurse } from '../engine/budget/purse.ts';
import { spentError } from '../engine/budget/spent.ts';
import { quotaOfWork } from '../engine/leases/work-store.ts';
import type { Limiter } from '../engine/limits/limiter.ts';
import { rateOf } from '../engine/limits/rates.ts';
import type { OpenedGate } from '../scans/late-gate.ts';
import type { ScanRow } from '../scans/scan-store.ts';

/**
 * What stands before a source of this scan in this process. `own` is the quota of this process's credential: it tells whether there
 * is a limit at all. Workers may each have a credential of their own, so all of them count by the quota that the scan began with.
 */
export async function openGate(
  { db, config }: Pick<App, 'db' | 'config'>,
  limiter: Limiter,
  scan: ScanRow,
  own: string | undefined,
  spent: (why: string) => void,
): Promise<OpenedGate> {
  const entry = settingsFor(config, scan.source);
  const onSpent = (state: BudgetState) => spent(messageOf(spentError(scan.id, state, state.spent!)));
  const quota = own === undefined ? undefined : ((await quotaOfWork(db, scan.id)) ?? own);
  const budget = await openPurse(db, scan.id, { onSpent });
  const gate = createGate({
    limiter,
    budget,
    quota,
    rate: entry?.rate ? rateOf(entry.rate, entry.burst) : null,
    prices: entry?.prices ?? null,
  });
  return { gate, budgeted: budget !== null, close: async () => budget?.close() };
}
