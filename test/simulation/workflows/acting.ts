/** Claims some actions, runs one after the other with the production code, and ends them together. */
import { withRetry } from '../../../src/base/retry.ts';
import type { Database } from '../../../src/db/database.ts';
import { releaseActionWithBackoff } from '../../../src/workflows/actions/action-store.ts';
import { type ClaimedAction, markRunningAlone } from '../../../src/workflows/actions/claim-store.ts';
import { ActionClaimer } from '../../../src/workflows/actions/claimer.ts';
import { startCompletionWriter } from '../../../src/workflows/actions/end-actions.ts';
import { resolvePolicy } from '../../../src/workflows/actions/policy.ts';
import { type ActionResult, startAction } from '../../../src/workflows/actions/run-action.ts';
import { StepSemaphore } from '../../../src/workflows/actions/transaction-step.ts';
import type { AnyWorkflow } from '../../../src/workflows/define.ts';

type Final = Extract<ActionResult, { as: 'done' | 'failed' }>;

/** How many it had in hand. */
export async function actOnce(
  db: Database,
  workflow: AnyWorkflow,
  { holder, ttlMs, room }: { holder: string; ttlMs: number; room: number },
): Promise<number> {
  const known = Object.entries(workflow.actions ?? {}).map(([name, action]) => {
    return { workflow: workflow.name, name, schema: workflow.version, rules: resolvePolicy(action) };
  });
  const failed = (error: unknown) => {
    throw error; // tried again by `patiently`
  };
  const claimer = new ActionClaimer(db, known, { holder, leaseMs: ttlMs, pollMs: 0, failed });
  const claimed = await claimSome(db, claimer, room);
  const options = { leaseMs: ttlMs, schema: workflow.version, steps: new StepSemaphore(1) };
  const ended: { claimed: ClaimedAction; outcome: Final }[] = [];
  for (const one of claimed) {
    const outcome = await startAction(db, resolvePolicy(workflow.actions![one.name]!), one, options).outcome;
    if (outcome.as === 'again')
      await retryThroughOutage(() => releaseActionWithBackoff(db, one, outcome.error, outcome.delayMs));
    else if (outcome.as === 'done' || outcome.as === 'failed') ended.push({ claimed: one, outcome });
  }
  await endAll(db, ended, workflow.version, ttlMs);
  return claimed.length;
}

/** One after the other they are each alone; a suspect comes when there is nothing else. */
async function claimSome(db: Database, claimer: ActionClaimer, room: number): Promise<ClaimedAction[]> {
  await retryThroughOutage(() => claimer.recover([], room));
  const { claimed } = await retryThroughOutage(() => claimer.claim(room));
  if (claimed.length > 0) return claimed;
  const suspect = await retryThroughOutage(() => claimer.claimSuspect());
  return suspect && (await retryThroughOutage(() => markRunningAlone(db, suspect))) ? [suspect] : [];
}

async function endAll(
  db: Database,
  ended: readonly { claimed: ClaimedAction; outcome: Final }[],
  schema: number,
  leaseMs: number,
): Promise<void> {
  if (ended.length === 0) return;
  const ending = startCompletionWriter(db, { leaseMs, onError: () => {} });
  try {
    await Promise.all(ended.map((one) => new Promise<void>((left) => ending.add({ ...one, schema, left }))));
  } finally {
    await ending.stop();
  }
}

function retryThroughOutage<T>(work: () => Promise<T>): Promise<T> {
  return withRetry(work, { forMs: Number.POSITIVE_INFINITY });
}
