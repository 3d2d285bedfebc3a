/** What the subcommands of `seine baseline` do. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { messageOf, SeineError } from '../../base/errors.ts';
import { wholeNumber } from '../../config.ts';
import { against } from '../../scans/baselines/against.ts';
import { baselineLines } from '../../scans/baselines/baseline-file.ts';
import {
  baselineObjects,
  listBaselines,
  removeBaseline,
  unreadObjects,
} from '../../scans/baselines/baseline-store.ts';
import { createBaseline } from '../../scans/baselines/baselines.ts';
import { totalsOf } from '../../scans/comparing/totals.ts';
import { keyCheckOf } from '../../scans/fingerprint-key.ts';
import { commandAgain } from '../again.ts';
import type { CommonFlags } from '../options.ts';
import { changeOf, differenceJson, differenceLine, summaryText } from '../output/differences.ts';
import { lookOf } from '../output/look.ts';
import { pour } from '../output/pour.ts';
import { counted, grouped } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/visible.ts';
import { standardOutput } from '../standard-output.ts';
import { who } from '../suppressions/who.ts';
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
    await createBaseline(app.db, scan, { name, by: who(), replace: flags.replace === true });
    const baseline = await baselineOf(app, name);
    const unread = await unreadObjects(app.db, scan.id);
    if (flags.json) return void process.stdout.write(`${JSON.stringify({ ...baseline, unread }, null, 2)}\n`);
    const { findings, objects } = baseline;
    say(
      `Baseline ${name}: ${counted(findings, 'finding')} in ${counted(objects, 'object')} of scan ${scan.id}.`,
    );
    if (unread > 0)
      say(`  ${counted(unread, 'object')} of the scan could not be fully read: what is in them will be new.`);
    say(`  ${commandAgain(['scan', scan.target, '--baseline', name], flags)}   reports only what is new`);
  });
}

export async function list(flags: BaselineFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const baselines = await listBaselines(app.db, app.config.tenant);
    if (flags.json)
      return void process.stdout.write(baselines.map((baseline) => `${JSON.stringify(baseline)}\n`).join(''));
    if (baselines.length === 0) return say('There are no baselines.');
    const rows = baselines.map((baseline) => [
      visible(baseline.name),
      String(baseline.scan),
      grouped(baseline.objects),
      grouped(baseline.findings),
      baseline.createdAt.toISOString().slice(0, 16).replace('T', ' '),
      visible(baseline.createdBy),
      visible(baseline.source),
    ]);
    const head = ['NAME', 'SCAN', 'OBJECTS', 'FINDINGS', 'MADE (UTC)', 'BY', 'SOURCE'];
    process.stdout.write(table(['left', 'right', 'right', 'right', 'left', 'left', 'left'], [head, ...rows]));
  });
}

export async function remove(name: string, flags: BaselineFlags): Promise<void> {
  await withApp(flags, async (app) => {
    await baselineOf(app, name);
    await removeBaseline(app.db, app.config.tenant, name);
    if (flags.json) process.stdout.write(`${JSON.stringify({ removed: name })}\n`);
    else say(`Baseline ${name} is removed.`);
  });
}

export async function exportOne(name: string, flags: BaselineFlags): Promise<void> {
  await withApp(flags, async (app) => {
    const baseline = await baselineOf(app, name);
    const lines = baselineLines(baseline, baselineObjects(app.db, baseline.id), keyCheckOf(app.secret));
    if (flags.output === undefined) return pour(lines, process.stdout);
    try {
      await pipeline(lines, createWriteStream(flags.output, { mode: 0o600 }));
    } catch (cause) {
      throw new SeineError('usage', `${flags.output} can't be written: ${messageOf(cause)}`, { cause });
    }
    say(`Baseline ${name} is in ${flags.output}. Whoever uses it needs the same fingerprint key.`);
  });
}

/** Whether it is as in --fail-on. */
export async function diff(name: string, id: string | undefined, flags: BaselineFlags): Promise<boolean> {
  return withApp(flags, async (app) => {
    const baseline = await baselineOf(app, name);
    const scan = await chooseScan(app, id, flags);
    const look = lookOf(process.stdout, process.env, flags);
    const limit = flags.json
      ? undefined
      : wholeNumber('--limit', flags.limit, 200, 0, Number.MAX_SAFE_INTEGER);
    return against(app.db, baseline, scan, async ({ summary, differences }) => {
      const totals = totalsOf(summary);
      if (flags.json) {
        const head = { baseline: name, scan: scan.id, totals, ...summary };
        process.stdout.write(`${JSON.stringify({ summary: head })}\n`);
      } else {
        process.stdout.write(`Baseline ${name} → scan ${scan.id} of ${visible(scan.source)}\n`);
        process.stdout.write(summaryText(summary, null));
        if (baseline.inventoryKey !== scan.inventoryKey)
          process.stdout.write('  Rules or detectors are not those of the baseline.\n');
      }
      let shown = 0;
      for await (const difference of differences()) {
        if (standardOutput.failed || shown++ === limit) break;
        const line = flags.json
          ? JSON.stringify(differenceJson(difference))
          : differenceLine(difference, look);
        process.stdout.write(`${line}\n`);
      }
      if (limit !== undefined && shown > limit) say(`There are more; --limit shows more of them.`);
      return changeOf(flags.failOn, totals);
    });
  });
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
