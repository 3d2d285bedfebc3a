/** `seine partitions status`, `scale`, `start` and `repair-log`. */
import { openApp } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import { parseWholeNumber } from '../../config.ts';
import { formatOffset } from '../../events/offset.ts';
import { assertOwnLog, renumberLog } from '../../workflows/archive/renumber-log.ts';
import { MAX_PARTITIONS } from '../../workflows/partitions/partition.ts';
import { dropUnusedIndexes } from '../../workflows/partitions/partition-index-store.ts';
import {
  formatPartitionSpec,
  type PartitionSpec,
  partitionSpecOf,
} from '../../workflows/partitions/partitioning.ts';
import { listPartitionedWorkflows } from '../../workflows/partitions/partitioning-store.ts';
import { rescaleAll, type Scaled } from '../../workflows/partitions/scaling.ts';
import { formatHealth, readHealth } from '../../workflows/queries/health.ts';
import { type PartitionStatus, partitionStatus } from '../../workflows/queries/partition-status.ts';
import type { RunnerSummary } from '../../workflows/queries/partition-store.ts';
import { interruptible } from '../interrupt.ts';
import { type CommonFlags, configOf } from '../options.ts';
import { groupDigits, pluralize } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { withApp } from '../with-app.ts';
import { chooseWorkflows, type ModuleFlags, moduleFiles } from './load-modules.ts';
import { formatTime, log, print } from './print.ts';
import { supervise } from './supervise.ts';

export interface StatusFlags extends CommonFlags {
  readonly workflow?: string;
}

export async function showStatus(flags: StatusFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    const { workflows, runners } = await partitionStatus(db, flags.workflow ?? null);
    const health = await readHealth(db, flags.workflow ?? null);
    if (flags.json) print([JSON.stringify({ workflows, runners, ...health }, null, 2)]);
    else if (workflows.length === 0) log('No workflow has been read yet. Start a runner: seine runner');
    else {
      process.stdout.write([overview(workflows), ...workflows.map(readers), runnerTable(runners)].join('\n'));
      for (const one of workflows) for (const line of waitingLines(one)) log(line);
    }
    for (const line of formatHealth(health)) log(line);
    await assertOwnLog(
      db,
      workflows.map(({ workflow }) => workflow),
    );
  });
}

function overview(workflows: readonly PartitionStatus[]): string {
  const rows = workflows.map((one) => [
    one.workflow,
    formatPartitionSpec(one.mode === 'slots' ? 'slots' : one.total),
    String(one.epoch),
    groupDigits(one.lastMinute),
    groupDigits(one.lag),
    one.slowest.name,
  ]);
  const head = ['WORKFLOW', 'SHARED IN', 'EPOCH', 'EVENTS/MIN', 'WAITING', 'SLOWEST'];
  return table(['left', 'left', 'right', 'right', 'right', 'left'], [head, ...rows]);
}

/** Which workflows need newer code than the runners that read them have, and whether any runner has it. */
function waitingLines({ workflow, waitingForCode }: PartitionStatus): string[] {
  return waitingForCode.map(({ version, workflows: count, runners }) => {
    const wait = `${pluralize(count, 'workflow')} ${count === 1 ? 'waits' : 'wait'} for version ${version} of ${workflow}`;
    if (runners === 0) return `${wait}; no runner has it. Start a runner with that version of the code.`;
    return `${wait}; ${pluralize(runners, 'runner')} ${runners === 1 ? 'has' : 'have'} it and ${runners === 1 ? 'takes' : 'take'} them over.`;
  });
}

/** Slots are grouped by holder: a row for each of 256 slots would be unreadable. */
function readers({ workflow, mode, readers: all, holders }: PartitionStatus): string {
  if (mode === 'slots') {
    const rows = holders.map((one) => [
      holderText(one),
      groupDigits(one.parts.length),
      groupDigits(one.lag),
      formatTime(one.expiresAt),
    ]);
    const head = [`${workflow.toUpperCase()}: HELD BY`, 'SLOTS', 'WAITING', 'EXPIRES'];
    return table(['left', 'right', 'right', 'left'], [head, ...rows]);
  }
  const rows = all.map((one) => [
    String(one.part),
    formatOffset({ xid: BigInt(one.xid), position: BigInt(one.position) }),
    groupDigits(one.lag),
    holderText(one),
    formatTime(one.expiresAt),
  ]);
  const head = [`${workflow.toUpperCase()}: PARTITION`, 'OFFSET', 'WAITING', 'HELD BY', 'EXPIRES'];
  return table(['right', 'right', 'right', 'left', 'left'], [head, ...rows]);
}

function holderText({
  holder,
  host,
  pid,
}: {
  holder: string | null;
  host: string | null;
  pid: number | null;
}): string {
  if (holder === null) return 'none';
  return host === null ? holder : `${host}, pid ${pid}`;
}

