/**
 * Operator commands for one workflow. They need none of its code: the runners find what is written here.
 *
 *   pause    no reactions, no new actions, no deliveries; a running action is finished, and its result is an event
 *   resume   pending reactions run, and held messages are delivered
 *   cancel   ends it, with its open actions, timers and subscriptions
 *
 * Each is an event of the workflow's history, written in the same transaction.
 */
import { SeineError } from '../../base/errors.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { WorkflowRef } from '../../events/event.ts';
import { notifyRunners } from '../../events/event-notifier.ts';
import { appendToOpen } from '../commands/append-to-open.ts';
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
  /** False: it already was in that state. */
  readonly changed: boolean;
  readonly status: Status;
}

export function pauseWorkflow(db: Database, address: WorkflowRef, reason?: string): Promise<ControlResult> {
  return control(db, address, 'paused', async (tx, { key }) => {
    await record(tx, key, 'paused', reason);
    await setStatus(tx, key, 'paused');
  });
}

/** Repeated on a running workflow, it releases messages that are still held, so an interrupted attempt can be repeated. */
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
  await releaseHeldMessages(db, address); // the runners reject and delete them
  for (const kind of woken) await notifyRunners(db, kind, 'messages');
  return controlled;
}

/** Locked while it is changed. An ended workflow can't be changed. */
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
 * Called once the status is committed: a delivery that started before has its messages locked, and this waits for it; one that starts later sees the
 * new status, and holds nothing.
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
    hint: `List them: seine workflows list --workflow ${workflow}`,
  });
}

export function hasEnded({ workflow, id, status }: Head): SeineError {
  return new SeineError('conflict', `${workflow} ${id} is already ${status}.`, {
    hint: `Show its events: seine workflows events ${workflow} ${id}`,
  });
}
