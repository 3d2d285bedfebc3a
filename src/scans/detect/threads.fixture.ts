import type { QueueThreads } from './scan-queue.ts';

/** Threads that do nothing by themselves: the test sends their results. */
export function idleThreads(room = 10): QueueThreads {
  return {
    count: 1,
    prefetch: { min: room, max: room },
    fault: null,
    ready: async () => {},
    dispatch: () => {},
    forceDispatch: () => {},
    remove: () => {},
  };
}
