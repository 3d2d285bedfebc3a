/** Processes pending work on parents and children in the partitions of a runner. The protocol is described in child.ts. */
import { messageOf, SeineError } from '../../base/errors.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { NewEvent } from '../../events/append-store.ts';
import { appendToOpen } from '../commands/append-to-open.ts';
import type { CommandResult } from '../commands/handle.ts';
import { lockMessages, releaseMessages } from '../control/control-store.ts';
import { SYSTEM_EVENT_PREFIX } from '../decision.ts';
import type { AnyWorkflow } from '../define.ts';
import type { AssignedPartitions } from '../messages/message-store.ts';
import { endWorkflows, lockWorkflows, readHead } from '../workflow-store.ts';
import {
  cancelNotStarted,
  type DueChild,
  dueChildren,
  failChildren,
  hasEnded,
  isNotStarted,
  markParentNotified,
} from './child-store.ts';

const BATCH = 200;
const MAX_CHARACTERS = 4000;

export interface ChildSyncResult {
  readonly children: number;
  /** The workflow types that have work now. */
  readonly messagedWorkflows: ReadonlySet<string>;
}

export async function syncChildren(
  db: Database,
  workflow: AnyWorkflow,
  assigned: AssignedPartitions,
  log: (sentence: string) => void,
): Promise<ChildSyncResult> {
  const due = await dueChildren(db, workflow, assigned, BATCH);
  const messagedWorkflows = new Set<string>();
  const ended = due.filter(({ outcome }) => outcome !== null);
  if (ended.length > 0) await runOneByOneOnError(ended, (some) => notifyParents(db, workflow, some), log);
  for (const child of due.filter(({ outcome }) => outcome === null)) {
    const cancel = async () => {
      for (const kind of await cancelChild(db, child)) messagedWorkflows.add(kind);
    };
    await runOneByOneOnError([child], cancel, log);
  }
  return { children: due.length, messagedWorkflows };
}

/** All in one transaction; on an error other than an outage one by one, so that one of them does not block the others. */
async function runOneByOneOnError(
  some: readonly DueChild[],
  work: (some: readonly DueChild[]) => Promise<void>,
  log: (sentence: string) => void,
): Promise<void> {
  try {
    await work(some);
  } catch (error) {
    if (error instanceof SeineError && error.retry) throw error;
    const [{ workflow, workflowId } = { workflow: '', workflowId: '' }] = some;
    if (some.length === 1)
      log(`The end of the child ${workflow} ${workflowId} can't be written: ${messageOf(error)}`);
    else for (const one of some) await runOneByOneOnError([one], work, log);
  }
}

/** The workflows first, then the rows of their children: the lock order of ending a parent. */
function notifyParents(db: Database, workflow: AnyWorkflow, ended: readonly DueChild[]): Promise<void> {
  return db.tx(async (tx) => {
    const heads = await lockWorkflows(tx, [...new Set(ended.map(({ parentKey }) => parentKey))]);
    const notified = await markParentNotified(
      tx,
      ended.map(({ id }) => id),
    );
    const facts = ended
      .filter(({ id }) => notified.has(id))
      .map((child) => ({ key: child.parentKey, event: eventOf(child, workflow.version) }));
    if (facts.length > 0) await appendToOpen(tx, facts, heads);
  });
}

function eventOf({ name, workflowId: id, outcome, result, error }: DueChild, schema: number): NewEvent {
  const type = `${name}.${outcome}`;
  if (outcome === 'completed') return { type, schema, data: { id, result } };
  return { type, schema, data: outcome === 'failed' ? { id, error } : { id } };
}

/** Its messages first: waits for a delivery of its first command in progress. */
function cancelChild(db: Database, child: DueChild): Promise<string[]> {
  const address = { tenant: child.tenant, workflow: child.workflow, id: child.workflowId };
  return db.tx(async (tx) => {
    await lockMessages(tx, address);
    const head = await readHead(tx, address);
    if (head) await lockWorkflows(tx, [head.key]);
    const isTaken = head !== null && (await isNotStarted(tx, child.id)); // by a workflow that is not this child
    const cancelled = head && !isTaken ? await cancelStarted(tx, head.key, child) : [];
    if (!isTaken) await releaseMessages(tx, address); // the runner rejects and deletes them
    await cancelNotStarted(tx, child.id, isTaken);
    return [child.parentWorkflow, ...cancelled];
  });
}

async function cancelStarted(
  tx: Tx,
  key: number,
  { parentKey, parentWorkflow }: DueChild,
): Promise<string[]> {
  const why = (await hasEnded(tx, parentKey)) ? 'has ended' : 'has cancelled it';
  const reason = `its parent, a workflow ${parentWorkflow}, ${why}`;
  await appendToOpen(tx, [{ key, event: { type: `${SYSTEM_EVENT_PREFIX}cancelled`, data: { reason } } }]);
  const woken = new Set<string>();
  await endWorkflows(tx, [key], 'cancelled', { woken });
  return [...woken];
}

/** Outcomes of the commands that start children: a child that did not begin has failed. */
export async function recordStartResults(
  tx: Tx,
  messages: readonly { readonly childId: number | null }[],
  outcomes: readonly CommandResult[],
): Promise<void> {
  const failed = messages.flatMap(({ childId }, n) => {
    const error = childId === null ? null : startFailureReason(outcomes[n]!);
    if (childId === null || error === null) return [];
    const outcome = outcomes[n]!;
    return [{ childId, error, taken: outcome.outcome === 'rejected' && outcome.taken === true }];
  });
  if (failed.length > 0) await failChildren(tx, failed);
}

function startFailureReason(outcome: CommandResult): string | null {
  if (outcome.outcome === 'rejected' && outcome.taken) return outcome.reason.slice(0, MAX_CHARACTERS);
  if (outcome.outcome === 'rejected')
    return `Its first command was rejected: ${outcome.reason}`.slice(0, MAX_CHARACTERS);
  const isNothing = outcome.outcome === 'accepted' && outcome.version === 0;
  return isNothing ? 'Its first command led to no events.' : null;
}
