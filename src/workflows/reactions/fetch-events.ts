/** Fetches the next events of the partitions held here, grouped by workflow, each with the state before it. */
import type { Database, Queryable } from '../../db/database.ts';
import type { StoredEvent } from '../../events/event.ts';
import {
  type EventWithProgress,
  type PartitionOffset,
  type PartitionRead,
  readPartition,
  readSlots,
  readWorkflow,
} from '../../events/read-store.ts';
import type { AnyWorkflow } from '../define.ts';
import type { PartitionAssignment } from '../partitions/partition-assignment.ts';
import type { FoldResult, VersionedState } from '../state/fold.ts';
import { loadAt } from '../state/load.ts';
import { type Deferred, deferredReactions } from '../versions/deferred-store.ts';
import type { ReactionTask } from './react.ts';
import { dueReactions } from './reaction-store.ts';
import type { StateCache } from './state-cache.ts';

/** Events in one round of a workflow that lags behind its partition; the rest follow in the next. */
const PAGE = 1000;
/** Of one slot; a round with fewer events in all has read everything. */
export const MIN_EVENTS_EACH = 50;
const DUE_BATCH = 20;
const DEFERRED_BATCH = 100;

export async function fetchNext(
  db: Database,
  workflow: string,
  partitions: PartitionAssignment,
  positions: readonly PartitionOffset[],
  max: number,
): Promise<PartitionRead> {
  if (partitions.isStatic) return readPartition(db, workflow, positions[0]!, partitions.assigned.total, max);
  const each = Math.max(MIN_EVENTS_EACH, Math.ceil(max / positions.length));
  return readSlots(db, workflow, positions, { each, max });
}

/** Of a partition that this runner holds. */
export interface AssignedTask extends ReactionTask {
  readonly part: number;
  /** The workflow has ended: it has no reactions any more, but its events may have subscribers. */
  readonly ended: boolean;
  /** The minimum code version that may react. */
  readonly needsVersion: number;
  /** Deferred by older code; cleared by the reaction. */
  readonly deferred: boolean;
}

/** A workflow and its next events, before its state is loaded. */
export type UnloadedTask = Omit<AssignedTask, 'from' | 'foldError'> & { readonly reacted: number };

export interface TaskBatch {
  readonly tasks: UnloadedTask[];
  /** These need newer code than this runner has. */
  readonly deferred: Deferred[];
}

/** Skips workflows that are due for a retry (`again`), and those that are paused, parked or wait for a retry: they are fetched again when due. */
export async function toTasks(
  db: Queryable,
  { version }: Pick<AnyWorkflow, 'version'>,
  found: readonly EventWithProgress[],
  again: readonly Pick<UnloadedTask, 'key'>[],
): Promise<TaskBatch> {
  const byKey = Map.groupBy(found, ({ workflowKey }) => workflowKey);
  for (const { key } of again) byKey.delete(key);
  const tasks: UnloadedTask[] = [];
  const deferred: Deferred[] = [];
  for (const [key, events] of byKey) {
    const { waits, status, needsVersion: needed, reacted } = events[0]!.progress;
    if (waits || status === 'paused') continue;
    if (needed > version) {
      const isNew = events.some((event) => event.version > reacted);
      if (isNew) deferred.push({ key, part: events[0]!.part, needsVersion: needed });
      continue;
    }
    const task = await nextTask(db, events);
    if (task.events.length === 0) continue;
    const needsVersion = requiredVersion(task);
    if (needsVersion > version) deferred.push({ key, part: task.part, needsVersion });
    else tasks.push(task);
  }
  return { tasks, deferred };
}

/** A process of an earlier Seine appends without recording the required version: the events have it. */
function requiredVersion({ needsVersion, events }: UnloadedTask): number {
  return events.reduce((max, { schema }) => Math.max(max, schema), needsVersion);
}

/** Workflows that are due for a retry. */
export async function dueTasks(
  db: Queryable,
  workflow: AnyWorkflow,
  assigned: PartitionAssignment['assigned'],
): Promise<UnloadedTask[]> {
  const due = await dueReactions(db, workflow, assigned, DUE_BATCH);
  // Nothing that was deferred needs version 1.
  const left = workflow.version > 1 ? await deferredReactions(db, workflow, assigned, DEFERRED_BATCH) : [];
  const deferred = new Set(left.map(({ key }) => key));
  const tasks = new Map<number, UnloadedTask>();
  for (const one of [...due, ...left]) {
    if (tasks.has(one.key)) continue;
    const events = await readWorkflow(db, one.key, one.reacted, PAGE);
    tasks.set(one.key, { ...one, events, more: events.length === PAGE, deferred: deferred.has(one.key) });
  }
  return [...tasks.values()].filter((task) => requiredVersion(task) <= workflow.version);
}

/**
 * Versions are contiguous in a workflow, but not always ordered in the log: a transaction that began earlier may append later. Missing versions are
 * committed, and fetched here.
 */
async function nextTask(db: Queryable, met: readonly EventWithProgress[]): Promise<UnloadedTask> {
  const { workflowKey: key, tenant, id, part, progress } = met[0]!;
  const { reacted, attempts, status, needsVersion } = progress;
  const ended = status === 'completed' || status === 'cancelled';
  const of = { key, tenant, id, part, reacted, attempts, ended, needsVersion, deferred: false };
  const unread = met.filter(({ version }) => version > reacted).sort((a, b) => a.version - b.version);
  if (areConsecutive(unread, reacted)) return { ...of, events: unread, more: false };
  const events = await readWorkflow(db, key, reacted, PAGE);
  return { ...of, events, more: events.length === PAGE };
}

function areConsecutive(events: readonly StoredEvent[], after: number): boolean {
  return events.every(({ version }, i) => version === after + i + 1);
}

/** Adds the states: from the cache, or folded. A history that can't be folded fails alone. */
export async function loadStates(
  db: Queryable,
  workflow: AnyWorkflow,
  tasks: readonly UnloadedTask[],
  cache: StateCache,
): Promise<AssignedTask[]> {
  const known = new Map<number, VersionedState>();
  for (const { key, reacted } of tasks) {
    const folded = cache.at(key, reacted);
    if (folded) known.set(key, folded);
  }
  const unknown = tasks
    .filter(({ key }) => !known.has(key))
    .map(({ key, id, reacted: version }) => ({ key, id, version }));
  const loaded = unknown.length > 0 ? await loadAt(db, workflow, unknown) : new Map<number, FoldResult>();
  return tasks.map((task) => {
    const { folded, failure = null } = loaded.get(task.key) ?? { folded: known.get(task.key)! };
    return failure === null
      ? { ...task, from: folded, foldError: null }
      : { ...task, from: { version: task.reacted, state: undefined }, foldError: failure };
  });
}
