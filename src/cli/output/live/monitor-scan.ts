/** `seine monitor`: one look at a scan, or following it to its end. The exit code says how it stands. Without a scan it shows the rest. */
import type { App } from '../../../app.ts';
import { SeineError } from '../../../base/errors.ts';
import { evaluateAlerts, evaluateScanlessAlerts } from '../../../scans/monitor/alerts.ts';
import { readSnapshot, readWithoutScan } from '../../../scans/monitor/read-snapshot.ts';
import { Recent } from '../../../scans/monitor/recent.ts';
import { SHARD_STATES, shardLines } from '../../../scans/monitor/shard-lines.ts';
import type { ScanlessSnapshot } from '../../../scans/monitor/snapshot.ts';
import { scanToWatch } from '../../../scans/monitor/snapshot-store.ts';
import { watchScan, watchWithoutScan } from '../../../scans/monitor/watch-scan.ts';
import { workerLines } from '../../../scans/monitor/worker-lines.ts';
import { readScan } from '../../../scans/scan-store.ts';
import { commandAgain } from '../../again.ts';
import { EXIT } from '../../exit-code.ts';
import { type CommonFlags, readScanId } from '../../options.ts';
import { standardOutput } from '../../standard-output.ts';
import { lookOf } from '../look.ts';
import { checkOutputFile } from '../output-file.ts';
import { alertSection } from './alert-section.ts';
import { exportJson } from './export-file.ts';
import { renderPage } from './frame.ts';
import { untilLeft } from './leaving.ts';
import { paintLine } from './line.ts';
import { shardTable, workerTable } from './tables.ts';
import { type Sight, watchAsLines, watchOnScreen } from './watch-live.ts';

export interface MonitorFlags extends CommonFlags {
  readonly live?: boolean;
  readonly details?: boolean;
  readonly alerts?: boolean;
  readonly export?: string;
}

export async function monitorScan(app: App, id: string | undefined, flags: MonitorFlags): Promise<number> {
  if (flags.export !== undefined) checkOutputFile(flags.export);
  const hasNone = id === undefined && (await scanToWatch(app.db, app.config.tenant)) === null;
  const scan = hasNone ? null : await chooseWatched(app, id, flags);
  if (flags.live) return follow(app, scan, flags);
  const sight = await look(app, scan);
  if (flags.export !== undefined) await exportJson(flags.export, sightJson(sight));
  if (flags.alerts) return tellAlerts(sight, flags);
  await tell(app, sight, flags);
  return EXIT.done;
}

/** The scan that was named, or the newest that has not ended, or else the newest. */
export async function chooseWatched(app: App, id: string | undefined, flags: CommonFlags): Promise<number> {
  const { db, config } = app;
  const chosen = id === undefined ? await scanToWatch(db, config.tenant) : readScanId(id);
  const scan = chosen === null ? null : await readScan(db, chosen);
  if (scan?.tenant === config.tenant) return scan.id;
  throw new SeineError(
    'not-found',
    id === undefined ? 'There are no scans yet.' : `There is no scan ${id}.`,
    {
      hint:
        id === undefined
          ? `Begin with: ${commandAgain(['scan', 'FOLDER'], flags)}`
          : `${commandAgain(['scans'], flags)} lists them all.`,
    },
  );
}

async function look({ db, config }: App, scan: number | null): Promise<Sight> {
  if (scan === null) {
    const snapshot = await readWithoutScan(db, { staleMs: config.staleMs });
    return { snapshot, alerts: evaluateScanlessAlerts(null, snapshot, config.alerts) };
  }
  const snapshot = (await readSnapshot(db, scan, { staleMs: config.staleMs }))!;
  return { snapshot, alerts: evaluateAlerts(null, snapshot, config.alerts) };
}

function sightJson({ snapshot, alerts }: Sight): object {
  return { ...snapshot, alerts };
}

function tellAlerts({ alerts }: Sight, flags: MonitorFlags): number {
  const lookOut = lookOf(process.stdout, process.env, flags);
  const lines = alertSection(alerts, lookOut.width, lookOut).map((line) =>
    paintLine(line, lookOut.width, lookOut),
  );
  if (flags.json) process.stdout.write(`${JSON.stringify(alerts, null, 2)}\n`);
  else if (!flags.quiet) process.stdout.write(`${lines.length > 0 ? lines.join('\n') : 'no alerts'}\n`);
  return alerts.length > 0 ? EXIT.findings : EXIT.done;
}

