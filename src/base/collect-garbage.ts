/**
 * Runs a full garbage collection. Node only exposes `gc` when it is started with --expose-gc; a context
 * that is created after the flag was set has it, too. V8's own threads return the memory to the system a
 * few milliseconds later.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
