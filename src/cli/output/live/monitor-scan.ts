/** `seine monitor`: a snapshot of a scan, or following it to its end. Returns the exit code. Without a scan it shows workflows and workers. */
import type { App } from '../../../app.ts';
import { SeineError } from '../../../base/errors.ts';
import { readScan } from '../../../scans/lifecycle/scan-store.ts';
import { evaluateAlerts, evaluateScanlessAlerts } from '../../../scans/monitor/alerts.ts';
import { readSnapshot, readWithoutScan } from '../../../scans/monitor/read-snapshot.ts';
import { listShardSummaries, SHARD_STATES } from '../../../scans/monitor/shard-summaries.ts';
import type { ScanlessSnapshot } from '../../../scans/monitor/snapshot.ts';
import { SnapshotHistory } from '../../../scans/monitor/snapshot-history.ts';
import { scanToWatch } from '../../../scans/monitor/snapshot-store.ts';
import { watchScan, watchWithoutScan } from '../../../scans/monitor/watch-scan.ts';
import { listWorkerSummaries } from '../../../scans/monitor/worker-summaries.ts';
import { EXIT } from '../../exit-code.ts';
import { type CommonFlags, parseScanId } from '../../options.ts';
import { standardOutput } from '../../standard-output.ts';
import { suggestCommand } from '../../suggest-command.ts';
import { checkOutputFile } from '../output-file.ts';
import { detectTerminalStyle } from '../terminal-style.ts';
import { alertSection } from './alert-section.ts';
import { exportJson } from './export-file.ts';
import { renderPage } from './frame.ts';
import { runUntilQuit } from './run-until-quit.ts';
import { renderLine } from './styled-line.ts';
import { shardTable, workerTable } from './tables.ts';
import { type MonitorView, watchAsLines, watchOnScreen } from './watch-live.ts';

export interface MonitorFlags extends CommonFlags {
  readonly live?: boolean;
  readonly details?: boolean;
  readonly alerts?: boolean;
  readonly export?: string;
}

export async function monitorScan(app: App, id: string | undefined, flags: MonitorFlags): Promise<number> {
  if (flags.export !== undefined) checkOutputFile(flags.export);
  const hasNone = id === undefined && (await scanToWatch(app.db, app.config.tenant)) === null;
  const scan = hasNone ? null : await chooseScanToWatch(app, id, flags);
  if (flags.live) return follow(app, scan, flags);
  const view = await takeSnapshot(app, scan);
  if (flags.export !== undefined) await exportJson(flags.export, viewJson(view));
  if (flags.alerts) return printAlerts(view, flags);
  await printView(app, view, flags);
  return EXIT.done;
}

/** The given scan, else the newest that has not ended, else the newest. */
export async function chooseScanToWatch(
  app: App,
  id: string | undefined,
  flags: CommonFlags,
): Promise<number> {
  const { db, config } = app;
  const chosen = id === undefined ? await scanToWatch(db, config.tenant) : parseScanId(id);
  const scan = chosen === null ? null : await readScan(db, chosen);
  if (scan?.tenant === config.tenant) return scan.id;
  throw new SeineError('not-found', id === undefined ? 'No scans yet.' : `No scan ${id}.`, {
    hint:
      id === undefined
        ? `Start one with: ${suggestCommand(['scan', 'FOLDER'], flags)}`
        : `List the scans: ${suggestCommand(['scans'], flags)}`,
  });
}

async function takeSnapshot({ db, config }: App, scan: number | null): Promise<MonitorView> {
  if (scan === null) {
    const snapshot = await readWithoutScan(db, { staleMs: config.staleMs });
    return { snapshot, alerts: evaluateScanlessAlerts(null, snapshot, config.alerts) };
  }
  const snapshot = (await readSnapshot(db, scan, { staleMs: config.staleMs }))!;
  return { snapshot, alerts: evaluateAlerts(null, snapshot, config.alerts) };
}

function viewJson({ snapshot, alerts }: MonitorView): object {
  return { ...snapshot, alerts };
}

function printAlerts({ alerts }: MonitorView, flags: MonitorFlags): number {
  const style = detectTerminalStyle(process.stdout, process.env, flags);
  const lines = alertSection(alerts, style.width, style).map((line) => renderLine(line, style.width, style));
  if (flags.json) process.stdout.write(`${JSON.stringify(alerts, null, 2)}\n`);
  else if (!flags.quiet) process.stdout.write(`${lines.length > 0 ? lines.join('\n') : 'no alerts'}\n`);
  return alerts.length > 0 ? EXIT.findings : EXIT.done;
}

