/** The subcommands of `seine baseline`. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { messageOf, SeineError } from '../../base/errors.ts';
import { parseWholeNumber } from '../../config.ts';
import { baselineLines } from '../../scans/baselines/baseline-file.ts';
import {
  baselineObjects,
  listBaselines,
  removeBaseline,
  unreadObjects,
} from '../../scans/baselines/baseline-store.ts';
import { createBaseline } from '../../scans/baselines/baselines.ts';
import { compareWithBaseline } from '../../scans/baselines/compare-with-baseline.ts';
import { totalsOf } from '../../scans/comparing/totals.ts';
import { keyCheckOf } from '../../scans/results/fingerprint-key.ts';
import type { CommonFlags } from '../options.ts';
import { changeOf, differenceJson, differenceLine, summaryText } from '../output/differences.ts';
import { groupDigits, pluralize } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { detectTerminalStyle } from '../output/terminal-style.ts';
import { visible } from '../output/visible.ts';
import { writeChunks } from '../output/write-chunks.ts';
import { standardOutput } from '../standard-output.ts';
import { suggestCommand } from '../suggest-command.ts';
import { currentUser } from '../suppressions/current-user.ts';
import { chooseScan, withApp } from '../with-app.ts';
import { baselineOf } from './choose.ts';

export interface BaselineFlags extends CommonFlags {
  readonly scan?: string;
  readonly replace?: boolean;
  readonly output?: string;
  readonly limit?: string;
  readonly failOn?: string;
}

export async function create(name: string, flags: BaselineFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const scan = await chooseScan(app, flags.scan, flags);
    await createBaseline(app.db, scan, { name, by: currentUser(), replace: flags.replace === true });
    const baseline = await baselineOf(app, name);
    const unread = await unreadObjects(app.db, scan.id);
    if (flags.json) return void process.stdout.write(`${JSON.stringify({ ...baseline, unread }, null, 2)}\n`);
    const { findings, objects } = baseline;
    log(
      `Baseline ${name}: ${pluralize(findings, 'finding')} in ${pluralize(objects, 'object')} of scan ${scan.id}.`,
    );
    if (unread > 0)
      log(`  ${pluralize(unread, 'object')} not fully read; their findings will be reported as new.`);
    log(`  ${suggestCommand(['scan', scan.target, '--baseline', name], flags)}   reports only what is new`);
  });
}

export async function list(flags: BaselineFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const baselines = await listBaselines(app.db, app.config.tenant);
    if (flags.json)
      return void process.stdout.write(baselines.map((baseline) => `${JSON.stringify(baseline)}\n`).join(''));
    if (baselines.length === 0) return log('No baselines.');
    const rows = baselines.map((baseline) => [
      visible(baseline.name),
      String(baseline.scan),
      groupDigits(baseline.objects),
      groupDigits(baseline.findings),
      baseline.createdAt.toISOString().slice(0, 16).replace('T', ' '),
      visible(baseline.createdBy),
      visible(baseline.source),
    ]);
    const head = ['NAME', 'SCAN', 'OBJECTS', 'FINDINGS', 'CREATED (UTC)', 'BY', 'SOURCE'];
    process.stdout.write(table(['left', 'right', 'right', 'right', 'left', 'left', 'left'], [head, ...rows]));
  });
}

export async function remove(name: string, flags: BaselineFlags): Promise<void> {
  await withApp(flags, async (app) => {
    await baselineOf(app, name);
    await removeBaseline(app.db, app.config.tenant, name);
    if (flags.json) process.stdout.write(`${JSON.stringify({ removed: name })}\n`);
    else log(`Baseline ${name} removed.`);
  });
}

export async function exportOne(name: string, flags: BaselineFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const baseline = await baselineOf(app, name);
    const lines = baselineLines(baseline, baselineObjects(app.db, baseline.id), keyCheckOf(app.secret));
    if (flags.output === undefined) return writeChunks(lines, process.stdout);
    try {
      await pipeline(lines, createWriteStream(flags.output, { mode: 0o600 }));
    } catch (cause) {
      throw new SeineError('usage', `${flags.output} can't be written: ${messageOf(cause)}`, { cause });
    }
    log(`Baseline ${name} written to ${flags.output}. Using it requires the same fingerprint key.`);
  });
}

/** Returns whether there is a change of the kind given with --fail-on. */
export async function diff(name: string, id: string | undefined, flags: BaselineFlags): Promise<boolean> {
  return withApp(flags, async (app) => {
    const baseline = await baselineOf(app, name);
    const scan = await chooseScan(app, id, flags);
    const style = detectTerminalStyle(process.stdout, process.env, flags);
    const limit = flags.json
      ? undefined
      : parseWholeNumber('--limit', flags.limit, 200, 0, Number.MAX_SAFE_INTEGER);
    return compareWithBaseline(app.db, baseline, scan, async ({ summary, differences }) => {
      const totals = totalsOf(summary);
      if (flags.json) {
        const head = { baseline: name, scan: scan.id, totals, ...summary };
        process.stdout.write(`${JSON.stringify({ summary: head })}\n`);
      } else {
        process.stdout.write(`Baseline ${name} → scan ${scan.id} of ${visible(scan.source)}\n`);
        process.stdout.write(summaryText(summary, null));
        if (baseline.inventoryKey !== scan.inventoryKey)
          process.stdout.write('  Rules or detectors differ from those of the baseline.\n');
      }
      let shown = 0;
      for await (const difference of differences()) {
        if (standardOutput.failed || shown++ === limit) break;
        const line = flags.json
          ? JSON.stringify(differenceJson(difference))
          : differenceLine(difference, style);
        process.stdout.write(`${line}\n`);
      }
      if (limit !== undefined && shown > limit) log(`More differences not shown; raise --limit.`);
      return changeOf(flags.failOn, totals);
    });
  });
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
