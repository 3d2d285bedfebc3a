/** The gate of a detection thread: asks the main thread, which holds the tokens and the budget of the whole process. */
import type { MessagePort } from 'node:worker_threads';
import type { Gate } from '../../sources/gate.ts';
import type { FromThread } from './protocol.ts';

/** The gate is closed: the scan is being stopped, and this object is not looked at. */
export class Stopped extends Error {}

export class ThreadGates {
  readonly #port: MessagePort;
  readonly #asked = new Map<number, (passed: boolean) => void>();
  #nextId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  of(scan: number): Gate {
    return {
      pass: async (kind, bytes, signal) => {
        signal.throwIfAborted();
        const id = this.#nextId++;
        const answer = new Promise<boolean>((resolve) => this.#asked.set(id, resolve));
        this.#tell({ is: 'ask', id, scan, kind, bytes });
        if (!(await answer)) throw new Stopped('The scan is being stopped.');
      },
      throttled: (retryAfterMs) => this.#tell({ is: 'throttled', scan, retryAfterMs }),
    };
  }

  /** Somebody waits for an answer. */
  get asking(): boolean {
    return this.#asked.size > 0;
  }

  answered(id: number, passed: boolean): void {
    this.#asked.get(id)?.(passed);
    this.#asked.delete(id);
  }

  #tell(message: FromThread): void {
    this.#port.postMessage(message);
  }
}
