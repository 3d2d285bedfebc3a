/** The subcommands of `seine deadletter`. */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { App } from '../app.ts';
import { messageOf, SeineError } from '../base/errors.ts';
import { parseWholeNumber } from '../config.ts';
import {
  type DeadLetter,
  groupLetters,
  type LetterFilter,
  type LetterGroup,
  listLetters,
  purgeLetters,
} from '../scans/dead-letters/letter-store.ts';
import { type RetriedActions, retryActionLetters, retryLetters } from '../scans/dead-letters/retry.ts';
import { finishHooks } from './hooks/finish-hooks.ts';
import { type CommonFlags, parseScanId } from './options.ts';
import { pluralize } from './output/quantities.ts';
import { table } from './output/table.ts';
import { visible } from './output/visible.ts';
import { suggestCommand } from './suggest-command.ts';
import { withApp } from './with-app.ts';
import { withJobs } from './with-jobs.ts';

export interface DeadLetterFlags extends CommonFlags {
  readonly scan?: string;
  readonly kind?: string;
  readonly errorGroup?: string;
  readonly state?: 'open' | 'retrying' | 'resolved' | 'all';
  readonly limit?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly output?: string;
}

const PAGE = 1000;

export async function listDeadLetters(ids: string[], flags: DeadLetterFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const limit = parseWholeNumber('--limit', flags.limit, 100, 1, 1_000_000);
    const letters = await listLetters(app.db, filterOf(app, ids, flags), { limit });
    if (flags.json) return print(letters.map((letter) => JSON.stringify(letter)));
    if (letters.length === 0) return log('No matching dead letters.');
    const rows = letters.map((letter) => [
      String(letter.id),
      scanColumn(letter),
      letter.kind,
      letter.state,
      String(letter.attempts),
      visible(letter.path),
      visible(letter.reason),
    ]);
    const head = ['ID', 'SCAN', 'KIND', 'STATE', 'TRIES', 'WHAT', 'WHY'];
    process.stdout.write(table(['right', 'right', 'left', 'left', 'right', 'left', 'left'], [head, ...rows]));
    if (letters.length === limit) log(`Only the first ${limit} are listed; --limit shows more.`);
  });
}

export async function showDeadLetter(id: string, flags: DeadLetterFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const [letter] = await listLetters(app.db, filterOf(app, [id], { ...flags, state: 'all' }), { limit: 1 });
    if (!letter) {
      throw new SeineError('not-found', `No dead letter ${id}.`, {
        hint: 'List them: seine deadletter list --state all',
      });
    }
    if (flags.json) return print([JSON.stringify(letter, null, 2)]);
    print([
      `Dead letter ${letter.id}: ${letter.kind} of ${ownerOf(letter)}`,
      `  what      ${visible(letter.path)}`,
      `  why       ${visible(letter.reason)}`,
      `  cause     ${visible(letter.signature)}`,
      `  state     ${letter.state}, ${pluralize(letter.attempts, 'try', 'tries')}`,
      `  since     ${letter.createdAt.toISOString()}`,
      ...(letter.retriedAt ? [`  retried   ${letter.retriedAt.toISOString()}`] : []),
      ...Object.entries(letter.evidence).map(
        ([name, value]) => `  ${name.padEnd(9)} ${visible(String(value))}`,
      ),
    ]);
    if (letter.state === 'open')
      log(`Retry with: ${suggestCommand(['deadletter', 'retry', id, '--yes'], flags)}`);
  });
}

export async function analyzeDeadLetters(ids: string[], flags: DeadLetterFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const groups = await groupLetters(app.db, filterOf(app, ids, flags));
    if (flags.json) return print(groups.map((group) => JSON.stringify(group)));
    if (groups.length === 0) return log('No matching dead letters.');
    print([overview(groups)]);
  });
}

/** Returns false if a hook of a reopened scan failed again. */
export async function retryDeadLetters(ids: string[], flags: DeadLetterFlags): Promise<boolean> {
  return withApp(flags, async (app) => {
    if (flags.state !== undefined && flags.state !== 'open')
      throw new SeineError('usage', 'Only open dead letters can be retried.', {
        hint: 'Omit --state. Dead letters in retry are open again when the retry fails or is cancelled.',
      });
    const filter = filterOf(app, ids, flags);
    if (!(await confirmed(app, filter, flags, 'retried'))) return true;
    const { letters, scans, ends } = await withJobs(app, (jobs) => retryLetters(app.db, jobs, filter));
    const actions = await retryActionLetters(app.db, filter);
    const single = app.config.mode === 'single';
    const retried = letters + actions.letters;
    if (flags.json) print([JSON.stringify({ retried, scans, ends, tooLate: actions.tooLate })]);
    else printRetried(retried, scans, single, flags);
    if (!flags.json) printRetriedActions(actions, flags);
    let succeeded = true;
    for (const scan of single ? ends : []) succeeded = (await finishHooks(app, scan, flags)) && succeeded;
    return succeeded;
  });
}

