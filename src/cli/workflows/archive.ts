/** `seine workflows archive` and `purge`: write old events to a file as JSON lines, and optionally delete them from the database. */
import { type FileHandle, open } from 'node:fs/promises';
import { SeineError } from '../../base/errors.ts';
import { archiveEvents } from '../../workflows/archive/archive.ts';
import type { ArchivedEvent } from '../../workflows/archive/archive-store.ts';
import { purgeWorkflows } from '../../workflows/archive/purge.ts';
import type { CommonFlags } from '../options.ts';
import { checkOutputFile } from '../output/output-file.ts';
import { pluralize } from '../output/quantities.ts';
import { suggestCommand } from '../suggest-command.ts';
import { withApp } from '../with-app.ts';
import { log, parseDuration, print } from './print.ts';

export interface ArchiveFlags extends CommonFlags {
  readonly workflow?: string;
  readonly olderThan: string;
  readonly output?: string;
  readonly delete?: boolean;
  readonly dryRun?: boolean;
}

export async function archive(flags: ArchiveFlags): Promise<void> {
  const olderThanMs = parseDuration('--older-than', flags.olderThan);
  const dryRun = flags.dryRun === true;
  if (!dryRun && flags.output === undefined)
    throw new SeineError('usage', 'Missing option: --output', {
      hint: 'Specify a file for the events, --output events.jsonl, or count them only: --dry-run',
    });
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const file = dryRun ? null : await openArchive(flags.output!);
    try {
      const archived = await archiveEvents(db, {
        tenant,
        workflow: flags.workflow,
        olderThanMs,
        dryRun,
        delete: flags.delete === true,
        write: (events) => writeLines(file!, events),
      });
      if (flags.json) print([JSON.stringify(archived)]);
      else reportArchived(archived, flags);
    } finally {
      await file?.close();
    }
  });
}

export type PurgeFlags = Omit<ArchiveFlags, 'delete'>;

export async function purge(flags: PurgeFlags): Promise<void> {
  const { workflow, dryRun = false } = flags;
  const olderThanMs = parseDuration('--older-than', flags.olderThan);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const file = dryRun || flags.output === undefined ? null : await openArchive(flags.output);
    try {
      const write = file && { write: (events: readonly ArchivedEvent[]) => writeLines(file, events) };
      const purged = await purgeWorkflows(db, { tenant, workflow, olderThanMs, dryRun, ...write });
      const { workflows, events, actions } = purged;
      if (flags.json) return print([JSON.stringify({ workflows, events, actions })]);
      const what = `${pluralize(workflows, 'workflow')} with ${pluralize(events, 'event')} and ${pluralize(actions, 'action')}`;
      log(dryRun ? `${what} would be purged. Nothing was written.` : `${what} purged.`);
    } finally {
      await file?.close();
    }
  });
}

/** Appends: the events of an earlier run may be stored nowhere else. */
async function openArchive(path: string): Promise<FileHandle> {
  checkOutputFile(path);
  return open(path, 'a', 0o600);
}

/** Synced to disk before it resolves: the caller may then delete the events from the database. */
async function writeLines(file: FileHandle, events: readonly ArchivedEvent[]): Promise<void> {
  await file.appendFile(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  await file.datasync();
}

function reportArchived(archived: Awaited<ReturnType<typeof archiveEvents>>, flags: ArchiveFlags): void {
  const what = `${pluralize(archived.events, 'event')} of ${pluralize(archived.workflows, 'workflow')}`;
  if (flags.dryRun) log(`${what} would be archived. Nothing was written.`);
  else if (flags.delete) log(`${what} written to ${flags.output} and deleted from the database.`);
  else log(`${what} written to ${flags.output}; --delete also deletes them from the database.`);
  if (archived.unread.length > 0)
    log(
      `Not archived, since no reader has read them yet: ${archived.unread.join(', ')} (${suggestCommand(['partitions', 'status'], flags)}).`,
    );
}
