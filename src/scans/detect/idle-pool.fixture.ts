import type { QueueConsumer } from './scan-queue.ts';

/** A pool that pulls nothing: the test takes batches and returns their results. */
export function idlePool(room = 10): QueueConsumer {
  return {
    threads: 1,
    prefetch: { min: room, max: room },
    workAvailable: () => {},
    threadReady: async () => {},
  };
}
