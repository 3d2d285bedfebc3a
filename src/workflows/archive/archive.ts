/**
 * The archive: events that nobody needs any more are written down elsewhere, and then deleted.
 *
 *   ended      all events of a workflow that ended long ago; its head stays, so its id is not taken again and commands are turned down
 *   continued  those before the last new beginning of one that lives
 *
 * Invariant: no event is deleted that a reader may still come by (the slowest of its kind is the limit; a kind that nobody has read
 * yet is left alone; a projection that begins meanwhile is noticed before each deletion, see deletion-store.ts), that somebody has not reacted to, or
 * that was not written to the archive before.
 *
 * Crash: each page is written, then deleted. One that was written and not deleted is written again by the next run: a line is known by
 * its workflow, id and version.
 */
import type { Database } from '../../db/database.ts';
import {
  type ArchivedEvent,
  type ArchiveFilter,
  continuedWorkflows,
  countExpiredEvents,
  deleteEvents,
  type ExpiredHistory,
  endedWorkflows,
  expiredEvents,
  listWorkflowTypes,
} from './archive-store.ts';
import { type First, lockForDeletion, neededByProjections } from './deletion-store.ts';
import { minReadOffset } from './min-read-offset.ts';

export interface ArchiveOptions {
  readonly tenant: string;
  /** Of one kind; of all if it isn't given. */
  readonly workflow?: string | undefined;
  readonly olderThanMs: number;
  /** Only counts. */
  readonly dryRun?: boolean;
  /** They go when they are written. */
  readonly delete?: boolean;
  /** Resolves when the lines are safe: what was written is deleted then. */
  write(events: readonly ArchivedEvent[]): Promise<void>;
}

export interface ArchiveResult {
  workflows: number;
  events: number;
  deleted: number;
  /** Kinds that nobody has read yet: they were left alone. */
  unread: string[];
}

const WORKFLOWS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 1000;

export async function archiveEvents(db: Database, options: ArchiveOptions): Promise<ArchiveResult> {
  const archived: ArchiveResult = { workflows: 0, events: 0, deleted: 0, unread: [] };
  for (const { name } of await selectedTypes(db, options)) {
    if ((await minReadOffset(db, name)) === null) {
      archived.unread.push(name);
      continue;
    }
    const { tenant, olderThanMs } = options;
    const kind = { tenant, workflow: name, olderThanMs };
    for (const find of [endedWorkflows, continuedWorkflows])
      for await (const old of allExpired(db, find, kind)) await archiveOne(db, old, options, archived);
  }
  return archived;
}

async function selectedTypes(db: Database, { tenant, workflow }: ArchiveOptions) {
  const kinds = await listWorkflowTypes(db, tenant);
  return kinds.filter(({ name }) => workflow === undefined || name === workflow);
}

async function* allExpired(
  db: Database,
  find: typeof endedWorkflows,
  kind: Omit<ArchiveFilter, 'read'>,
): AsyncGenerator<ExpiredHistory> {
  let last = 0;
  for (;;) {
    const read = await minReadOffset(db, kind.workflow);
    if (read === null) return;
    const page = await find(db, { ...kind, read }, last, WORKFLOWS_AT_ONCE);
    yield* page;
    if (page.length < WORKFLOWS_AT_ONCE) return;
    last = page.at(-1)!.key;
  }
}

async function archiveOne(
  db: Database,
  old: ExpiredHistory,
  options: ArchiveOptions,
  archived: ArchiveResult,
): Promise<void> {
  archived.workflows += 1;
  if (options.dryRun) {
    archived.events += await countExpiredEvents(db, old);
    return;
  }
  let after = 0;
  for (;;) {
    const page = await expiredEvents(db, old, after, EVENTS_AT_ONCE);
    if (page.length === 0) return;
    after = page.at(-1)!.version;
    await options.write(page);
    archived.events += page.length;
    if (!options.delete) continue;
    const deleted = await deleteUpTo(db, { key: old.key, version: after });
    if (deleted === null) return;
    archived.deleted += deleted;
  }
}

/** Null: a projection has begun that needs them. What was written is written again by a later run. */
function deleteUpTo(db: Database, first: First): Promise<number | null> {
  return db.tx(async (tx) => {
    await lockForDeletion(tx);
    if ((await neededByProjections(tx, [first])).size > 0) return null;
    return deleteEvents(tx, first.key, first.version);
  });
}
