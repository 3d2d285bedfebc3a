/** Runner processes: as many as wanted, of one workflow, in slots or in static partitions. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Partition } from '../../src/workflows/partitions/partition.ts';
import { killWithParent } from '../kill-with-parent.ts';

export interface RunnerSettings {
  readonly workflow: string;
  readonly partition?: Partition | null;
  readonly leaseMs?: number;
  readonly actionsAtOnce?: number;
}

export interface RunnerProcess {
  readonly pid: number;
  readonly ended: Promise<void>;
  readonly hasEnded: () => boolean;
  kill(signal: NodeJS.Signals): void;
}

const MODULE = join(import.meta.dirname, 'runner-process.ts');
const SENDERS = join(import.meta.dirname, 'hot-senders.ts');
const OPTIONS = ['--disable-warning=ExperimentalWarning', '--disable-warning=DeprecationWarning'];

export class Runners {
  readonly #url: string;
  readonly #folder: string;
  readonly all: RunnerProcess[] = [];

  constructor(url: string, folder: string) {
    this.#url = url;
    this.#folder = folder;
  }

  /** Starts or stops runners with slots until there are this many: the newest are stopped first. */
  async have(count: number, settings: RunnerSettings): Promise<void> {
    await this.#stop(this.all.slice(count));
    await Promise.all(Array.from({ length: count - this.all.length }, () => this.add(settings)));
  }

  /** One for each of so many partitions. */
  async scalePartitions(total: number, settings: RunnerSettings): Promise<void> {
    await Promise.all(
      Array.from({ length: total }, (_, index) => this.add({ ...settings, partition: { index, total } })),
    );
  }

  async add(settings: RunnerSettings): Promise<RunnerProcess> {
    const runner = startProcess(MODULE, [JSON.stringify({ url: this.#url, ...settings })], this.#folder);
    this.all.push(runner);
    void runner.ended.then(() => this.all.splice(this.all.indexOf(runner), 1));
    await runner.ready;
    return runner;
  }

  stop(): Promise<void> {
    return this.#stop([...this.all]);
  }

  async #stop(runners: readonly RunnerProcess[]): Promise<void> {
    for (const runner of runners) runner.kill('SIGTERM');
    await Promise.all(runners.map(({ ended }) => ended));
  }
}

/** Its result comes on its standard output, as JSON. */
export function spawnSender(settings: string, folder: string): ChildProcess {
  const child = spawn(process.execPath, [...OPTIONS, SENDERS, settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const leashed = killWithParent(child.pid!, folder);
  child.once('exit', () => leashed.stop());
  return child;
}

/** Resolves `ready` when it says so; rejects it when it ends before. */
export function startProcess(
  module: string,
  words: readonly string[],
  folder: string,
): RunnerProcess & { readonly ready: Promise<void> } {
  const child = spawn(process.execPath, [...OPTIONS, module, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const leashed = killWithParent(child.pid!, folder);
  const ended = once(child, 'exit').then(() => leashed.stop());
  return {
    pid: child.pid!,
    ended,
    ready: isReady(child),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: (signal) => child.kill(signal),
  };
}

async function isReady(child: ChildProcess): Promise<void> {
  const said = once(child.stdout!, 'data').then(() => true);
  const gone = once(child, 'exit').then(() => false);
  if (!(await Promise.race([said, gone]))) throw new Error(`A process ended at once: ${child.exitCode}`);
  child.stdout!.resume();
}

/** Resident bytes of a process: now, and the most it ever had. */
export function memoryOf(pid: number): { readonly now: number; readonly max: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  return { now: of('VmRSS'), max: of('VmHWM') };
}
