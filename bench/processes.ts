/** Processes as /proc shows them. Whoever has ended meanwhile has no children and no memory. */
import { readdirSync, readFileSync } from 'node:fs';

/** By their parent, since not every kernel lists children. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | null {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}