function runnerTable(runners: readonly RunnerSummary[]): string {
  const rows = runners.map((one) => [
    one.id.slice(0, 8),
    one.host,
    String(one.pid),
    one.workflows.map((name, n) => `${name} v${one.versions[n] ?? 1}`).join(', '),
    groupDigits(one.parts),
    groupDigits(one.actions),
    formatTime(one.seenAt),
  ]);
  const head = ['RUNNER', 'HOST', 'PID', 'WORKFLOWS', 'PARTS', 'ACTIONS', 'SEEN'];
  return table(['left', 'left', 'right', 'left', 'right', 'right', 'left'], [head, ...rows]);
}

export interface ScaleFlags extends CommonFlags {
  readonly workflow?: readonly string[];
  /** Every workflow that has been read. */
  readonly all?: boolean;
  readonly from: string;
  readonly to: string;
  readonly stop?: boolean;
}

/** Scales all given workflows in one transaction. */
export async function scale(flags: ScaleFlags): Promise<void> {
  if (!flags.all && flags.workflow === undefined)
    throw new SeineError('usage', 'Specify --workflow or --all.', {
      hint: 'For example: --workflow order --workflow shipment',
    });
  const [from, to] = [parsePartitioning('--from', flags.from), parsePartitioning('--to', flags.to)];
  await withApp(flags, async ({ db }) => {
    const running = flags.stop ? 'stop' : 'refuse';
    const workflows = flags.all ? await listPartitionedWorkflows(db) : flags.workflow;
    const scaled = await rescaleAll(db, workflows!, from, to, { running });
    if (scaled.some(({ changed }) => changed)) await dropUnusedIndexes(db).catch(() => {}); // unused indexes only cost disk space
    if (flags.json) return print(scaled.map(jsonOf));
    if (scaled.length === 0) log('No workflow has been read yet; nothing to scale.');
    for (const one of scaled) reportChange(one);
  });
}

function jsonOf({ changed, layout, offset, stopped }: Scaled): string {
  const { workflow, epoch } = layout;
  return JSON.stringify({
    workflow,
    changed,
    shape: partitionSpecOf(layout),
    epoch,
    offset: formatOffset(offset),
    stopped: stopped.map(({ name, host, pid }) => ({ name, host, pid })),
  });
}

function reportChange({ changed, layout, offset, stopped }: Scaled): void {
  const { workflow, epoch } = layout;
  const shape = formatPartitionSpec(partitionSpecOf(layout));
  if (!changed) return log(`${workflow} already has ${shape}.`);
  log(
    `${workflow} now has ${shape} (epoch ${epoch}); all readers start after offset ${formatOffset(offset)}.`,
  );
  if (stopped.length > 0)
    log(`${pluralize(stopped.length, 'running reader')} fenced off; restart the runners.`);
}

function parsePartitioning(name: string, text: string): PartitionSpec {
  if (text === 'slots') return text;
  if (/^\d+$/.test(text)) return Number(text);
  throw new SeineError('usage', `${name} must be a number of partitions or slots, not "${text}".`);
}

export interface StartFlags extends CommonFlags, ModuleFlags {
  readonly workflow?: readonly string[];
  readonly total: string;
  readonly concurrency?: string;
}

/** Runs until it is interrupted, then stops its processes. */
export async function start({ concurrency, ...flags }: StartFlags): Promise<void> {
  const config = configOf(flags);
  const total = parseWholeNumber('--total', flags.total, 1, 1, MAX_PARTITIONS);
  const workflows = await chooseWorkflows(config, flags, flags.workflow);
  const words = [
    ...moduleFiles(config, flags, process.env).flatMap((file) => ['--module', file]),
    ...(concurrency === undefined ? [] : ['--concurrency', concurrency]),
    ...(flags.data === undefined ? [] : ['--data', flags.data]),
    ...(flags.config === undefined ? [] : ['--config', flags.config]),
  ];
  const app = await openApp(config);
  try {
    await interruptible((asked) =>
      Promise.all(
        workflows.map(({ name: workflow }) =>
          supervise(app.db, { workflow, total, args: words, log }, asked),
        ),
      ),
    );
    log('All runners stopped.');
  } finally {
    await app.close();
  }
}

export async function repairLog(flags: CommonFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    const renumbered = await renumberLog(db);
    if (flags.json) return print([JSON.stringify(renumbered)]);
    if (!renumbered.changed) return log('The log was written by this cluster; nothing to do.');
    const { events, readers: moved } = renumbered;
    log(
      `${pluralize(events, 'event')} renumbered, ${pluralize(moved, 'reader')} set to the offset of their reactions.`,
    );
  });
}
