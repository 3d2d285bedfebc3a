/** What there is to react to: the next events of the parts we hold, workflow by workflow, each with the state it stands at. */
import type { Database, Queryable } from '../../db/database.ts';
import type { StoredEvent } from '../../events/event.ts';
import { type Found, type Place, readPartition, readSlots, readWorkflow } from '../../events/read-store.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Folded, Folding } from '../fold.ts';
import { loadAt } from '../load.ts';
import type { Holdings } from './holdings.ts';
import type { Task } from './react.ts';
import { dueReactions, readStandings, type Standing } from './reaction-store.ts';
import type { StateCache } from './state-cache.ts';

/** Of a workflow that is behind its part, in one round; what is left comes with the next. */
const PAGE = 1000;
const AGAIN_AT_ONCE = 20;

export async function readNext(
  db: Database,
  workflow: string,
  holdings: Holdings,
  places: readonly Place[],
  most: number,
): Promise<Found[]> {
  if (holdings.isStatic) return readPartition(db, workflow, places[0]!, holdings.mine.total, most);
  const each = Math.max(50, Math.ceil(most / places.length));
  return readSlots(db, workflow, places, { each, most });
}

/** Of a part that this runner holds. */
export interface OwnTask extends Task {
  readonly part: number;
  /** The workflow has ended: nothing is done for it any more, but others may hear of what happened. */
  readonly ended: boolean;
}

/** An event's workflow and what is next of it, before its state is known. */
export type Bare = Omit<OwnTask, 'from' | 'unfoldable'> & { readonly reacted: number };

/** Those of workflows that may go on. Whoever is paused, parked or waits for another try is passed over: that comes again by itself. */
export async function tasksOf(db: Queryable, found: readonly Found[]): Promise<Bare[]> {
  const byKey = Map.groupBy(found, ({ workflowKey }) => workflowKey);
  const standings =
    found.length > 0 ? await readStandings(db, [...byKey.keys()]) : new Map<number, Standing>();
  const tasks: Bare[] = [];
  for (const [key, events] of byKey) {
    const standing = standings.get(key);
    if (!standing || standing.waits || standing.status === 'paused') continue;
    const task = await nextOf(db, standing, events);
    if (task.events.length > 0) tasks.push(task);
  }
  return tasks;
}

/** Workflows whose turn has come again. */
export async function tasksAgain(db: Queryable, workflow: string, mine: Holdings['mine']): Promise<Bare[]> {
  const due = await dueReactions(db, workflow, mine, AGAIN_AT_ONCE);
  const tasks: Bare[] = [];
  for (const one of due) {
    const events = await readWorkflow(db, one.key, one.reacted, PAGE);
    tasks.push({ ...one, events, more: events.length === PAGE });
  }
  return tasks;
}

/**
 * Versions follow each other in a workflow, but not always in the log: a transaction that began earlier may append later. What is
 * missing in between has been committed, and is fetched.
 */
async function nextOf(db: Queryable, standing: Standing, met: readonly Found[]): Promise<Bare> {
  const { key, reacted, attempts, status } = standing;
  const { tenant, id, part } = met[0]!;
  const ended = status === 'completed' || status === 'cancelled';
  const of = { key, tenant, id, part, reacted, attempts, ended };
  const news = met.filter(({ version }) => version > reacted).sort((a, b) => a.version - b.version);
  if (follow(news, reacted)) return { ...of, events: news, more: false };
  const events = await readWorkflow(db, key, reacted, PAGE);
  return { ...of, events, more: events.length === PAGE };
}

function follow(events: readonly StoredEvent[], after: number): boolean {
  return events.every(({ version }, i) => version === after + i + 1);
}

/** With the states at which they stand: kept from the round before, or folded once more. One that can't be folded says why, alone. */
export async function withStates(
  db: Queryable,
  workflow: AnyWorkflow,
  tasks: readonly Bare[],
  cache: StateCache,
): Promise<OwnTask[]> {
  const known = new Map<number, Folded>();
  for (const { key, reacted } of tasks) {
    const folded = cache.at(key, reacted);
    if (folded) known.set(key, folded);
  }
  const unknown = tasks
    .filter(({ key }) => !known.has(key))
    .map(({ key, id, reacted: version }) => ({ key, id, version }));
  const loaded = unknown.length > 0 ? await loadAt(db, workflow, unknown) : new Map<number, Folding>();
  return tasks.map((task) => {
    const { folded, failure = null } = loaded.get(task.key) ?? { folded: known.get(task.key)! };
    return failure === null
      ? { ...task, from: folded, unfoldable: null }
      : { ...task, from: { version: task.reacted, state: undefined }, unfoldable: failure };
  });
}
