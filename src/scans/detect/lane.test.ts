import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { OPEN_GATE } from '../../sources/gate.ts';
import { Lane, type LaneOptions, type Threads } from './lane.ts';

const setup = { target: 'any', rules: DEFAULT_RULES, secret: Buffer.alloc(32), keepEach: 10 };
const never = new AbortController().signal;

/** Threads that do nothing by themselves: the test answers for them. */
function laneOf(wish: Partial<LaneOptions> & { readonly room?: number } = {}) {
  const { room = 10, ...options } = wish;
  const threads: Threads = {
    room,
    fault: null,
    ready: async () => {},
    dispatch: () => {},
    push: () => {},
    forget: () => {},
  };
  return new Lane(threads, {
    scan: 1,
    setup,
    gate: OPEN_GATE,
    maxRetries: 2,
    signal: never,
    answers: async () => true,
    ...options,
  });
}

describe('a lane', () => {
  it('lets any number of callers wait for room, for as long as it takes', async () => {
    const lane = laneOf({ room: 0 });
    const waiting = Array.from({ length: 50_000 }, () => lane.room(never));
    lane.broken(new SeineError('unavailable', 'gone'));
    expect(await Promise.all(waiting)).toHaveLength(50_000);
  });
});
