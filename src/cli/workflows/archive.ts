/** What `seine workflows archive` and `purge` do: old events as lines of JSON into a file, and out of the database if that is wanted. */
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
    throw new SeineError('usage', 'Nobody said where to: --output is missing.', {
      hint: 'Name a file for the events, --output events.jsonl, or only count them: --dry-run',
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
      log(dryRun ? `${what} would be purged. Nothing was written.` : `${what} were purged.`);
    } finally {
      await file?.close();
    }
  });
}

/** What is in it stays: the events of another run may be nowhere else. */
async function openArchive(path: string): Promise<FileHandle> {
  checkOutputFile(path);
  return open(path, 'a', 0o600);
}

/** On the disk, not only on its way there: what follows may be that they are deleted. */
async function writeLines(file: FileHandle, events: readonly ArchivedEvent[]): Promise<void> {
  await file.appendFile(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  await file.datasync();
}

function reportArchived(archived: Awaited<ReturnType<typeof archiveEvents>>, flags: ArchiveFlags): void {
  const what = `${pluralize(archived.events, 'event')} of ${pluralize(archived.workflows, 'workflow')}`;
  if (flags.dryRun) log(`${what} would be archived. Nothing was written.`);
  else if (flags.delete) log(`${what} are in ${flags.output}, and no longer in the database.`);
  else log(`${what} are in ${flags.output}; with --delete they go from the database as well.`);
  if (archived.unread.length > 0)
    log(
      `Left alone, since nobody has read them yet: ${archived.unread.join(', ')} (${suggestCommand(['partitions', 'status'], flags)}).`,
    );
}
