import { describe, expect, it } from 'vitest';
import { CheckpointPacer, initialPacerState } from './checkpoint-pacer.ts';

function pacerWithClock(careful = false) {
  let now = 0;
  const pacer = new CheckpointPacer(careful, initialPacerState(), () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { pacer, pass };
}

describe('the number of objects per checkpoint', () => {
  it('grows with the speed, but not at once', () => {
    const { pacer, pass } = pacerWithClock();
    const first = pacer.size;
    pass(10);
    pacer.passed(first);
    expect(pacer.size).toBe(first * 4);
    pass(10);
    pacer.passed(pacer.size);
    expect(pacer.size).toBeGreaterThan(first * 4);
  });

  it('shrinks when objects take long, so that a crash repeats little', () => {
    const { pacer, pass } = pacerWithClock();
    pass(60_000);
    pacer.passed(100);
    expect(pacer.size).toBe(8);
  });

  it('of the next shard starts where that of the last one ended', () => {
    const learned = initialPacerState();
    const first = new CheckpointPacer(false, learned, () => 0);
    first.passed(first.size);
    expect(new CheckpointPacer(false, learned).size).toBe(first.size);
    expect(new CheckpointPacer(true, learned).size).toBe(8);
  });

  it('stays small after a crash without progress', () => {
    const { pacer, pass } = pacerWithClock(true);
    const small = pacer.size;
    pass(1);
    pacer.passed(10_000);
    expect(pacer.size).toBe(small);
  });

  it('is due when a second has passed', () => {
    const { pacer, pass } = pacerWithClock();
    expect(pacer.due).toBe(false);
    pass(1001);
    expect(pacer.due).toBe(true);
    pacer.passed(0);
    expect(pacer.due).toBe(false);
  });
});
