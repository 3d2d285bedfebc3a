/** What `seine partitions status`, `scale`, `start` and `rebase` do. */
import { openApp } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import { wholeNumber } from '../../config.ts';
import { showOffset } from '../../events/offset.ts';
import { rebaseLog, refuseForeignLog } from '../../workflows/archive/rebase.ts';
import { healthLines, readHealth } from '../../workflows/look/health.ts';
import { type PartitionStatus, partitionStatus } from '../../workflows/look/partition-status.ts';
import type { RunnerLine } from '../../workflows/look/partition-store.ts';
import { type Shape, shapeOf, showShape } from '../../workflows/partitions/layout.ts';
import { layoutNames } from '../../workflows/partitions/layout-store.ts';
import { MOST_PARTITIONS } from '../../workflows/partitions/partition.ts';
import { dropUnusedIndexes } from '../../workflows/partitions/partition-index-store.ts';
import { rescaleAll, type Scaled } from '../../workflows/partitions/scaling.ts';
import { interruptible } from '../interrupt.ts';
import { type CommonFlags, configOf } from '../options.ts';
import { counted, grouped } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { withApp } from '../with-app.ts';
import { chooseWorkflows, type ModuleFlags, moduleFiles } from './load-modules.ts';
import { print, say, when } from './print.ts';
import { supervise } from './supervise.ts';

export interface StatusFlags extends CommonFlags {
  readonly workflow?: string;
}

export async function showStatus(flags: StatusFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    const { workflows, runners } = await partitionStatus(db, flags.workflow ?? null);
    const health = await readHealth(db, flags.workflow ?? null);
    if (flags.json) print([JSON.stringify({ workflows, runners, ...health }, null, 2)]);
    else if (workflows.length === 0) say('Nobody has read such a workflow yet: seine runner begins with it.');
    else {
      process.stdout.write([overview(workflows), ...workflows.map(readers), runnerTable(runners)].join('\n'));
      for (const one of workflows) for (const line of waitingLines(one)) say(line);
    }
    for (const line of healthLines(health)) say(line);
    await refuseForeignLog(
      db,
      workflows.map(({ workflow }) => workflow),
    );
  });
}

function overview(workflows: readonly PartitionStatus[]): string {
  const rows = workflows.map((one) => [
    one.workflow,
    showShape(one.mode === 'slots' ? 'slots' : one.total),
    String(one.epoch),
    grouped(one.lastMinute),
    grouped(one.lag),
    one.slowest.name,
  ]);
  const head = ['WORKFLOW', 'SHARED IN', 'EPOCH', 'EVENTS/MIN', 'WAITING', 'SLOWEST'];
  return table(['left', 'left', 'right', 'right', 'right', 'left'], [head, ...rows]);
}

/** Which workflows need newer code than runners have, and whether any has it. */
function waitingLines({ workflow, waitingForCode }: PartitionStatus): string[] {
  return waitingForCode.map(({ version, workflows: count, runners }) => {
    const wait = `${counted(count, 'workflow')} ${count === 1 ? 'waits' : 'wait'} for version ${version} of ${workflow}`;
    if (runners === 0) return `${wait}; no runner has it. Start one with that version of the code.`;
    return `${wait}; ${counted(runners, 'runner')} ${runners === 1 ? 'has' : 'have'} it and ${runners === 1 ? 'takes' : 'take'} them over.`;
  });
}

/** Slots by who holds them: 256 lines would say less. */
function readers({ workflow, mode, readers: all, holders }: PartitionStatus): string {
  if (mode === 'slots') {
    const rows = holders.map((one) => [
      whoIs(one),
      grouped(one.parts.length),
      grouped(one.lag),
      when(one.expiresAt),
    ]);
    const head = [`${workflow.toUpperCase()}: HELD BY`, 'SLOTS', 'WAITING', 'EXPIRES'];
    return table(['left', 'right', 'right', 'left'], [head, ...rows]);
  }
  const rows = all.map((one) => [
    String(one.part),
    showOffset({ xid: BigInt(one.xid), position: BigInt(one.position) }),
    grouped(one.lag),
    whoIs(one),
    when(one.expiresAt),
  ]);
  const head = [`${workflow.toUpperCase()}: PARTITION`, 'OFFSET', 'WAITING', 'HELD BY', 'EXPIRES'];
  return table(['right', 'right', 'right', 'left', 'left'], [head, ...rows]);
}

