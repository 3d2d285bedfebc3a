/** The thread of the watchdog. It counts its own ticks, so a suspension of the whole process does not count. */
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { RunningCode } from '../user-code/running-code.ts';
import type { WatchdogSetup } from './watchdog.ts';

const { memory, tickMs, limitMs }: WatchdogSetup = workerData;
const code = new RunningCode(memory);
let pulse = code.pulse;
let ticks = 0;

setInterval(() => {
  const isAlive = code.pulse !== pulse;
  pulse = code.pulse;
  ticks = isAlive ? 0 : ticks + 1;
  if (ticks * tickMs >= limitMs) end();
}, tickMs);

parentPort!.postMessage('watching');

function end(): void {
  const { shown } = code;
  const where =
    shown === null
      ? 'by code outside workflow functions, perhaps an action after its first await, or a timer'
      : `by ${shown}`;
  try {
    writeSync(
      2,
      `seine: The event loop was blocked for ${limitMs / 1000} s ${where}. Killing this process, so that other runners take over.\n`,
    );
  } catch {
    // stderr is closed.
  }
  process.kill(process.pid, 'SIGKILL');
}
