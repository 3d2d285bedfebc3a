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
import type { Typed } from '../typed.ts';
import { NewerVersion } from '../versions/newer-version.ts';
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
    const due = await dueMessages(tx, workflow, mine, AT_ONCE);
    if (due.length === 0) return 0;
    const outcomes = await outcomesOf(tx, workflow, due);
    await settle(tx, due, outcomes);
    return outcomes.filter((outcome) => !isForNewerCode(outcome)).length;
  });
}

async function outcomesOf(tx: Tx, workflow: AnyWorkflow, due: readonly DueMessage[]): Promise<Outcome[]> {
  const outcomes = due.map((): Outcome => ({ outcome: 'rejected', reason: 'not wanted' }));
  const commands: Command[] = [];
  const numbers: number[] = [];
  for (const [n, message] of due.entries()) {
    const command = commandOf(workflow, message);
    if (command instanceof Error) outcomes[n] = { outcome: 'failed', error: command };
    else if (command) {
      const { tenant, workflowId: id, commandId } = message;
      commands.push({ tenant, id, command, commandId });
      numbers.push(n);
    }
  }
  const handled = commands.length > 0 ? await handleOnce(tx, workflow, commands) : [];
  for (const [i, n] of numbers.entries()) outcomes[n] = handled[i]!;
  return outcomes;
}

/** Null: the workflow does not care about the event. */
function commandOf(workflow: AnyWorkflow, { kind, body }: DueMessage): Typed | Error | null {
  if (kind === 'command') return body;
  const heard: HeardEvent & { at: string | Date } = body;
  try {
    return workflow.receive?.({ ...heard, schema: heard.schema ?? 1, at: new Date(heard.at) }) ?? null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function settle(tx: Tx, due: readonly DueMessage[], outcomes: readonly Outcome[]): Promise<void> {
  const gone: number[] = [];
  const held: number[] = [];
  for (const [n, message] of due.entries()) {
    const outcome = outcomes[n]!;
    if (outcome.outcome === 'overtaken' || isForNewerCode(outcome)) continue;
    if (outcome.outcome === 'paused') held.push(message.id);
    else if (outcome.outcome === 'failed') await failed(tx, message, outcome.error);
    else if (message.cron !== null && !hasEnded(outcome))
      await repeatTimer(tx, message.id, nextTime(message.cron, message.zone!, message.now));
    else gone.push(message.id);
  }
  if (gone.length > 0) await removeMessages(tx, gone);
  if (held.length > 0) await holdMessages(tx, held);
}

/** Newer code wrote to the workflow a moment ago: its message stays as it is. */
function isForNewerCode(outcome: Outcome): boolean {
  return outcome.outcome === 'failed' && outcome.error instanceof NewerVersion;
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
