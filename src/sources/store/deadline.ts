import { SeineError } from '../../base/errors.ts';

/** Gives a request up when its answer, or the next piece of it, doesn't come in time, or when the caller wants no more. */
export interface Deadline {
  /** For the request: aborted when it is given up. */
  readonly signal: AbortSignal;
  /** What the work gives if that comes in time. What comes later is nobody's. */
  wait<T>(work: Promise<T>): Promise<T>;
  close(): void;
  /** Gives up the request: what it still sends is not wanted. */
  abort(): void;
}

export function createDeadline(ms: number, caller: AbortSignal): Deadline {
  const request = new AbortController();
  let giveUp: (reason: unknown) => void = () => {};
  /** The number of the wait that is under way; 0: none. One may begin before the end of the last is noticed. */
  let waiting = 0;
  let waits = 0;
  const end = (reason: unknown) => {
    giveUp(reason);
    request.abort(reason);
  };
  const stop = () => end(caller.reason);
  const timer = setTimeout(() => waiting > 0 && end(responseTimeoutError(ms)), ms);
  if (caller.aborted) stop();
  caller.addEventListener('abort', stop, { once: true });

  return {
    signal: request.signal,
    wait: (work) =>
      new Promise((resolve, reject) => {
        if (request.signal.aborted) reject(request.signal.reason);
        giveUp = reject;
        const mine = ++waits;
        waiting = mine;
        timer.refresh();
        work.then(resolve, reject).finally(() => {
          if (waiting === mine) waiting = 0;
        });
      }),
    close() {
      clearTimeout(timer);
      caller.removeEventListener('abort', stop);
    },
    abort: () => request.abort(),
  };
}

function responseTimeoutError(ms: number): SeineError {
  return new SeineError('unavailable', `The store gave no answer for ${ms / 1000} s.`, {
    hint: 'Check the network between here and the store.',
  });
}
