/** One workflow in detail: its state, pending work, and recent events. */
import { SeineError } from '../../base/errors.ts';
import type { Queryable } from '../../db/database.ts';
import type { WorkflowRef } from '../../events/event.ts';
import { type ChildSummary, childrenOf, parentOf } from '../children/child-store.ts';
import { unknownWorkflow } from '../control/control.ts';
import { type RejectionSummary, rejectionsOf } from '../messages/rejection-store.ts';
import {
  type EventSummary,
  eventsAfter,
  lastEvents,
  type OpenAction,
  openActions,
  type PendingMessage,
  pendingMessages,
  readWorkflowHead,
  type SubscriptionSummary,
  subscriptionsOf,
  type WorkflowHead,
} from './workflow-queries.ts';

export interface WorkflowDescription {
  readonly head: WorkflowHead;
  readonly actions: readonly OpenAction[];
  /** Timers and other messages to it. */
  readonly messages: readonly PendingMessage[];
  readonly subscriptions: readonly SubscriptionSummary[];
  /** Messages it rejected recently, the latest first. */
  readonly rejected: readonly RejectionSummary[];
  /** The workflow that started it. */
  readonly parent: Awaited<ReturnType<typeof parentOf>>;
  readonly children: readonly ChildSummary[];
  readonly events: readonly EventSummary[];
}

const MAX_LISTED = 50;
const MAX_REJECTED = 5;

export async function describeWorkflow(
  db: Queryable,
  address: WorkflowRef,
  events = 10,
): Promise<WorkflowDescription> {
  const head = await headOf(db, address);
  return {
    head,
    actions: await openActions(db, head.key, MAX_LISTED),
    messages: await pendingMessages(db, address, MAX_LISTED),
    subscriptions: await subscriptionsOf(db, address),
    rejected: await rejectionsOf(db, address, MAX_REJECTED),
    parent: await parentOf(db, address),
    children: await childrenOf(db, head.key, MAX_LISTED),
    events: await lastEvents(db, head.key, events),
  };
}

/** Its events after a version, in order. */
export async function eventsOf(
  db: Queryable,
  address: WorkflowRef,
  page: { readonly after: number; readonly limit: number },
): Promise<EventSummary[]> {
  const { key } = await headOf(db, address);
  return eventsAfter(db, key, page.after, page.limit);
}

async function headOf(db: Queryable, address: WorkflowRef): Promise<WorkflowHead> {
  const head = await readWorkflowHead(db, address);
  if (head) return head;
  const [first] = await pendingMessages(db, address, MAX_LISTED);
  if (!first) throw unknownWorkflow(address);
  throw new SeineError(
    'not-found',
    `There is no ${address.workflow} ${address.id} yet: its first message waits for a runner${first.error === null ? '' : `, after an error: ${first.error}`}.`,
    { hint: 'Check whether a runner serves it: seine partitions status' },
  );
}
