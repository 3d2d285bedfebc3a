/** Claims some actions, runs one after the other with the production code, and ends them together. */
import { retrying } from '../../../src/base/retry.ts';
import type { Database } from '../../../src/db/database.ts';
import { type Claimed, claimActions, retryActionLater } from '../../../src/workflows/actions/action-store.ts';
import { startEnding } from '../../../src/workflows/actions/end-actions.ts';
import { rulesOf } from '../../../src/workflows/actions/policy.ts';
import { type Outcome, startAction } from '../../../src/workflows/actions/run-action.ts';
import type { AnyWorkflow } from '../../../src/workflows/define.ts';

type Final = Extract<Outcome, { as: 'done' | 'failed' }>;

/** How many it had in hand. */
export async function actOnce(
  db: Database,
  workflow: AnyWorkflow,
  { holder, ttlMs, room }: { holder: string; ttlMs: number; room: number },
): Promise<number> {
  const known = Object.keys(workflow.actions ?? {}).map((name) => ({
    workflow: workflow.name,
    name,
    schema: workflow.version,
  }));
  const claimed = await patiently(() => claimActions(db, { known, holder, ttlMs }, room));
  const ended: { claimed: Claimed; outcome: Final }[] = [];
  for (const one of claimed) {
    const outcome = await startAction(db, rulesOf(workflow.actions![one.name]!), one, ttlMs).outcome;
    if (outcome.as === 'again')
      await patiently(() => retryActionLater(db, one, outcome.error, outcome.delayMs));
    else if (outcome.as === 'done' || outcome.as === 'failed') ended.push({ claimed: one, outcome });
  }
  await endAll(db, ended, workflow.version, ttlMs);
  return claimed.length;
}

async function endAll(
  db: Database,
  ended: readonly { claimed: Claimed; outcome: Final }[],
  schema: number,
  leaseMs: number,
): Promise<void> {
  if (ended.length === 0) return;
  const ending = startEnding(db, { leaseMs, onError: () => {} });
  try {
    await Promise.all(ended.map((one) => new Promise<void>((left) => ending.add({ ...one, schema, left }))));
  } finally {
    await ending.stop();
  }
}

function patiently<T>(work: () => Promise<T>): Promise<T> {
  return retrying(work, { forMs: Number.POSITIVE_INFINITY });
}
