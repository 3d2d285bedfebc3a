import { SeineError } from '../../base/errors.ts';

/** Aborts a request if its response, or the next chunk of it, doesn't arrive in time, or if the caller aborts. */
export interface Deadline {
  /** For the request: aborted when the deadline passes. */
  readonly signal: AbortSignal;
  /** Resolves with the result of the work if that arrives in time; a later result is discarded. */
  wait<T>(work: Promise<T>): Promise<T>;
  close(): void;
  /** Aborts the request; its remaining response is discarded. */
  abort(): void;
}

export function createDeadline(ms: number, caller: AbortSignal): Deadline {
  const request = new AbortController();
  let rejectWait: (reason: unknown) => void = () => {};
  /** The number of the current wait; 0: none. A wait may begin before the end of the previous one is noticed. */
  let waiting = 0;
  let waits = 0;
  const end = (reason: unknown) => {
    rejectWait(reason);
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
        rejectWait = reject;
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
  return new SeineError('unavailable', `The store did not respond for ${ms / 1000} s.`, {
    hint: 'Check the network between here and the store.',
  });
}
