import type { Threads } from './lane.ts';

/** Threads that do nothing by themselves: the test answers for them. */
export function idleThreads(room = 10): Threads {
  return {
    count: 1,
    ahead: { least: room, most: room },
    fault: null,
    ready: async () => {},
    dispatch: () => {},
    push: () => {},
    forget: () => {},
  };
}
