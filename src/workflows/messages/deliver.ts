/**
 * Delivers what is due: each message becomes a command, and goes with the transaction that writes its effect, so it has it once. Only
 * the holder of a workflow's part delivers to it, in order.
 */
import { messageOf } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { storable } from '../../db/storable.ts';
import { settleStarts } from '../children/tend-children.ts';
import type { AnyWorkflow, HeardEvent } from '../define.ts';
import { type Command, handleOnce, type Outcome, type StateSource } from '../handle.ts';
import { load } from '../load.ts';
import type { Typed } from '../typed.ts';
import { lockWorkflowsById } from '../workflow-store.ts';
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

/**
 * How many were due. Those that were overtaken by another command are tried once more with their workflows locked: a workflow that is written to
 * all the time would never take its messages otherwise. What is overtaken then comes with the next round.
 */
export async function deliverDue(db: Database, workflow: AnyWorkflow, mine: Mine): Promise<number> {
  const { due, overtaken } = await deliver(db, workflow, mine, { load });
  if (overtaken > 0) await deliver(db, workflow, mine, LOCKED);
  return due;
}

/** Workflows after messages, as everybody does. */
const LOCKED: StateSource = {
  async load(tx, workflow, wanted) {
    await lockWorkflowsById(tx as Tx, workflow.name, wanted);
    return load(tx, workflow, wanted);
  },
};

function deliver(
  db: Database,
  workflow: AnyWorkflow,
  mine: Mine,
  source: StateSource,
): Promise<{ due: number; overtaken: number }> {
  return db.tx(async (tx) => {
    const due = await dueMessages(tx, workflow.name, mine, AT_ONCE);
    if (due.length === 0) return { due: 0, overtaken: 0 };
    const outcomes = await outcomesOf(tx, workflow, due, source);
    await settle(tx, due, outcomes);
    await settleStarts(tx, due, outcomes);
    const overtaken = outcomes.filter(({ outcome }) => outcome === 'overtaken').length;
    return { due: due.length, overtaken };
  });
}

async function outcomesOf(
  tx: Tx,
  workflow: AnyWorkflow,
  due: readonly DueMessage[],
  source: StateSource,
): Promise<Outcome[]> {
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
  const handled = commands.length > 0 ? await handleOnce(tx, workflow, commands, source) : [];
  for (const [i, n] of numbers.entries()) outcomes[n] = handled[i]!;
  return outcomes;
}

/** Null: the workflow does not care about the event. */
function commandOf(workflow: AnyWorkflow, { kind, body }: DueMessage): Typed | Error | null {
  if (kind === 'command') return body;
  const heard: HeardEvent & { at: string | Date } = body;
  try {
    return workflow.receive?.({ ...heard, at: new Date(heard.at) }) ?? null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
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