const DETAILED_SHARDS = 50;
const NO_SHARDS = { shards: [], total: 0 };

async function tell({ db, config }: App, sight: Sight, flags: MonitorFlags): Promise<void> {
  const lookOut = lookOf(process.stdout, process.env, flags);
  const id = sight.snapshot.scan?.id;
  const details = flags.details
    ? {
        ...(id === undefined ? NO_SHARDS : await shardLines(db, id, SHARD_STATES, DETAILED_SHARDS)),
        workers: await workerLines(db, config.tenant, config.staleMs),
      }
    : null;
  if (flags.json) {
    const more = details && { details: { shards: details.shards, workers: details.workers } };
    process.stdout.write(`${JSON.stringify({ ...sightJson(sight), ...more }, null, 2)}\n`);
  } else if (!flags.quiet) {
    process.stdout.write(renderPage(sight.snapshot, sight.alerts, lookOut));
    if (details === null) return;
    const all = commandAgain(['shards', String(id), '--limit', String(details.total)], flags);
    const more = details.total > details.shards.length ? `all ${details.total} of them: ${all}\n` : '';
    if (id !== undefined) process.stdout.write(`\n${shardTable(details.shards, lookOut)}${more}`);
    if (details.workers.length > 0) process.stdout.write(`\n${workerTable(details.workers, lookOut)}`);
  }
}

async function follow(app: App, scan: number | null, flags: MonitorFlags): Promise<number> {
  const { stdout, stdin } = process;
  const lookOut = lookOf(stdout, process.env, flags);
  const screen = stdout.isTTY && !flags.json && !flags.quiet && process.env.TERM !== 'dumb';
  const last = await untilLeft(screen ? stdin : null, async (signal) => {
    const sights = exporting(sightsOf(app, scan, signal), flags);
    if (screen) return watchOnScreen(sights, stdout, lookOut);
    return flags.json ? pourJson(sights) : watchAsLines(sights, stdout, { quiet: flags.quiet === true });
  });
  if (last === null) return EXIT.error;
  if (screen) stdout.write(renderPage(last.snapshot, last.alerts, lookOut)); // what stays when the screen is gone
  const { scan: watched } = last.snapshot;
  return watched === null || watched.status === 'completed' ? EXIT.done : EXIT.error;
}

const EXPORT_SECONDS = 10;

/** Of a scan until its end. Where there is none: until there is one, and then of that. */
async function* sightsOf(app: App, scan: number | null, signal: AbortSignal): AsyncGenerator<Sight> {
  const { db, config } = app;
  const options = { signal, staleMs: config.staleMs, workers: Math.max(50, process.stdout.rows ?? 0) };
  if (scan !== null) {
    const recent = new Recent();
    for await (const snapshot of watchScan(db, scan, options))
      yield { snapshot, alerts: evaluateAlerts(recent.before(snapshot), snapshot, config.alerts) };
    return;
  }
  const recent = new Recent<ScanlessSnapshot>();
  for await (const snapshot of watchWithoutScan(db, config.tenant, options))
    yield { snapshot, alerts: evaluateScanlessAlerts(recent.before(snapshot), snapshot, config.alerts) };
  const first = signal.aborted ? null : await scanToWatch(db, config.tenant);
  if (first !== null) yield* sightsOf(app, first, signal);
}

async function* exporting(sights: AsyncIterable<Sight>, flags: MonitorFlags): AsyncGenerator<Sight> {
  let exportedAt = Number.NEGATIVE_INFINITY;
  let last: Sight | null = null;
  for await (const sight of sights) {
    last = sight;
    if (standardOutput.failed) break; // nobody reads on
    yield sight;
    if (flags.export === undefined || performance.now() - exportedAt < EXPORT_SECONDS * 1000) continue;
    await exportJson(flags.export, sightJson(sight));
    exportedAt = performance.now();
  }
  if (flags.export !== undefined && last !== null) await exportJson(flags.export, sightJson(last));
}

/** One line of JSON for each snapshot. */
async function pourJson(sights: AsyncIterable<Sight>): Promise<Sight | null> {
  let last: Sight | null = null;
  for await (const sight of sights) {
    process.stdout.write(`${JSON.stringify(sightJson(sight))}\n`);
    last = sight;
  }
  return last;
}
