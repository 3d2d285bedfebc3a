/** A process and its descendants: their ids, their total memory, and whether any of them still runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { waitUntil } from './wait-for.ts';

const MB = 1000 * 1000;
const SAMPLE_MS = 25;

export interface TreeMember {
  readonly pid: number;
  /** The words it was started with. */
  readonly command: string;
  /** Proportional set size: memory that several processes share is counted once. */
  readonly megabytes: number;
}

export interface TreeMemory {
  /** The most that all processes had together at one moment. */
  readonly megabytes: number;
  /** Which processes those were. */
  readonly members: readonly TreeMember[];
}

/** The process and its descendants. A process whose parent has died belongs to no tree any more: see `TreeWatch.seen`. */
export function treeOf(root: number): number[] {
  const children = Map.groupBy(everyProcess(), parentOf);
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return isRunning(root) ? below(root) : [];
}

export interface TreeWatch {
  peak(): TreeMemory;
  /** Every process that was ever part of the tree. */
  seen(): readonly number[];
  stop(): void;
}

/**
 * Measures a tree again and again until it is stopped. `except`: processes that don't count, by the words they were started
 * with, such as the private database server.
 */
export function watchTree(root: number, except: (command: string) => boolean = isDatabase): TreeWatch {
  let peak: TreeMemory = { megabytes: 0, members: [] };
  const seen = new Map<number, string>();
  const sample = () => {
    const members = treeOf(root).flatMap((pid) => memberOf(pid) ?? []);
    const counted = members.filter(({ command }) => !except(command));
    for (const { pid } of counted) seen.set(pid, startOf(pid));
    const megabytes = counted.reduce((sum, member) => sum + member.megabytes, 0);
    if (megabytes > peak.megabytes) peak = { megabytes, members: counted };
  };
  const timer = setInterval(sample, SAMPLE_MS);
  timer.unref();
  sample();
  return {
    peak: () => peak,
    seen: () => [...seen.keys()].filter((pid) => startOf(pid) === seen.get(pid)),
    stop: () => clearInterval(timer),
  };
}

/** Of these processes, those that still run at the timeout; usually none. */
export async function survivors(pids: readonly number[], timeoutMs: number): Promise<string[]> {
  const areGone = () => !pids.some(isRunning);
  await waitUntil('the processes to exit', areGone, { forMs: timeoutMs, everyMs: 50 }).catch(() => {});
  return pids.filter(isRunning).map((pid) => `${pid} ${commandOf(pid)}`.trim());
}

/** The private server of a data folder: it has a life and a memory of its own. */
export function isDatabase(command: string): boolean {
  return /postgres|db\/embedded\/keeper/.test(command);
}

function memberOf(pid: number): TreeMember | null {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup'))?.[1];
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(read(pid, 'status'))?.[1]; // of a process of another user
  const size = kilobytes ?? resident;
  return size === undefined ? null : { pid, command: commandOf(pid), megabytes: (Number(size) * 1024) / MB };
}

/** A process that has ended and was not waited for yet (a zombie) does not run. */
function isRunning(pid: number): boolean {
  const state = /\) (\S)/.exec(read(pid, 'stat'))?.[1];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

function commandOf(pid: number): string {
  return read(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

/** When it was started: a number may be given again to another process. */
function startOf(pid: number): string {
  return /\) (.*)/s.exec(read(pid, 'stat'))?.[1]?.split(' ')[19] ?? '';
}

function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(read(pid, 'stat'))?.[1]);
}

function everyProcess(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** Empty when the process has ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
