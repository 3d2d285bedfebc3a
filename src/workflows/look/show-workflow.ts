/** One workflow, as an operator wants to see it: where it stands, what it waits for, what happened. */
import { SeineError } from '../../base/errors.ts';
import type { Queryable } from '../../db/database.ts';
import type { Address } from '../../events/event.ts';
import { type ChildLine, childrenOf, parentOf } from '../children/child-store.ts';
import { unknownWorkflow } from '../control/control.ts';
import { type RejectionLine, rejectionsOf } from '../messages/rejection-store.ts';
import {
  type EventLine,
  eventsAfter,
  lastEvents,
  type OpenAction,
  openActions,
  type Pending,
  pendingMessages,
  readWorkflowHead,
  type SubscriptionLine,
  subscriptionsOf,
  type WorkflowHead,
} from './look-store.ts';

export interface WorkflowView {
  readonly head: WorkflowHead;
  readonly actions: readonly OpenAction[];
  /** Timers, and whatever else is on its way to it. */
  readonly messages: readonly Pending[];
  readonly subscriptions: readonly SubscriptionLine[];
  /** Messages that it rejected lately, the latest first. */
  readonly rejected: readonly RejectionLine[];
  /** The workflow that started it. */
  readonly parent: Awaited<ReturnType<typeof parentOf>>;
  readonly children: readonly ChildLine[];
  readonly events: readonly EventLine[];
}

const MOST = 50;
const MOST_REJECTED = 5;

export async function showWorkflow(db: Queryable, address: Address, events = 10): Promise<WorkflowView> {
  const head = await headOf(db, address);
  return {
    head,
    actions: await openActions(db, head.key, MOST),
    messages: await pendingMessages(db, address, MOST),
    subscriptions: await subscriptionsOf(db, address),
    rejected: await rejectionsOf(db, address, MOST_REJECTED),
    parent: await parentOf(db, address),
    children: await childrenOf(db, head.key, MOST),
    events: await lastEvents(db, head.key, events),
  };
}

/** Its events after a version, in order. */
export async function eventsOf(
  db: Queryable,
  address: Address,
  page: { readonly after: number; readonly limit: number },
): Promise<EventLine[]> {
  const { key } = await headOf(db, address);
  return eventsAfter(db, key, page.after, page.limit);
}

async function headOf(db: Queryable, address: Address): Promise<WorkflowHead> {
  const head = await readWorkflowHead(db, address);
  if (head) return head;
  const [first] = await pendingMessages(db, address, MOST);
  if (!first) throw unknownWorkflow(address);
  throw new SeineError(
    'not-found',
    `There is no ${address.workflow} ${address.id} yet: its first message waits for a runner${first.error === null ? '' : `, after an error: ${first.error}`}.`,
    { hint: 'See whether a runner serves it: seine partitions status' },
  );
}