function printRetried(
  letters: number,
  scans: readonly number[],
  single: boolean,
  flags: DeadLetterFlags,
): void {
  log(`${pluralize(letters, 'dead letter')} queued for retry.`);
  const hint = single ? 'Resume with' : 'Workers process them; without workers, resume with';
  for (const scan of scans) log(`  ${hint}: ${suggestCommand(['resume', String(scan)], flags)}`);
}

function printRetriedActions({ letters, tooLate }: RetriedActions, flags: DeadLetterFlags): void {
  if (letters > 0) log(`  Workflow runners will execute ${pluralize(letters, 'action')}.`);
  if (tooLate === 0) return;
  log(`${pluralize(tooLate, 'action')} can't be retried: the workflow has ended.`);
  log(`  Delete them with: ${suggestCommand(['deadletter', 'purge', '--kind', 'action'], flags)}`);
}

export async function purgeDeadLetters(ids: string[], flags: DeadLetterFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const filter = filterOf(app, ids, flags);
    if (!(await confirmed(app, filter, flags, 'deleted'))) return;
    const purged = await purgeLetters(app.db, filter);
    if (flags.json) print([JSON.stringify({ purged })]);
    else log(`${pluralize(purged, 'dead letter')} deleted.`);
  });
}

export async function exportDeadLetters(ids: string[], flags: DeadLetterFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const filter = filterOf(app, ids, flags);
    if (flags.output !== undefined) createExportFile(flags.output);
    let page: DeadLetter[] = [];
    let written = 0;
    do {
      page = await listLetters(app.db, filter, { limit: PAGE, after: page.at(-1)?.id ?? 0 });
      const lines = page.map((letter) => `${JSON.stringify(letter)}\n`).join('');
      if (flags.output === undefined) process.stdout.write(lines);
      else writeFileSync(flags.output, lines, { flag: 'a' });
      written += page.length;
    } while (page.length === PAGE);
    if (flags.output !== undefined) log(`${pluralize(written, 'dead letter')} written to ${flags.output}.`);
  });
}

function createExportFile(path: string): void {
  try {
    writeFileSync(path, '', { mode: 0o600 });
  } catch (cause) {
    throw new SeineError('usage', `${path} can't be written: ${messageOf(cause)}`, {
      hint: 'Pass a file in an existing folder that you can write to.',
      cause,
    });
  }
}

/** Prints the count first. Asks for confirmation on a terminal; elsewhere `--yes` is required. */
async function confirmed(
  app: App,
  filter: LetterFilter,
  flags: DeadLetterFlags,
  done: string,
): Promise<boolean> {
  const groups = await groupLetters(app.db, filter);
  const letters = groups.reduce((sum, group) => sum + group.letters, 0);
  if (letters === 0) {
    if (flags.json) print([JSON.stringify({ would: 0, groups })]);
    else log('No matching dead letters.');
    return false;
  }
  if (!flags.json) log(`${overview(groups)}${pluralize(letters, 'dead letter')} would be ${done}.`);
  if (flags.dryRun) {
    if (flags.json) print([JSON.stringify({ would: letters, groups })]);
    return false;
  }
  if (flags.yes) return true;
  if (!process.stdin.isTTY) {
    throw new SeineError('usage', 'Not a terminal; pass --yes to confirm.', {
      hint: 'Nothing was changed. --dry-run shows what would be done.',
    });
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question('Continue? [y/N] ');
  prompt.close();
  return /^y(es)?$/i.test(answer.trim());
}

function scanColumn({ scan }: { readonly scan: number | null }): string {
  return scan === null ? '-' : String(scan);
}

function ownerOf({ scan, source, evidence }: DeadLetter): string {
  if (scan !== null) return `scan ${scan} (${visible(source ?? '')})`;
  return `workflow ${visible(`${evidence.workflow}/${evidence.id}`)}`;
}

function overview(groups: readonly LetterGroup[]): string {
  const rows = groups.map((group) => [
    String(group.letters),
    scanColumn(group),
    group.kind,
    visible(group.signature),
    visible(group.example),
  ]);
  return table(
    ['right', 'right', 'left', 'left', 'left'],
    [['LETTERS', 'SCAN', 'KIND', 'CAUSE', 'EXAMPLE'], ...rows],
  );
}

function filterOf(app: App, ids: readonly string[], flags: DeadLetterFlags): LetterFilter {
  const numbers = ids.map((id) => parseWholeNumber('ID', id, 0, 1, Number.MAX_SAFE_INTEGER));
  return {
    tenant: app.config.tenant,
    scan: flags.scan === undefined ? undefined : parseScanId(flags.scan),
    kind: flags.kind,
    signature: flags.errorGroup,
    ids: numbers.length > 0 ? numbers : undefined,
    state: flags.state === 'all' ? undefined : (flags.state ?? 'open'),
  };
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`)).join(''));
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
