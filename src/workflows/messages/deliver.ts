/**
 * Delivers what is due: each message becomes a command, and goes with the transaction that writes its effect, so it has it once. Only
 * the holder of a workflow's part delivers to it, in order.
 */
import { messageOf } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { storable } from '../../db/storable.ts';
import type { AnyWorkflow, HeardEvent } from '../define.ts';
import { type Command, handleOnce, type Outcome } from '../handle.ts';
import { nextTime } from './cron.ts';
import {
  type DueMessage,
  dueMessages,
  holdMessages,
  type Mine,
  removeMessages,
  repeatTimer,
  retryMessage,
} from './message-store.ts';

/** Failures of one message until somebody has to look at it. */
const PARK_AFTER = 5;
const AT_ONCE = 200;

/** How many were due; those that were overtaken by another command are tried again at the next round. */
export function deliverDue(db: Database, workflow: AnyWorkflow, mine: Mine): Promise<number> {
  return db.tx(async (tx) => {
    const due = await dueMessages(tx, workflow.name, mine, AT_ONCE);
    if (due.length === 0) return 0;
    const outcomes = await outcomesOf(tx, workflow, due);
    await settle(tx, due, outcomes);
    return due.length;
  });
}

function outcomesOf(tx: Tx, workflow: AnyWorkflow, due: readonly DueMessage[]): Promise<Outcome[]> {
  return handleOnce(tx, workflow, due.map(commandOf));
}

function commandOf({ tenant, workflowId: id, commandId, kind, body }: DueMessage): Command {
  const address = { tenant, id, commandId };
  if (kind === 'command') return { ...address, command: body };
  const heard: HeardEvent & { at: string | Date } = body;
  return { ...address, command: { type: heard.type }, heard: { ...heard, at: new Date(heard.at) } };
}

async function settle(tx: Tx, due: readonly DueMessage[], outcomes: readonly Outcome[]): Promise<void> {
  const gone: number[] = [];
  const held: number[] = [];
  for (const [n, message] of due.entries()) {
    const outcome = outcomes[n]!;
    if (outcome.outcome === 'overtaken') continue;
    if (outcome.outcome === 'paused') held.push(message.id);
    else if (outcome.outcome === 'failed') await failed(tx, message, outcome.error);
    else if (message.cron !== null && !hasEnded(outcome))
      await repeatTimer(tx, message.id, nextTime(message.cron, message.zone!, message.now));
    else gone.push(message.id);
  }
  if (gone.length > 0) await removeMessages(tx, gone);
  if (held.length > 0) await holdMessages(tx, held);
}

async function failed(tx: Tx, { id, attempts }: DueMessage, error: unknown): Promise<void> {
  const delayMs =
    attempts + 1 < PARK_AFTER ? 100 + backoff(attempts, { firstMs: 200, mostMs: 30_000 }) : null;
  await retryMessage(tx, id, storable(messageOf(error)), delayMs);
}

/** The timers of an ended workflow are removed with it; one that was under way then is not set again. */
function hasEnded(outcome: Outcome): boolean {
  return outcome.outcome === 'rejected' && / is (completed|cancelled)$/.test(outcome.reason);
}
