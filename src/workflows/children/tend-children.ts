/** What a runner does for the parents and children of the parts that it holds. The protocol is told in child.ts. */
import { messageOf, SeineError } from '../../base/errors.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { NewEvent } from '../../events/append-store.ts';
import { lockMessages, releaseMessages } from '../control/control-store.ts';
import { OWN } from '../decision.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Outcome } from '../handle.ts';
import type { Mine } from '../messages/message-store.ts';
import { recordFacts } from '../record.ts';
import { endWorkflows, lockWorkflows, readHead } from '../workflow-store.ts';
import {
  cancelUnbegun,
  type DueChild,
  dueChildren,
  failChildren,
  hasEnded,
  isUnbegun,
  markTold,
} from './child-store.ts';

const AT_ONCE = 200;
const MOST_CHARACTERS = 4000;

export interface Tended {
  readonly children: number;
  /** The kinds of workflows that have something to do now. */
  readonly told: ReadonlySet<string>;
}

export async function tendChildren(
  db: Database,
  workflow: AnyWorkflow,
  mine: Mine,
  say: (sentence: string) => void,
): Promise<Tended> {
  const due = await dueChildren(db, workflow, mine, AT_ONCE);
  const told = new Set<string>();
  const ended = due.filter(({ outcome }) => outcome !== null);
  if (ended.length > 0) await alone(ended, (some) => tellParents(db, workflow, some), say);
  for (const child of due.filter(({ outcome }) => outcome === null)) {
    const cancel = async () => {
      for (const kind of await cancelChild(db, child)) told.add(kind);
    };
    await alone([child], cancel, say);
  }
  return { children: due.length, told };
}

/** All at once; if that fails for another reason than an outage, one by one, so that one of them does not hold up the others. */
async function alone(
  some: readonly DueChild[],
  work: (some: readonly DueChild[]) => Promise<void>,
  say: (sentence: string) => void,
): Promise<void> {
  try {
    await work(some);
  } catch (error) {
    if (error instanceof SeineError && error.retry) throw error;
    const [{ workflow, workflowId } = { workflow: '', workflowId: '' }] = some;
    if (some.length === 1)
      say(`The end of the child ${workflow} ${workflowId} can't be written: ${messageOf(error)}`);
    else for (const one of some) await alone([one], work, say);
  }
}

/** The workflows first, then the rows of their children: who ends a parent locks in the same order. */
function tellParents(db: Database, workflow: AnyWorkflow, ended: readonly DueChild[]): Promise<void> {
  return db.tx(async (tx) => {
    const heads = await lockWorkflows(tx, [...new Set(ended.map(({ parentKey }) => parentKey))]);
    const news = await markTold(
      tx,
      ended.map(({ id }) => id),
    );
    const facts = ended
      .filter(({ id }) => news.has(id))
      .map((child) => ({ key: child.parentKey, event: eventOf(child, workflow.version) }));
    if (facts.length > 0) await recordFacts(tx, facts, heads);
  });
}

function eventOf({ name, workflowId: id, outcome, result, error }: DueChild, schema: number): NewEvent {
  const type = `${name}.${outcome}`;
  if (outcome === 'completed') return { type, schema, data: { id, result } };
  return { type, schema, data: outcome === 'failed' ? { id, error } : { id } };
}

/** Its messages first: that waits for a delivery of its first command that is under way. */
function cancelChild(db: Database, child: DueChild): Promise<string[]> {
  const address = { tenant: child.tenant, workflow: child.workflow, id: child.workflowId };
  return db.tx(async (tx) => {
    await lockMessages(tx, address);
    const head = await readHead(tx, address);
    if (head) await lockWorkflows(tx, [head.key]);
    const isTaken = head !== null && (await isUnbegun(tx, child.id)); // by a workflow that the child did not begin
    const cancelled = head && !isTaken ? await cancelBegun(tx, head.key, child) : [];
    if (!isTaken) await releaseMessages(tx, address); // they are turned down, and go
    await cancelUnbegun(tx, child.id, isTaken);
    return [child.parentWorkflow, ...cancelled];
  });
}

async function cancelBegun(tx: Tx, key: number, { parentKey, parentWorkflow }: DueChild): Promise<string[]> {
  const why = (await hasEnded(tx, parentKey)) ? 'has ended' : 'has cancelled it';
  const reason = `its parent, a workflow ${parentWorkflow}, ${why}`;
  await recordFacts(tx, [{ key, event: { type: `${OWN}cancelled`, data: { reason } } }]);
  const woken = new Set<string>();
  await endWorkflows(tx, [key], 'cancelled', { woken });
  return [...woken];
}

/** What became of the commands that start children: one that did not begin has failed. */
export async function settleStarts(
  tx: Tx,
  messages: readonly { readonly childId: number | null }[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const failed = messages.flatMap(({ childId }, n) => {
    const error = childId === null ? null : whyNotBegun(outcomes[n]!);
    if (childId === null || error === null) return [];
    const outcome = outcomes[n]!;
    return [{ childId, error, taken: outcome.outcome === 'rejected' && outcome.taken === true }];
  });
  if (failed.length > 0) await failChildren(tx, failed);
}

function whyNotBegun(outcome: Outcome): string | null {
  if (outcome.outcome === 'rejected' && outcome.taken) return outcome.reason.slice(0, MOST_CHARACTERS);
  if (outcome.outcome === 'rejected')
    return `Its first command was rejected: ${outcome.reason}`.slice(0, MOST_CHARACTERS);
  const isNothing = outcome.outcome === 'accepted' && outcome.version === 0;
  return isNothing ? 'Its first command led to no events.' : null;
}
