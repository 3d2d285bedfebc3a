/**
 * The purge deletes everything of a workflow that ended long ago, except its row and the ids of its commands. So its id can't be reused (a second
 * workflow with that id would repeat the idempotency keys of the first), and a repeated command has no second effect. Retention of command ids is a
 * separate policy.
 *
 * Invariant: nothing is deleted that a reader has not read (including a projection that begins meanwhile, see deletion-store.ts), that was not reacted
 * to, that has messages on their way, or, with an archive, that was not written to it before.
 *
 * Crash: every step is a short transaction that leaves a valid state; the mark `purged_at` comes last. Several processes may purge concurrently.
 */
import type { Database, Tx } from '../../db/database.ts';
import { type ArchivedEvent, keepCommandIds } from './archive-store.ts';
import { lockForDeletion, neededByProjections } from './deletion-store.ts';
import { minReadOffset } from './min-read-offset.ts';
import {
  countRows,
  deleteActions,
  deleteFirstEvents,
  firstEvents,
  type LastEvent,
  lockUnpurged,
  markPurged,
  type PurgeFilter,
  purgeable,
  type ReadPosition,
  typesWithReaders,
} from './purge-store.ts';

export interface PurgeOptions {
  /** One tenant (default: all). */
  readonly tenant?: string | undefined;
  /** One workflow type (default: all). */
  readonly workflow?: string | undefined;
  readonly olderThanMs: number;
  /** Only counts. */
  readonly dryRun?: boolean;
  /** Resolves when the lines are durable: the events are deleted after that. Without it, events are deleted without being archived. */
  readonly write?: (events: readonly ArchivedEvent[]) => Promise<void>;
  /** Runs each step in a transaction; returns null when this process may no longer do so. */
  readonly within?: TxRunner;
  /** The key where an earlier run stopped. */
  readonly after?: number;
  /** Approximate time limit. */
  readonly forMs?: number;
}

export type TxRunner = <T>(work: (tx: Tx) => Promise<T>) => Promise<T | null>;

export interface PurgeResult {
  workflows: number;
  events: number;
  actions: number;
  /** The key to continue after; null: complete. */
  next: number | null;
}

const CANDIDATES_AT_ONCE = 1000;
const WORKFLOWS_AT_ONCE = 100;
const ROWS_AT_ONCE = 1000;

export async function purgeWorkflows(db: Database, options: PurgeOptions): Promise<PurgeResult> {
  const { within = (work) => db.tx(work), after = 0, forMs = Number.POSITIVE_INFINITY } = options;
  const until = performance.now() + forMs;
  const purged: PurgeResult = { workflows: 0, events: 0, actions: 0, next: after };
  const { tenant = null, olderThanMs } = options;
  const limits: PurgeFilter = { tenant, olderThanMs, kinds: await readKinds(db, options.workflow) };
  while (purged.next !== null && limits.kinds.length > 0) {
    const { keys, last } = await purgeable(db, limits, purged.next, CANDIDATES_AT_ONCE);
    for (let n = 0; n < keys.length; n += WORKFLOWS_AT_ONCE) {
      const some = keys.slice(n, n + WORKFLOWS_AT_ONCE);
      if (options.dryRun) addCounts(purged, { ...(await countRows(db, some)), workflows: some.length });
      else if (!(await purgeSome(db, some, { ...options, within }, purged, until))) return purged;
    }
    purged.next = last;
    if (performance.now() > until) return purged;
  }
  return { ...purged, next: null };
}

async function readKinds(db: Database, only: string | undefined): Promise<ReadPosition[]> {
  const kinds: ReadPosition[] = [];
  for (const { workflow } of await typesWithReaders(db)) {
    if (only !== undefined && workflow !== only) continue;
    const read = await minReadOffset(db, workflow);
    if (read !== null) kinds.push({ workflow, read });
  }
  return kinds;
}

/** False: the time limit is reached, or this process may not continue. */
async function purgeSome(
  db: Database,
  keys: readonly number[],
  { write, within }: PurgeOptions & { readonly within: TxRunner },
  purged: PurgeResult,
  until: number,
): Promise<boolean> {
  let left = keys;
  while (left.length > 0) {
    const some = left;
    const page = write ? await firstEvents(db, some, ROWS_AT_ONCE) : null;
    if (page && page.events.length > 0) await write?.(page.events);
    const upTo = page ? page.last : { key: some.at(-1)!, version: Number.MAX_SAFE_INTEGER };
    const step = await within((tx) => purgeStep(tx, some, upTo));
    if (step === null) return false;
    addCounts(purged, step);
    left = step.left;
    if (performance.now() > until) return left.length === 0;
  }
  return true;
}

/** Deletes some of their rows; when none are left, marks them. Nothing if any of them may no longer be purged: the page was read for all. */
async function purgeStep(tx: Tx, keys: readonly number[], upTo: LastEvent | null) {
  await lockForDeletion(tx);
  const mine = await purgeableStill(tx, keys);
  const nothing = { workflows: 0, events: 0, actions: 0, left: mine };
  if (mine.length < keys.length) return nothing;
  await keepCommandIds(tx, mine);
  const events = upTo ? await deleteFirstEvents(tx, mine, upTo, ROWS_AT_ONCE) : 0;
  if (events > 0) return { ...nothing, events };
  const actions = await deleteActions(tx, mine, ROWS_AT_ONCE);
  if (actions > 0) return { ...nothing, actions };
  await markPurged(tx, mine);
  return { ...nothing, workflows: mine.length, left: [] };
}

/** Those that no other process has purged, and that no projection begun meanwhile needs. */
async function purgeableStill(tx: Tx, keys: readonly number[]): Promise<number[]> {
  const locked = await lockUnpurged(tx, keys);
  const all = locked.map((key) => ({ key, version: Number.MAX_SAFE_INTEGER }));
  const needed = await neededByProjections(tx, all);
  return locked.filter((key) => !needed.has(key));
}

function addCounts(purged: PurgeResult, more: Omit<PurgeResult, 'next'>): void {
  purged.workflows += more.workflows;
  purged.events += more.events;
  purged.actions += more.actions;
}
