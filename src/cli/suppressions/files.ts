/** `seine suppressions export|import`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf, SeineError } from '../../base/errors.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { keyCheckOf } from '../../scans/results/fingerprint-key.ts';
import { parseIgnoreFile, type RejectedLine } from '../../scans/suppressions/gitleaks.ts';
import { suppressAll } from '../../scans/suppressions/suppress.ts';
import type { NewSuppression } from '../../scans/suppressions/suppression.ts';
import {
  formatSuppressions,
  isSuppressionFile,
  parseSuppressions,
} from '../../scans/suppressions/suppression-file.ts';
import type { CommonFlags } from '../options.ts';
import { pluralize } from '../output/quantities.ts';
import { visible } from '../output/visible.ts';
import { withApp } from '../with-app.ts';
import { describeMatch, given, sourceOf } from './add.ts';
import { currentUser } from './current-user.ts';
import { parseExpiry } from './expiry.ts';
import { allSuppressions } from './list.ts';

export interface FileFlags extends CommonFlags {
  readonly output?: string;
  readonly owner?: string;
  readonly reason?: string;
  readonly until?: string;
  readonly source?: string;
  readonly dryRun?: boolean;
}

export async function exportAll(flags: FileFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const entries = await allSuppressions(app, false);
    const text = formatSuppressions(entries, keyCheckOf(app.secret));
    if (flags.output === undefined) return void process.stdout.write(text);
    writeText(flags.output, text);
    log(`${pluralize(entries.length, 'suppression')} written to ${flags.output}.`);
  });
}

interface ParsedEntries {
  readonly entries: readonly NewSuppression[];
  readonly refused: readonly RejectedLine[];
}

export async function importFile(file: string, flags: FileFlags): Promise<void> {
  const text = readText(file);
  await withApp(flags, async (app) => {
    const expiresAt = await parseExpiry(app.db, flags.until);
    const { entries, refused } = isSuppressionFile(text)
      ? { entries: parseSuppressions(text, file, keyCheckOf(app.secret)), refused: [] }
      : await fromIgnoreFile(text, file, expiresAt, flags);
    const by = { tenant: app.config.tenant, user: currentUser() };
    const added = flags.dryRun ? [] : await suppressAll(app.db, by, entries);
    const made = added.filter(({ isNew }) => isNew);
    if (flags.json) {
      const ids = made.map(({ id }) => id);
      return void process.stdout.write(
        `${JSON.stringify({ read: entries.length, added: ids, refused }, null, 2)}\n`,
      );
    }
    if (flags.dryRun) for (const entry of entries) log(`  would suppress ${describeMatch(entry)}`);
    else
      log(`${pluralize(made.length, 'suppression')} added, ${added.length - made.length} already existed.`);
    reportRejected(refused);
  });
}

/** Lines of a .gitleaksignore have no reason or owner, and name a line of a file; here they apply to the whole file. */
async function fromIgnoreFile(
  text: string,
  file: string,
  expiresAt: Date | null,
  flags: FileFlags,
): Promise<ParsedEntries> {
  const owner = given('--owner', flags.owner, `The entries of ${file} have no owner.`);
  const reason = flags.reason ?? `imported from ${file}`;
  const source = flags.source === undefined ? null : await sourceOf(flags.source);
  const { matches, refused } = parseIgnoreFile(
    text,
    catalogue.map(({ id }) => id),
  );
  if (!flags.json && matches.length > 0)
    log('Each entry suppresses its detector in the whole file, not only on its line.');
  return { entries: matches.map((match) => ({ ...match, source, reason, owner, expiresAt })), refused };
}

function reportRejected(refused: readonly RejectedLine[]): void {
  if (refused.length === 0) return;
  log(`${pluralize(refused.length, 'line')} not imported:`);
  for (const { line, text, why } of refused) log(`  line ${line}: ${visible(text)} (${why})`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SeineError('usage', `${file} can't be read: ${messageOf(cause)}`, { cause });
  }
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (cause) {
    throw new SeineError('usage', `${file} can't be written: ${messageOf(cause)}`, { cause });
  }
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
