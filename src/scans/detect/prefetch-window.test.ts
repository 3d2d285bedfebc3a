import { describe, expect, it } from 'vitest';
import { PrefetchWindow } from './prefetch-window.ts';

function flowWithClock(min = 2, max = 256) {
  let now = 0;
  const flow = new PrefetchWindow({ min, max }, () => now);
  const end = (objects: number, everyMs: number) => {
    for (let i = 0; i < objects; i++) {
      flow.recordStart();
      now += everyMs;
      flow.recordEnd();
    }
  };
  const rest = (ms: number) => {
    now += ms;
  };
  return { flow, end, rest };
}

describe('the prefetch of a queue', () => {
  it('is half a second of work, however slow the source', () => {
    const { flow, end } = flowWithClock();
    end(40, 50);
    expect(flow.size).toBe(10);
  });

  it('grows quickly to its maximum where objects are fast, and is never less than the read concurrency', () => {
    const { flow, end } = flowWithClock(32);
    expect(flow.size).toBe(32);
    end(300, 0.05);
    expect(flow.size).toBe(256);
    end(5, 10_000);
    expect(flow.size).toBe(32);
  });

  it('is not the less for a time without work', () => {
    const { flow, end, rest } = flowWithClock();
    end(500, 1);
    const { size } = flow;
    rest(60_000);
    end(5, 1);
    expect(flow.size).toBe(size);
  });
});
