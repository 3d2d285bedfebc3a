/**
 * What an operator does to one workflow. Nobody needs its code for that: the runners find what was written here.
 *
 *   pause    no reactions, no new actions, no deliveries; an action that runs is finished, and its result is an event
 *   resume   the reactions catch up, and what was held back is delivered
 *   cancel   it ends, with its open actions, timers and subscriptions
 *
 * Each is an event of the workflow's story, written in the transaction that does it.
 */
import { SeineError } from '../../base/errors.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { WorkflowRef } from '../../events/event.ts';
import { notifyRunners } from '../../events/event-notifier.ts';
import { appendToOpen } from '../append-to-open.ts';
import { SYSTEM_EVENT_PREFIX } from '../decision.ts';
import {
  endWorkflows,
  type Head,
  lockTimers,
  lockWorkflows,
  readHead,
  type Status,
} from '../workflow-store.ts';
import { lockMessages, releaseMessages, setStatus, wakeReaction } from './control-store.ts';

export interface ControlResult {
  /** False: it was so already. */
  readonly changed: boolean;
  readonly status: Status;
}

export function pauseWorkflow(db: Database, address: WorkflowRef, reason?: string): Promise<ControlResult> {
  return control(db, address, 'paused', async (tx, { key }) => {
    await record(tx, key, 'paused', reason);
    await setStatus(tx, key, 'paused');
  });
}

/** Done again on one that runs, it lets go of what may still be held: an attempt that broke off can be repeated. */
export async function resumeWorkflow(
  db: Database,
  address: WorkflowRef,
  reason?: string,
): Promise<ControlResult> {
  const controlled = await control(db, address, 'running', async (tx, { key }) => {
    await record(tx, key, 'resumed', reason);
    await setStatus(tx, key, 'running');
    await wakeReaction(tx, key);
  });
  await releaseHeldMessages(db, address);
  return controlled;
}

export async function cancelWorkflow(
  db: Database,
  address: WorkflowRef,
  reason?: string,
): Promise<ControlResult> {
  const woken = new Set<string>();
  const controlled = await control(db, address, 'cancelled', async (tx, { key }) => {
    await record(tx, key, 'cancelled', reason);
    await endWorkflows(tx, [key], 'cancelled', { woken });
  });
  await releaseHeldMessages(db, address); // what was held is turned down, and goes
  for (const kind of woken) await notifyRunners(db, kind, 'messages');
  return controlled;
}

/** Locked while it is changed. One that has ended can only be left as it is. */
async function control(
  db: Database,
  address: WorkflowRef,
  status: Status,
  change: (tx: Tx, head: Head) => Promise<void>,
): Promise<ControlResult> {
  return db.tx(async (tx) => {
    const head = await lockedHead(tx, address);
    if (head.status === status) return { changed: false, status };
    if (head.status !== 'running' && head.status !== 'paused') throw hasEnded(head);
    await change(tx, head);
    return { changed: true, status };
  });
}

async function lockedHead(tx: Tx, address: WorkflowRef): Promise<Head> {
  const head = await readHead(tx, address);
  if (!head) throw unknownWorkflow(address);
  await lockTimers(tx, [head.key]);
  return (await lockWorkflows(tx, [head.key])).get(head.key)!;
}

async function record(tx: Tx, key: number, what: string, reason: string | undefined): Promise<void> {
  await appendToOpen(tx, [
    { key, event: { type: `${SYSTEM_EVENT_PREFIX}${what}`, data: reason === undefined ? {} : { reason } } },
  ]);
}

/**
 * After the status is there for everybody: whoever delivered before has its messages locked, and we wait for it; whoever delivers
 * after finds the new status, and holds nothing back.
 */
async function releaseHeldMessages(db: Database, address: WorkflowRef): Promise<void> {
  await db.tx(async (tx) => {
    await lockMessages(tx, address);
    await releaseMessages(tx, address);
  });
  await notifyRunners(db, address.workflow);
}

export function unknownWorkflow({ workflow, id }: WorkflowRef): SeineError {
  return new SeineError('not-found', `There is no ${workflow} ${id}.`, {
    hint: `Which there are, tells: seine workflows list --workflow ${workflow}`,
  });
}

export function hasEnded({ workflow, id, status }: Head): SeineError {
  return new SeineError(
    'conflict',
    `${workflow} ${id} is ${status}: it takes no part in anything any more.`,
    {
      hint: `What happened to it, tells: seine workflows events ${workflow} ${id}`,
    },
  );
}
