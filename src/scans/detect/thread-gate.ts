/**
 * The request gate of a detection thread: asks the main thread, which holds the rate limits and the budget
 * of the process.
 */
import type { MessagePort } from 'node:worker_threads';
import type { RequestGate } from '../../sources/request-gate.ts';
import type { FromThread } from './protocol.ts';

/** The gate is closed because the scan is being stopped; the object is not inspected. */
export class GateClosed extends Error {}

export class ThreadGates {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, (passed: boolean) => void>();
  #nextId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  of(scan: number): RequestGate {
    return {
      admit: async (kind, bytes, signal) => {
        signal.throwIfAborted();
        const id = this.#nextId++;
        const answer = new Promise<boolean>((resolve) => this.#pending.set(id, resolve));
        this.#post({ is: 'ask', id, scan, kind, bytes });
        if (!(await answer)) throw new GateClosed('The scan is being stopped.');
      },
      throttled: (retryAfterMs) => this.#post({ is: 'throttled', scan, retryAfterMs }),
    };
  }

  /** A request waits for its reply. */
  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  resolve(id: number, passed: boolean): void {
    this.#pending.get(id)?.(passed);
    this.#pending.delete(id);
  }

  #post(message: FromThread): void {
    this.#port.postMessage(message);
  }
}
