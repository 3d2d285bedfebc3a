/**
 * Installs a component with npm from its lock file, so versions and checksums are those that were committed; install scripts do not run.
 *
 * npm writes to a temporary folder, and the finished node_modules is renamed into place: a component is there completely or not at all,
 * whatever is interrupted. The lock only saves concurrent processes from downloading the same; without it the last rename fails harmlessly.
 */
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { messageOf, SeineError } from '../errors.ts';
import {
  COMPONENTS,
  type ComponentName,
  componentFolder,
  INSTALLATION,
  isInstalled,
  STAMP,
} from './component.ts';
import { explainFailure, seineInstall } from './install-failure.ts';
import { isAbandoned, withInstallLock, writeOwner } from './install-lock.ts';

export interface InstallOptions {
  readonly installation?: string;
  /** One line of progress, without its line end. */
  readonly report?: (line: string) => void;
}

/** Offline, npm must not retry for minutes. Its errors are read, so a silent npm around this process must not silence this one. */
const NPM = [
  'ci',
  '--ignore-scripts',
  '--loglevel=error',
  '--omit=dev',
  '--no-audit',
  '--no-fund',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
];
const PROGRESS_INTERVAL_MS = 5000;
const TEMPORARY = '.install-';
const LEFTOVER_AFTER_MS = 3_600_000;
/** A failed installation is not tried again for so long: a scan opens its source many times. */
const FAILURE_REMEMBERED_MS = 60_000;

const installing = new Map<ComponentName, Promise<unknown>>();

/** Returns when the component can be loaded; installs it if necessary. */
export async function ensureComponent(name: ComponentName): Promise<void> {
  if (!installing.has(name)) {
    const installed = isInstalled(name) ? Promise.resolve() : installComponent(name);
    installing.set(name, installed);
    installed.catch(() => setTimeout(() => installing.delete(name), FAILURE_REMEMBERED_MS).unref());
  }
  await installing.get(name);
}

/** Returns whether something had to be installed. */
export async function installComponent(name: ComponentName, options: InstallOptions = {}): Promise<boolean> {
  const { installation = INSTALLATION, report = reportToStderr } = options;
  if (isInstalled(name, installation)) return false;
  const folder = componentFolder(installation, name);
  checkWritable(name, folder);
  const waiting = () => report(`Another process is installing ${name}; waiting for it.`);
  const lock = join(folder, 'install.lock');
  return await withInstallLock(lock, waiting, async () => {
    removeLeftovers(folder);
    if (isInstalled(name, installation)) return false;
    const { purpose, megabytes } = COMPONENTS[name];
    report(`Installing ${name}: ${purpose} (${megabytes} MB on disk; once).`);
    const started = performance.now();
    await installInto(name, installation, report);
    report(`Installed ${name} in ${Math.ceil((performance.now() - started) / 1000)} s.`);
    return true;
  });
}

function checkWritable(name: ComponentName, folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new SeineError('permission', `${name} is not installed, and ${folder} cannot be written.`, {
      hint: `Run once as the owner of that folder, where it is writable: ${seineInstall(name)}`,
      cause: error,
    });
  }
}

async function installInto(
  name: ComponentName,
  installation: string,
  report: (line: string) => void,
): Promise<void> {
  const folder = componentFolder(installation, name);
  const temporary = mkdtempSync(join(folder, TEMPORARY));
  try {
    writeOwner(temporary);
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(folder, file), join(temporary, file));
    const settings = join(installation, '.npmrc');
    if (existsSync(settings)) copyFileSync(settings, join(temporary, '.npmrc'));
    const { status, output } = await runNpm(temporary, (seconds) =>
      report(`Installing ${name} … ${seconds} s`),
    );
    if (status !== 0) throw explainFailure(name, output);
    copyFileSync(join(folder, 'package-lock.json'), join(temporary, 'node_modules', STAMP));
    replaceFolder(join(temporary, 'node_modules'), join(folder, 'node_modules'), join(temporary, 'previous'));
  } catch (error) {
    if (isInstalled(name, installation)) return; // by another process, before the rename
    throw error instanceof SeineError ? error : explainFailure(name, messageOf(error));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Of installations that were killed. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(TEMPORARY) || !isAbandoned(path, LEFTOVER_AFTER_MS)) continue;
    removeIfPossible(path);
  }
}

/** An npm that is still running may write to it meanwhile. */
function removeIfPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}

function replaceFolder(from: string, to: string, previous: string): void {
  if (existsSync(to)) renameSync(to, previous);
  renameSync(from, to);
}

function runNpm(
  cwd: string,
  onProgress: (seconds: number) => void,
): Promise<{ status: number | null; output: string }> {
  let seconds = 0;
  let unwatch = () => {};
  const timer = setInterval(() => {
    seconds += PROGRESS_INTERVAL_MS / 1000;
    onProgress(seconds);
  }, PROGRESS_INTERVAL_MS);
  return new Promise<{ status: number | null; output: string }>((resolve) => {
    // On Windows npm is a batch file, which only a shell can start. The arguments are constants.
    const child = spawn('npm', NPM, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ status: null, output: messageOf(error) }));
    child.on('close', (status) => resolve({ status, output }));
    unwatch = beforeExit(() => {
      child.kill();
      removeIfPossible(cwd); // the lock is free when its owner is gone
    });
  }).finally(() => {
    clearInterval(timer);
    unwatch();
  });
}

/** Runs `cleanup` if the process ends before the returned function is called, by a signal that nothing else handles or by itself. */
function beforeExit(cleanup: () => void): () => void {
  const onSignal = (_: NodeJS.Signals, number: number) => process.exit(128 + number);
  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).filter(
    (name) => process.listenerCount(name) === 0,
  );
  for (const name of signals) process.on(name, onSignal);
  process.on('exit', cleanup);
  return () => {
    for (const name of signals) process.off(name, onSignal);
    process.off('exit', cleanup);
  };
}

function reportToStderr(line: string): void {
  process.stderr.write(`seine: ${line}\n`);
}
