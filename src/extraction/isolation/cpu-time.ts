import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports CPU time in units of 10 ms (USER_HZ), independent of the kernel's own tick rate. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of a supervisor (start-command.ts) and the process it started; null: the system does not report them. */
export function cpuSecondsOf(supervisor: number | undefined): number | null {
  if (supervisor === undefined) return null;
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const family = pids.map(statOf).filter(({ pid, parent }) => pid === supervisor || parent === supervisor);
    return family.length === 0 ? null : family.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

function statOf(name: string): Stat {
  try {
    // The program's name is in parentheses and may contain any characters.
    const fields = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
    return { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return { pid: Number(name), parent: -1, ticks: 0 }; // ended meanwhile
  }
}
