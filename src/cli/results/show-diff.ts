/** `seine diff`: new, gone and moved findings between two scans, and why. */
import type { App } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import { parseWholeNumber } from '../../config.ts';
import { type Comparison, compareScans } from '../../scans/comparing/compare.ts';
import { previousScan } from '../../scans/comparing/previous-store.ts';
import { type Causes, causesOf, totalsOf } from '../../scans/comparing/totals.ts';
import { readScan, type ScanRow } from '../../scans/lifecycle/scan-store.ts';
import type { CommonFlags } from '../options.ts';
import { changeOf, differenceJson, differenceLine, summaryText } from '../output/differences.ts';
import { pluralize } from '../output/quantities.ts';
import { detectTerminalStyle } from '../output/terminal-style.ts';
import { visible } from '../output/visible.ts';
import { standardOutput } from '../standard-output.ts';
import { suggestCommand } from '../suggest-command.ts';
import { chooseScan, withApp } from '../with-app.ts';

export interface DiffFlags extends CommonFlags {
  readonly limit?: string;
  readonly failOn?: string;
}

/** Returns whether there is a change of the kind given with --fail-on. */
export async function showDiff(
  first: string | undefined,
  second: string | undefined,
  flags: DiffFlags,
): Promise<boolean> {
  return withApp(flags, async (app) => {
    const { before, after } = await chooseTwo(app, first, second, flags);
    return compareScans(app.db, app.secret, before, after, async (comparison) => {
      const causes = await causesOf(comparison.differences());
      if (flags.json) await printJson(comparison, causes, before, after);
      else await printText(comparison, causes, before, after, flags);
      return changeOf(flags.failOn, totalsOf(comparison.summary));
    });
  });
}

/** The two given scans, or the given one (default: the newest) and the one before it. */
async function chooseTwo(
  app: App,
  first: string | undefined,
  second: string | undefined,
  flags: DiffFlags,
): Promise<{ before: ScanRow; after: ScanRow }> {
  if (second !== undefined)
    return { before: await ended(app, first, flags), after: await ended(app, second, flags) };
  const after = await ended(app, first, flags);
  const previous = await previousScan(app.db, after);
  if (previous !== null) return { before: (await readScan(app.db, previous))!, after };
  throw new SeineError('not-found', `No scan of ${after.source} before scan ${after.id}.`, {
    hint: `Scan again, or specify two scans: ${suggestCommand(['diff', 'SCAN', 'SCAN'], flags)}. List them: ${suggestCommand(['scans'], flags)}`,
  });
}

async function ended(app: App, id: string | undefined, flags: DiffFlags): Promise<ScanRow> {
  const scan = await chooseScan(app, id, flags);
  if (scan.finishedAt !== null) return scan;
  throw new SeineError('conflict', `Scan ${scan.id} has not ended (${scan.status}).`, {
    hint: 'Only ended scans can be compared.',
  });
}

async function printJson(
  { summary, differences }: Comparison,
  causes: Causes,
  before: ScanRow,
  after: ScanRow,
): Promise<void> {
  const head = { before: before.id, after: after.id, totals: totalsOf(summary), causes, ...summary };
  process.stdout.write(`${JSON.stringify({ summary: head })}\n`);
  for await (const difference of differences()) {
    if (standardOutput.failed) return;
    process.stdout.write(`${JSON.stringify(differenceJson(difference))}\n`);
  }
}

async function printText(
  { summary, differences }: Comparison,
  causes: Causes,
  before: ScanRow,
  after: ScanRow,
  flags: DiffFlags,
): Promise<void> {
  const style = detectTerminalStyle(process.stdout, process.env, flags);
  const limit = parseWholeNumber('--limit', flags.limit, 200, 0, Number.MAX_SAFE_INTEGER);
  process.stdout.write(`Scan ${before.id} → scan ${after.id} of ${visible(after.source)}\n`);
  process.stdout.write(summaryText(summary, causes));
  for (const note of notesOf(before, after)) process.stdout.write(`  ${note}\n`);
  let shown = 0;
  let left = 0;
  for await (const difference of differences()) {
    if (standardOutput.failed) return;
    if (shown === limit) left++;
    else {
      process.stdout.write(`${shown++ === 0 ? '\n' : ''}${differenceLine(difference, style)}\n`);
    }
  }
  if (left > 0) process.stderr.write(`${pluralize(left, 'more difference')} not shown; raise --limit.\n`);
}

function notesOf(before: ScanRow, after: ScanRow): string[] {
  const notes: string[] = [];
  if (before.source !== after.source)
    notes.push(`Scan ${before.id} has a different source: ${visible(before.source)}`);
  if (before.inventoryKey !== after.inventoryKey) notes.push('Rules or detectors differ.');
  if (JSON.stringify(before.scope) !== JSON.stringify(after.scope))
    notes.push('Scopes differ: objects in only one of them count as data changes.');
  for (const scan of [before, after])
    if (scan.status !== 'completed')
      notes.push(`Scan ${scan.id} is ${scan.status}: not everything was scanned.`);
  return notes;
}
