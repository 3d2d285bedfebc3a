/**
 * `seine partitions start`: one runner process for each partition, on this machine. A crashed process is restarted, with a backoff that
 * grows while it keeps crashing early. When the workflow is rescaled, all processes drain and the new number is started.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { messageOf } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import type { Database } from '../../db/database.ts';
import { parseNotification, WORKFLOW_CHANNEL } from '../../events/event-notifier.ts';
import {
  formatPartitionSpec,
  openPartitioning,
  type PartitionSpec,
  partitionSpecOf,
} from '../../workflows/partitions/partitioning.ts';
import { readPartitioning } from '../../workflows/partitions/partitioning-store.ts';
import { pluralize } from '../output/quantities.ts';
import { supervisedEnvironment } from './supervisor-gone.ts';

export interface SuperviseOptions {
  readonly workflow: string;
  readonly total: number;
  /** Command-line arguments of each process, besides its partition. */
  readonly args: readonly string[];
  readonly log: (sentence: string) => void;
}

const POLL_INTERVAL_MS = 1000;
/** A process that ran at least this long resets the restart backoff. */
const STABLE_AFTER_MS = 60_000;

export async function supervise(db: Database, initial: SuperviseOptions, signal: AbortSignal): Promise<void> {
  const { workflow, total, log } = initial;
  await openPartitioning(db, workflow, { mode: 'static', total });
  const wakeSignal = new WakeSignal();
  const stopListening = await db.listen(WORKFLOW_CHANNEL, (payload) => {
    const hint = parseNotification(payload);
    if (hint.workflow === null || (hint.workflow === workflow && hint.topic === 'layout'))
      wakeSignal.notifyAll();
  });
  try {
    let partitioning: PartitionSpec = total;
    while (!signal.aborted) {
      log(`${workflow}: starting ${describe(partitioning, total)}.`);
      const children = partitionsOf(partitioning, total).map((partition) =>
        startChildLoop(initial, partition),
      );
      const next = await nextPartitioning(db, workflow, partitioning, wakeSignal, signal, log);
      await Promise.all(children.map((child) => child.stop()));
      if (next !== null)
        log(
          `${workflow}: rescaled from ${formatPartitionSpec(partitioning)} to ${formatPartitionSpec(next)}.`,
        );
      partitioning = next ?? partitioning;
    }
  } finally {
    await stopListening().catch(() => {});
  }
}

function describe(partitioning: PartitionSpec, total: number): string {
  return partitioning === 'slots'
    ? `${pluralize(total, 'runner')} sharing slots`
    : formatPartitionSpec(partitioning);
}

function partitionsOf(partitioning: PartitionSpec, total: number): (string | null)[] {
  if (partitioning === 'slots') return Array(total).fill(null);
  return Array.from({ length: partitioning }, (_, index) => `${index}/${partitioning}`);
}

/** Resolves with the new partitioning once the workflow was rescaled, or with null when `signal` is aborted. */
async function nextPartitioning(
  db: Database,
  workflow: string,
  current: PartitionSpec,
  wakeSignal: WakeSignal,
  signal: AbortSignal,
  log: SuperviseOptions['log'],
): Promise<PartitionSpec | null> {
  while (!signal.aborted) {
    await wakeSignal.wait(POLL_INTERVAL_MS, signal);
    try {
      const stored = await readPartitioning(db, workflow);
      if (stored && partitionSpecOf(stored) !== current) return partitionSpecOf(stored);
    } catch (error) {
      log(`${workflow}: ${messageOf(error)}`); // the database is unreachable; the runners retry on their own
    }
  }
  return null;
}

interface ChildLoop {
  stop(): Promise<void>;
}

/** Runs a process and restarts it until `stop` is called. */
function startChildLoop({ workflow, args, log }: SuperviseOptions, partition: string | null): ChildLoop {
  const name = partition === null ? workflow : `${workflow} ${partition}`;
  const all = ['runner', '--workflow', workflow, ...(partition ? ['--partition', partition] : []), ...args];
  const stopping = new AbortController();
  const wakeSignal = new WakeSignal();
  let child: ChildProcess | null = null;
  const run = async () => {
    for (let earlyExits = 0; !stopping.signal.aborted; earlyExits++) {
      const startedAt = performance.now();
      child = startChild(all, (line) => log(`[${name}] ${line}`));
      const reason = await exitReasonOf(child);
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > STABLE_AFTER_MS) earlyExits = 0;
      const pauseMs = 500 + backoff(earlyExits, { firstMs: 500, maxMs: 30_000 });
      log(`[${name}] exited (${reason}); restarting.`);
      await wakeSignal.wait(pauseMs, stopping.signal);
    }
  };
  const ended = run();
  return {
    stop: async () => {
      stopping.abort();
      child?.kill('SIGTERM');
      await ended;
    },
  };
}

/** In its own process group: Ctrl-C reaches only the supervisor, which sends each process one SIGTERM. */
function startChild(args: readonly string[], onLine: (text: string) => void): ChildProcess {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], {
    stdio: 'pipe',
    detached: true,
    env: { ...process.env, ...supervisedEnvironment },
  });
  child.stdin.on('error', () => {});
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (text) => void (text === '' || onLine(text)));
  return child;
}

function exitReasonOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)));
    child.once('close', (code, signal) => resolve(signal ?? `code ${code}`));
  });
}