const DETAILED_SHARDS = 50;
const NO_SHARDS = { shards: [], total: 0 };

async function printView({ db, config }: App, view: MonitorView, flags: MonitorFlags): Promise<void> {
  const style = detectTerminalStyle(process.stdout, process.env, flags);
  const id = view.snapshot.scan?.id;
  const details = flags.details
    ? {
        ...(id === undefined ? NO_SHARDS : await listShardSummaries(db, id, SHARD_STATES, DETAILED_SHARDS)),
        workers: await listWorkerSummaries(db, config.tenant, config.staleMs),
      }
    : null;
  if (flags.json) {
    const more = details && { details: { shards: details.shards, workers: details.workers } };
    process.stdout.write(`${JSON.stringify({ ...viewJson(view), ...more }, null, 2)}\n`);
  } else if (!flags.quiet) {
    process.stdout.write(renderPage(view.snapshot, view.alerts, style));
    if (details === null) return;
    const all = suggestCommand(['shards', String(id), '--limit', String(details.total)], flags);
    const more =
      details.total > details.shards.length
        ? `${details.shards.length} of ${details.total} shards; list all: ${all}\n`
        : '';
    if (id !== undefined) process.stdout.write(`\n${shardTable(details.shards, style)}${more}`);
    if (details.workers.length > 0) process.stdout.write(`\n${workerTable(details.workers, style)}`);
  }
}

async function follow(app: App, scan: number | null, flags: MonitorFlags): Promise<number> {
  const { stdout, stdin } = process;
  const style = detectTerminalStyle(stdout, process.env, flags);
  const screen = stdout.isTTY && !flags.json && !flags.quiet && process.env.TERM !== 'dumb';
  const last = await runUntilQuit(screen ? stdin : null, async (signal) => {
    const views = exporting(monitorViews(app, scan, signal), flags);
    if (screen) return watchOnScreen(views, stdout, style);
    return flags.json ? streamJson(views) : watchAsLines(views, stdout, { quiet: flags.quiet === true });
  });
  if (last === null) return EXIT.error;
  if (screen) stdout.write(renderPage(last.snapshot, last.alerts, style)); // stays visible after the alternate screen is left
  const { scan: watched } = last.snapshot;
  return watched === null || watched.status === 'completed' ? EXIT.done : EXIT.error;
}

const EXPORT_SECONDS = 10;

/** Of a scan until its end. Where there is none: until there is one, and then of that. */
async function* monitorViews(
  app: App,
  scan: number | null,
  signal: AbortSignal,
): AsyncGenerator<MonitorView> {
  const { db, config } = app;
  const options = { signal, staleMs: config.staleMs, workers: Math.max(50, process.stdout.rows ?? 0) };
  if (scan !== null) {
    const recent = new SnapshotHistory();
    for await (const snapshot of watchScan(db, scan, options))
      yield { snapshot, alerts: evaluateAlerts(recent.record(snapshot), snapshot, config.alerts) };
    return;
  }
  const recent = new SnapshotHistory<ScanlessSnapshot>();
  for await (const snapshot of watchWithoutScan(db, config.tenant, options))
    yield { snapshot, alerts: evaluateScanlessAlerts(recent.record(snapshot), snapshot, config.alerts) };
  const first = signal.aborted ? null : await scanToWatch(db, config.tenant);
  if (first !== null) yield* monitorViews(app, first, signal);
}

async function* exporting(
  views: AsyncIterable<MonitorView>,
  flags: MonitorFlags,
): AsyncGenerator<MonitorView> {
  let exportedAt = Number.NEGATIVE_INFINITY;
  let last: MonitorView | null = null;
  for await (const view of views) {
    last = view;
    if (standardOutput.failed) break; // standard output is closed
    yield view;
    if (flags.export === undefined || performance.now() - exportedAt < EXPORT_SECONDS * 1000) continue;
    await exportJson(flags.export, viewJson(view));
    exportedAt = performance.now();
  }
  if (flags.export !== undefined && last !== null) await exportJson(flags.export, viewJson(last));
}

/** Prints one line of JSON for each snapshot. */
async function streamJson(views: AsyncIterable<MonitorView>): Promise<MonitorView | null> {
  let last: MonitorView | null = null;
  for await (const view of views) {
    process.stdout.write(`${JSON.stringify(viewJson(view))}\n`);
    last = view;
  }
  return last;
}
