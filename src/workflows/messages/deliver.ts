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
import { countDelivered, startCommands } from '../telemetry/spans.ts';
import type { Typed } from '../typed.ts';
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
import { noteRejections, type Rejected } from './rejection-store.ts';

/** Failures of one message until somebody has to look at it. */
const PARK_AFTER = 5;
const AT_ONCE = 200;
/** An event that its subscriber does not care about: that is no rejection. */
const NOT_WANTED: Outcome = { outcome: 'rejected', reason: 'not wanted' };

/** How many were due; those that were overtaken by another command are tried again at the next round. */
export function deliverDue(db: Database, workflow: AnyWorkflow, mine: Mine): Promise<number> {
  return db.tx(async (tx) => {
    const due = await dueMessages(tx, workflow.name, mine, AT_ONCE);
    if (due.length === 0) return 0;
    const outcomes = await outcomesOf(tx, workflow, due);
    await settle(tx, workflow.name, due, outcomes);
    return due.length;
  });
}

async function outcomesOf(tx: Tx, workflow: AnyWorkflow, due: readonly DueMessage[]): Promise<Outcome[]> {
  const outcomes = due.map((): Outcome => NOT_WANTED);
  const commands: Command[] = [];
  const numbers: number[] = [];
  for (const [n, message] of due.entries()) {
    const command = commandOf(workflow, message);
    if (command instanceof Error) outcomes[n] = { outcome: 'failed', error: command };
    else if (command) {
      const { tenant, workflowId: id, commandId, trace } = message;
      commands.push({ tenant, id, command, commandId, trace });
      numbers.push(n);
    }
  }
  const { traced, end, failed } = startCommands(workflow.name, commands, 'delivered');
  const handling = commands.length > 0 ? handleOnce(tx, workflow, traced) : Promise.resolve([]);
  handling.then(end, failed);
  const handled = await handling;
  countDelivered(workflow.name, handled);
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

async function settle(
  tx: Tx,
  workflow: string,
  due: readonly DueMessage[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const gone: number[] = [];
  const rejected: Rejected[] = [];
  const held: number[] = [];
  for (const [n, message] of due.entries()) {
    const outcome = outcomes[n]!;
    if (outcome.outcome === 'overtaken') continue;
    if (outcome.outcome === 'rejected' && outcome !== NOT_WANTED)
      rejected.push(rejectedOf(workflow, message, outcome.reason));
    if (outcome.outcome === 'paused') held.push(message.id);
    else if (outcome.outcome === 'failed') await failed(tx, message, outcome.error);
    else if (message.cron !== null && !hasEnded(outcome))
      await repeatTimer(tx, message.id, nextTime(message.cron, message.zone!, message.now));
    else gone.push(message.id);
  }
  if (gone.length > 0) await removeMessages(tx, gone);
  if (held.length > 0) await holdMessages(tx, held);
  if (rejected.length > 0) await noteRejections(tx, rejected);
}

function rejectedOf(workflow: string, message: DueMessage, reason: string): Rejected {
  const { tenant, workflowId: id, kind, timer } = message;
  const { type } = message.body as { type?: unknown };
  return { tenant, workflow, id, kind, type: typeof type === 'string' ? type : null, timer, reason };
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
