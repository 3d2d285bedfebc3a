import { setImmediate } from 'node:timers/promises';

/** Lets timers, sockets and heartbeats have their turn; throws if it was decided meanwhile to stop. */
export async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

/** Runs blocking work that says `null` wherever it can be interrupted. */
export async function runInTurns<T>(work: Generator<null, T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  for (let steps = 1; ; steps++) {
    const { done, value } = work.next();
    if (done) return value;
    if (steps % 64 === 0) await breathe(signal);
  }
}
