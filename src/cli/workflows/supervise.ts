/**
 * `seine partitions start`: one process for each partition, on this machine. Those that die are started again, after a pause that grows
 * as long as they die soon. When the workflow is scaled, all of them end in order and as many start as there are partitions then.
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
import { supervisedEnvironment } from './supervisor-gone.ts';

export interface SuperviseOptions {
  readonly workflow: string;
  readonly total: number;
  /** What each process is given besides its partition. */
  readonly words: readonly string[];
  readonly log: (sentence: string) => void;
}

const POLL_INTERVAL_MS = 1000;
/** Who lived so long and died then is started again at once. */
const STABLE_AFTER_MS = 60_000;

export async function supervise(db: Database, initial: SuperviseOptions, asked: AbortSignal): Promise<void> {
  const { workflow, total, log } = initial;
  await openPartitioning(db, workflow, { mode: 'static', total });
  const bell = new WakeSignal();
  const stopHearing = await db.listen(WORKFLOW_CHANNEL, (said) => {
    const hint = parseNotification(said);
    if (hint.workflow === null || (hint.workflow === workflow && hint.topic === 'layout')) bell.notifyAll();
  });
  try {
    let shape: PartitionSpec = total;
    while (!asked.aborted) {
      log(`${workflow}: starting ${describe(shape, total)}.`);
      const lives = partitionsOf(shape, total).map((partition) => startChildLoop(initial, partition));
      const next = await nextPartitioning(db, workflow, shape, bell, asked, log);
      await Promise.all(lives.map((life) => life.stop()));
      if (next !== null)
        log(`${workflow}: it was scaled from ${formatPartitionSpec(shape)} to ${formatPartitionSpec(next)}.`);
      shape = next ?? shape;
    }
  } finally {
    await stopHearing().catch(() => {});
  }
}

function describe(shape: PartitionSpec, total: number): string {
  return shape === 'slots' ? `${total} runners that share slots` : formatPartitionSpec(shape);
}

function partitionsOf(shape: PartitionSpec, total: number): (string | null)[] {
  if (shape === 'slots') return Array(total).fill(null);
  return Array.from({ length: shape }, (_, index) => `${index}/${shape}`);
}

/** Resolves with the new shape once it was scaled; with null when it shall end. */
async function nextPartitioning(
  db: Database,
  workflow: string,
  shape: PartitionSpec,
  bell: WakeSignal,
  asked: AbortSignal,
  log: SuperviseOptions['log'],
): Promise<PartitionSpec | null> {
  while (!asked.aborted) {
    await bell.wait(POLL_INTERVAL_MS, asked);
    try {
      const layout = await readPartitioning(db, workflow);
      if (layout && partitionSpecOf(layout) !== shape) return partitionSpecOf(layout);
    } catch (error) {
      log(`${workflow}: ${messageOf(error)}`); // the database is away; the processes look after themselves
    }
  }
  return null;
}

interface ChildLoop {
  stop(): Promise<void>;
}

/** A process, and the ones after it. */
function startChildLoop({ workflow, words, log }: SuperviseOptions, partition: string | null): ChildLoop {
  const name = partition === null ? workflow : `${workflow} ${partition}`;
  const all = ['runner', '--workflow', workflow, ...(partition ? ['--partition', partition] : []), ...words];
  const stopping = new AbortController();
  const bell = new WakeSignal();
  let child: ChildProcess | null = null;
  const live = async () => {
    for (let soon = 0; !stopping.signal.aborted; soon++) {
      const began = performance.now();
      child = startChild(all, (line) => log(`[${name}] ${line}`));
      const end = await endOf(child);
      if (stopping.signal.aborted) return;
      if (performance.now() - began > STABLE_AFTER_MS) soon = 0;
      const pauseMs = 500 + backoff(soon, { firstMs: 500, mostMs: 30_000 });
      log(`[${name}] ended (${end}); it is started again.`);
      await bell.wait(pauseMs, stopping.signal);
    }
  };
  const ended = live();
  return {
    stop: async () => {
      stopping.abort();
      child?.kill('SIGTERM');
      await ended;
    },
  };
}

/** In a group of its own: a Ctrl-C reaches only the supervisor, which asks each to end once. */
function startChild(words: readonly string[], line: (text: string) => void): ChildProcess {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...words], {
    stdio: 'pipe',
    detached: true,
    env: { ...process.env, ...supervisedEnvironment },
  });
  child.stdin.on('error', () => {});
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (text) => void (text === '' || line(text)));
  return child;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)));
    child.once('close', (code, signal) => resolve(signal ?? `code ${code}`));
  });
}
