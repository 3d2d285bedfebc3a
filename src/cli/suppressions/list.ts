/** `seine suppressions list|show|remove|unused`. */
import type { App } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import { parseWholeNumber } from '../../config.ts';
import { hitPaths, unusedSuppressions } from '../../scans/suppressions/hit-store.ts';
import type { Suppression } from '../../scans/suppressions/suppression.ts';
import { suppressionJson } from '../../scans/suppressions/suppression-file.ts';
import {
  listSuppressions,
  readSuppression,
  removeSuppression,
} from '../../scans/suppressions/suppression-store.ts';
import type { CommonFlags } from '../options.ts';
import { groupDigits, pluralize } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/visible.ts';
import { suggestCommand } from '../suggest-command.ts';
import { withApp } from '../with-app.ts';
import { day, describeMatch } from './add.ts';
import { currentUser } from './current-user.ts';

export interface ListFlags extends CommonFlags {
  readonly all?: boolean;
  readonly scans?: string;
  readonly fail?: boolean;
}

const PAGE = 500;
const PLACES = 10;

export async function allSuppressions(app: App, all: boolean): Promise<Suppression[]> {
  const entries: Suppression[] = [];
  let page: Suppression[] = [];
  do {
    const after = page.at(-1)?.id ?? 0;
    page = await listSuppressions(app.db, app.config.tenant, { all, after, limit: PAGE });
    entries.push(...page);
  } while (page.length === PAGE);
  return entries;
}

export async function listAll(flags: ListFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const entries = await allSuppressions(app, flags.all === true);
    show(entries, flags, 'No suppressions.');
  });
}

/** Returns true if there are any. */
export async function listUnused(flags: ListFlags): Promise<boolean> {
  return withApp(flags, async (app) => {
    const scans = parseWholeNumber('--scans', flags.scans, 3, 1, 10_000);
    const { tenant } = app.config;
    const unused = await unusedSuppressions(app.db, tenant, scans);
    const entries = await Promise.all(unused.map(({ id }) => readSuppression(app.db, tenant, id)));
    const last = scans === 1 ? 'the last scan' : `the last ${scans} scans`;
    show(
      entries.flatMap((entry) => entry ?? []),
      flags,
      `Every suppression had a hit in ${last} of its source, or is newer.`,
    );
    if (unused.length > 0 && !flags.json)
      log(
        `${pluralize(unused.length, 'suppression')} without a hit in ${last}. Remove one with: ${suggestCommand(['suppressions', 'remove', String(unused[0]!.id)], flags)}`,
      );
    return unused.length > 0;
  });
}

export async function showOne(id: string, flags: ListFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const entry = await suppressionOf(app, id);
    const scan = entry.lastHitScan;
    const places = scan === null ? [] : await hitPaths(app.db, scan, entry.id, PLACES);
    if (flags.json)
      return void process.stdout.write(`${JSON.stringify({ ...suppressionJson(entry), places }, null, 2)}\n`);
    process.stdout.write(details(entry).join('\n'));
    for (const { path, hits } of places)
      process.stdout.write(`  ${' '.repeat(11)}${path}: ${groupDigits(hits)}\n`);
  });
}

function details(entry: Suppression): string[] {
  const until = entry.expiresAt === null ? 'removed' : `${day(entry.expiresAt)} (UTC)`;
  const hit = entry.lastHitAt === null ? 'never' : `${moment(entry.lastHitAt)}, scan ${entry.lastHitScan}`;
  return [
    `Suppression ${entry.id} (${stateOf(entry)})`,
    `  matches    ${describeMatch(entry)}`,
    ...(entry.fingerprint === null ? [] : [`  value      ${entry.fingerprint} (keyed hash)`]),
    `  reason     ${visible(entry.reason)}`,
    `  owner      ${visible(entry.owner)}`,
    `  created    ${moment(entry.createdAt)} by ${visible(entry.createdBy)}`,
    `  until      ${until}`,
    ...(entry.removedAt === null
      ? []
      : [`  removed    ${moment(entry.removedAt)} by ${visible(entry.removedBy ?? '?')}`]),
    `  hits       ${groupDigits(entry.hits)}`,
    `  last hit   ${hit}`,
    '',
  ];
}

export async function removeSome(ids: readonly string[], flags: ListFlags): Promise<void> {
  await withApp(flags, async (app) => {
    for (const id of ids) await suppressionOf(app, id); // checks all ids first, so that a mistyped one removes nothing
    const removed: number[] = [];
    for (const id of ids.map(Number))
      if (await removeSuppression(app.db, app.config.tenant, id, currentUser())) removed.push(id);
    if (flags.json) return void process.stdout.write(`${JSON.stringify({ removed })}\n`);
    log(
      `${pluralize(removed.length, 'suppression')} removed. Their findings are reported again from the next scan on.`,
    );
  });
}

async function suppressionOf(app: App, id: string): Promise<Suppression> {
  const number = parseWholeNumber('ID', id, 0, 1, Number.MAX_SAFE_INTEGER);
  const entry = await readSuppression(app.db, app.config.tenant, number);
  if (entry) return entry;
  throw new SeineError('not-found', `No suppression ${id}.`, {
    hint: 'List them: seine suppressions list --all',
  });
}

function show(entries: readonly Suppression[], flags: ListFlags, none: string): void {
  if (flags.json)
    return void process.stdout.write(
      entries.map((entry) => `${JSON.stringify(suppressionJson(entry))}\n`).join(''),
    );
  if (entries.length === 0) return log(none);
  const rows = entries.map((entry) => [
    String(entry.id),
    stateOf(entry),
    describeMatch(entry),
    groupDigits(entry.hits),
    entry.lastHitAt === null ? 'never' : entry.lastHitAt.toISOString().slice(0, 10),
    entry.expiresAt === null ? '-' : day(entry.expiresAt),
    visible(entry.owner),
    visible(entry.reason),
  ]);
  const head = ['ID', 'STATE', 'SUPPRESSES', 'HITS', 'LAST HIT', 'UNTIL', 'OWNER', 'REASON'];
  process.stdout.write(
    table(['right', 'left', 'left', 'right', 'left', 'left', 'left', 'left'], [head, ...rows]),
  );
}

function stateOf({ removedAt, expired }: Suppression): string {
  if (removedAt !== null) return 'removed';
  return expired ? 'expired' : 'in force';
}

function moment(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
