/**
 * The archive: events that are no longer needed are written to a file, and then deleted.
 *
 *   ended      all events of a workflow that ended long ago; its row stays, so its id can't be reused and commands are rejected
 *   continued  the events before the last continue-as-new of an open workflow
 *
 * Invariant: an event is deleted only after all readers have passed it (the smallest offset of its type is the limit; a type that has never been read
 * is skipped; a projection that begins meanwhile is detected before each deletion, see deletion-store.ts), it was reacted to, and it was written to
 * the archive.
 *
 * Crash: each page is written, then deleted. A page that was written but not deleted is written again by the next run: a line is identified by its
 * workflow, id and version.
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
  /** One workflow type (default: all). */
  readonly workflow?: string | undefined;
  readonly olderThanMs: number;
  /** Only counts. */
  readonly dryRun?: boolean;
  /** Deletes events once they are written. */
  readonly delete?: boolean;
  /** Resolves when the lines are durable: the events are deleted after that. */
  write(events: readonly ArchivedEvent[]): Promise<void>;
}

export interface ArchiveResult {
  workflows: number;
  events: number;
  deleted: number;
  /** Workflow types that have never been read; they were skipped. */
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

/** Null: a projection that needs them has begun. A later run writes them again. */
function deleteUpTo(db: Database, first: First): Promise<number | null> {
  return db.tx(async (tx) => {
    await lockForDeletion(tx);
    if ((await neededByProjections(tx, [first])).size > 0) return null;
    return deleteEvents(tx, first.key, first.version);
  });
}
