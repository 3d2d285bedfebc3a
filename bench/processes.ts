/** Processes as /proc shows them. A process that has ended meanwhile has no children and no memory. */
import { readdirSync, readFileSync } from 'node:fs';

/** By their parent, since not every kernel lists children. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

/** The resident set as it is now. */
export function residentBytes(pid: number): number {
  try {
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(resident?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** What it was started with. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function parentOf(pid: string): number | null {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}
