/**
 * The real program, run as its users run it: a process with a clean environment and a data folder of its own. A test
 * file opens one with `openSeine` and closes it at its end; the private server is gone when `close` returns.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './database.ts';
import { exited } from './processes.ts';

export const CHECKOUT = join(import.meta.dirname, '../..');
/** Less than a test may take, so that a hung process fails one test and outlives none. */
const WAIT_TIMEOUT_MS = 150_000;

export interface SeineOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another version of Seine than this one: the folder of its sources. */
  readonly checkout?: string;
  readonly stdin?: string | Uint8Array;
  /** After this it is taken for hung and killed; its code is null then. */
  readonly timeoutMs?: number;
}

export interface Ended {
  /** Null: ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** What it has said on stderr so far. */
  said(): string;
}

export interface Seine {
  /** A folder for what the tests of the file make. */
  readonly folder: string;
  readonly data: string;
  run(args: readonly string[], options?: SeineOptions): Promise<Ended>;
  start(args: readonly string[], options?: SeineOptions): Running;
  /** Waits until the private server has stopped by itself. */
  serverStopped(): Promise<void>;
  close(): Promise<void>;
}

export function openSeine(): Seine {
  const folder = temporaryFolder();
  const data = join(folder, 'seine');
  const within = (options: SeineOptions = {}) => ({
    ...options,
    env: { SEINE_DATA: data, SEINE_IDLE_STOP: '1', ...options.env },
  });
  mkdirSync(data, { mode: 0o711 });
  return {
    folder,
    data,
    run: (args, options) => runSeine(args, within(options)),
    start: (args, options) => startSeine(args, within(options)),
    serverStopped: () => exited(data),
    async close() {
      rmSync(join(data, 'postgres.json'), { force: true }); // the keeper takes that for the end, and stops at once
      await exited(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

export function runSeine(args: readonly string[], options: SeineOptions = {}): Promise<Ended> {
  return startSeine(args, options).ended;
}

export function startSeine(args: readonly string[], options: SeineOptions = {}): Running {
  const { checkout = CHECKOUT } = options;
  const main = join(checkout, 'src/main.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    cwd: options.cwd ?? checkout,
    env: { ...cleanEnvironment(), ...options.env },
    stdio: 'pipe',
    timeout: options.timeoutMs ?? WAIT_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => {}); // it may end before it has read everything
  child.stdin.end(options.stdin ?? '');
  const output = { stdout: collect(child.stdout), stderr: collect(child.stderr) };
  return {
    pid: child.pid!,
    ended: ending(child, output),
    kill: (signal) => void child.kill(signal),
    said: () => output.stderr(),
  };
}

/** Nothing of the developer's shell: colours, locale and databases are said by the test or not at all. */
function cleanEnvironment(): Record<string, string> {
  const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env;
  const NODE_COMPILE_CACHE = join(CHECKOUT, 'node_modules/.cache/seine');
  return { PATH, HOME, NODE_COMPILE_CACHE, LANG: 'C.UTF-8' };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

function ending(child: ChildProcess, output: { stdout: () => string; stderr: () => string }): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout: output.stdout(), stderr: output.stderr() }));
  });
}