function whoIs({
  holder,
  host,
  pid,
}: {
  holder: string | null;
  host: string | null;
  pid: number | null;
}): string {
  if (holder === null) return 'nobody';
  return host === null ? holder : `${host}, pid ${pid}`;
}

function runnerTable(runners: readonly RunnerLine[]): string {
  const rows = runners.map((one) => [
    one.id.slice(0, 8),
    one.host,
    String(one.pid),
    one.workflows.map((name, n) => `${name} v${one.versions[n] ?? 1}`).join(', '),
    grouped(one.parts),
    grouped(one.actions),
    when(one.seenAt),
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

/** One transaction for all that are named. */
export async function scale(flags: ScaleFlags): Promise<void> {
  if (!flags.all && flags.workflow === undefined)
    throw new SeineError('usage', 'Which workflow is to be scaled is missing.', {
      hint: 'Name one or more: --workflow order --workflow shipment; or every one: --all',
    });
  const [from, to] = [readShape('--from', flags.from), readShape('--to', flags.to)];
  await withApp(flags, async ({ db }) => {
    const running = flags.stop ? 'stop' : 'refuse';
    const workflows = flags.all ? await layoutNames(db) : flags.workflow;
    const scaled = await rescaleAll(db, workflows!, from, to, { running });
    if (scaled.some(({ changed }) => changed)) await dropUnusedIndexes(db).catch(() => {}); // they cost a little room, no more
    if (flags.json) return print(scaled.map(jsonOf));
    if (scaled.length === 0) say('No workflow has been read yet: there is nothing to scale.');
    for (const one of scaled) tell(one);
  });
}

function jsonOf({ changed, layout, offset, stopped }: Scaled): string {
  const { workflow, epoch } = layout;
  return JSON.stringify({
    workflow,
    changed,
    shape: shapeOf(layout),
    epoch,
    offset: showOffset(offset),
    stopped: stopped.map(({ name, host, pid }) => ({ name, host, pid })),
  });
}

function tell({ changed, layout, offset, stopped }: Scaled): void {
  const { workflow, epoch } = layout;
  const shape = showShape(shapeOf(layout));
  if (!changed) return say(`${workflow} is shared in ${shape} already.`);
  say(`${workflow} is shared in ${shape} now (epoch ${epoch}); all begin after ${showOffset(offset)}.`);
  if (stopped.length > 0) say(`${counted(stopped.length, 'reader')} that ran must be started anew.`);
}

function readShape(name: string, text: string): Shape {
  if (text === 'slots') return text;
  if (/^\d+$/.test(text)) return Number(text);
  throw new SeineError('usage', `${name} must be a number of partitions or slots, not "${text}".`);
}

export interface StartFlags extends CommonFlags, ModuleFlags {
  readonly workflow?: readonly string[];
  readonly total: string;
  readonly concurrency?: string;
}

/** Ends when it is asked to, and its processes with it. */
export async function start({ concurrency, ...flags }: StartFlags): Promise<void> {
  const config = configOf(flags);
  const total = wholeNumber('--total', flags.total, 1, 1, MOST_PARTITIONS);
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
        workflows.map(({ name: workflow }) => supervise(app.db, { workflow, total, words, say }, asked)),
      ),
    );
    say('All ended.');
  } finally {
    await app.close();
  }
}

export async function rebase(flags: CommonFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    const rebased = await rebaseLog(db);
    if (flags.json) return print([JSON.stringify(rebased)]);
    if (!rebased.changed) return say('This cluster wrote the log itself: there is nothing to do.');
    const { events, readers: moved } = rebased;
    say(
      `${counted(events, 'event')} were renumbered, ${counted(moved, 'reader')} set to where reactions stand.`,
    );
  });
}
