import { describe, expect, it } from 'vitest';
import { CheckpointPacer, initialPacerState } from './checkpoint-pacer.ts';

function paceWithClock(careful = false) {
  let now = 0;
  const pace = new CheckpointPacer(careful, initialPacerState(), () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { pace, pass };
}

describe('the pace between checkpoints', () => {
  it('grows with the speed, but not at once', () => {
    const { pace, pass } = paceWithClock();
    const first = pace.size;
    pass(10);
    pace.passed(first);
    expect(pace.size).toBe(first * 4);
    pass(10);
    pace.passed(pace.size);
    expect(pace.size).toBeGreaterThan(first * 4);
  });

  it('shrinks when objects take long, so that a crash repeats little', () => {
    const { pace, pass } = paceWithClock();
    pass(60_000);
    pace.passed(100);
    expect(pace.size).toBe(8);
  });

  it('of the next shard begins where that of the last one was', () => {
    const learned = initialPacerState();
    const first = new CheckpointPacer(false, learned, () => 0);
    first.passed(first.size);
    expect(new CheckpointPacer(false, learned).size).toBe(first.size);
    expect(new CheckpointPacer(true, learned).size).toBe(8);
  });

  it('stays small after a crash without progress', () => {
    const { pace, pass } = paceWithClock(true);
    const small = pace.size;
    pass(1);
    pace.passed(10_000);
    expect(pace.size).toBe(small);
  });

  it('is due when a second has passed', () => {
    const { pace, pass } = paceWithClock();
    expect(pace.due).toBe(false);
    pass(1001);
    expect(pace.due).toBe(true);
    pace.passed(0);
    expect(pace.due).toBe(false);
  });
});
