/**
 * User code runs in the thread that also renews leases and sends heartbeats. A loop over user code gives way to these now and then, so that
 * slow functions cost time, but no leases.
 */
import { setImmediate } from 'node:timers/promises';

const AFTER_MS = 100;

export class EventLoopShare {
  #began = performance.now();

  /** This loop has had the thread for long. */
  get isUsed(): boolean {
    return performance.now() - this.#began >= AFTER_MS;
  }

  async yieldNow(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
