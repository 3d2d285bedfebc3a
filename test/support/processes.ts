/** What runs on this machine, from /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import { PROCESS_TIMEOUT_MS, waitUntil } from './wait-for.ts';

/** Processes, other than this one, that were started with this path in their words. */
export function processesWith(path: string): number[] {
  return everyProcess().filter(
    (pid) =>
      pid !== process.pid &&
      read(pid, 'cmdline')
        .split('\0')
        .some((word) => isBelow(word, path)),
  );
}

/** Resolves when all have exited: a folder that is removed before may still be written to. */
export async function exited(path: string): Promise<void> {
  await waitUntil(`the processes of ${path} to exit`, () => processesWith(path).length === 0, {
    forMs: PROCESS_TIMEOUT_MS,
    everyMs: 50,
  });
}

/** The server of a data folder and all that it started. */
export function serverProcesses(data: string): number[] {
  const servers = processesWith(data).filter((pid) => read(pid, 'comm') === 'postgres\n');
  const children = everyProcess().filter((pid) => servers.includes(parentOf(pid)));
  return [...servers, ...children];
}

/** The most memory a process ever had, in MB; null when it has ended. */
export function peakMemory(pid: number): number | null {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(read(pid, 'status'))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1000;
}

function isBelow(word: string, path: string): boolean {
  return word === path || word.startsWith(`${path}/`);
}

function everyProcess(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(read(pid, 'stat'))?.[1]);
}

/** Empty when the process has ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
