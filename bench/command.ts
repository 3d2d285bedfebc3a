/** Runs a command and measures it from outside: time, first output, peak memory, processor time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { childrenOf } from './processes.ts';

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly seconds: number;
  /** Seconds to the first byte on stdout or stderr; null when there was none, or stdout went to a file. */
  readonly firstOutput: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The largest resident set of the process itself, as the kernel keeps it. */
  readonly peakBytes: number;
  /** Of all its threads. */
  readonly cpuSeconds: number;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** stdout goes there instead of to memory. */
  readonly into?: string;
  readonly onText?: (text: string, atSeconds: number) => void;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ran>;
}

const SAMPLE_MS = 20;
const TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux that runs Node

export function start(words: readonly string[], options: RunOptions = {}): Running {
  const file = options.into === undefined ? null : openSync(options.into, 'w');
  const began = performance.now();
  const child = spawn(words[0]!, words.slice(1), {
    cwd: options.cwd,
    env: cleanEnv(options.env),
    stdio: ['ignore', file ?? 'pipe', 'pipe'],
  });
  if (file !== null) closeSync(file);
  return { pid: child.pid ?? -1, ended: watch(child, began, options) };
}

export function run(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return start(words, options).ended;
}

/** As one would type it. */
export function shown(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=,+-]+$/.test(word) ? word : `'${word}'`)).join(' ');
}

function watch(child: ChildProcess, began: number, options: RunOptions): Promise<Ran> {
  const text = { stdout: '', stderr: '' };
  let firstOutput: number | null = null;
  let usage = { peakBytes: 0, cpuSeconds: 0 };
  const elapsed = () => (performance.now() - began) / 1000;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      firstOutput ??= elapsed();
      text[name] += chunk;
      options.onText?.(chunk, elapsed());
    });
  }
  const sampling = setInterval(() => {
    usage = usageOf(child.pid!) ?? usage;
  }, SAMPLE_MS);
  let ended = 0;
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      clearInterval(sampling);
      reject(error);
    });
    // A server started by the child may hold on to the pipes: the end of the process counts.
    child.on('exit', () => {
      ended = elapsed();
      clearInterval(sampling);
    });
    child.on('close', (code, signal) => {
      resolve({ code, signal, seconds: ended, firstOutput, ...text, ...usage });
    });
  });
}

/** Null once the process has ended. */
export function usageOf(pid: number): { peakBytes: number; cpuSeconds: number } | null {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return peak && { peakBytes: Number(peak[1]) * 1024, cpuSeconds: cpuOf(pid, false) };
  } catch {
    return null;
  }
}

/** With `reaped`: also of children that have ended. */
export function cpuOf(pid: number, reaped: boolean): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, reaped ? 15 : 13).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_PER_SECOND;
}

/** Of a process and its children so far, those that have ended included. */
export function familyCpu(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child, true), cpuOf(pid, true));
}

/** Nothing set in the shell may change what is measured. */
function cleanEnv(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(SEINE_|DATABASE_URL$|NODE_OPTIONS$|npm_)/.test(name),
  );
  return { ...Object.fromEntries(kept), ...more };
}
