/**
 * Ends the process when its event loop is blocked for too long, for example by an endless loop in user code. The blocked thread can't detect that, so
 * another thread does: it sees that the heartbeat has stopped, reports which function runs, and kills the process. Then it is a crash like any other,
 * whose cause the next holder finds (messages/isolated-delivery.ts, reactor.ts, actions/crash-suspects.ts).
 */
import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { RunningCode, watchCode } from '../user-code/running-code.ts';

export interface WatchdogSetup {
  readonly memory: SharedArrayBuffer;
  readonly tickMs: number;
  readonly limitMs: number;
}

const SMALL = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/**
 * Resolves once the thread is running: starting a thread may need this one. Returns a function that stops it. Disabled under a debugger, where
 * breakpoints block the event loop.
 */
export async function startWatchdog(limitMs: number): Promise<() => Promise<void>> {
  if (inspector.url() !== undefined) return async () => {};
  const code = new RunningCode();
  const tickMs = Math.min(1000, limitMs / 4);
  const setup: WatchdogSetup = { memory: code.memory, tickMs, limitMs };
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: setup,
    resourceLimits: SMALL,
    env: {},
    execArgv: process.execArgv.filter((flag) => !flag.startsWith('--inspect')),
  });
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  thread.on('error', () => {}); // the runner works without it
  thread.on('exit', () => resolve()).once('message', () => resolve());
  await begun;
  thread.unref();
  const beating = setInterval(() => code.beat(), tickMs / 2);
  beating.unref();
  watchCode(code);
  return async () => {
    clearInterval(beating);
    watchCode(null);
    await thread.terminate();
  };
}
