/**
 * User code runs in the thread that also renews leases and sends heartbeats. Loops over user code yield to the event loop periodically, so that slow
 * functions don't cost leases.
 */
import { setImmediate } from 'node:timers/promises';

const AFTER_MS = 100;

export class EventLoopShare {
  #began = performance.now();

  /** Whether this loop has blocked the event loop for too long. */
  get isUsed(): boolean {
    return performance.now() - this.#began >= AFTER_MS;
  }

  async yieldNow(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
