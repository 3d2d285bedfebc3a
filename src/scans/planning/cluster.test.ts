/** Planner and work stealer on small simulated clusters; `npm run bench -- balance` runs the large ones. */
import { describe, expect, it } from 'vitest';
import type { ClusterOutcome } from '../../../bench/cluster/outcome.ts';
import { type Run, STRATEGIES } from '../../../bench/cluster/strategies.ts';
import { makeBucket, SHAPES, type Shape } from '../../sources/sim/shapes.ts';

const OBJECTS = 100_000;

function scan(shape: Shape, more: Partial<Run> = {}, strategy = 'production'): ClusterOutcome {
  const seed = 3;
  return STRATEGIES[strategy]!({ bucket: makeBucket(shape, OBJECTS, seed), workers: 16, seed, ...more });
}

function expectEachOnce({ missed, doubled }: ClusterOutcome): void {
  expect([missed, doubled]).toEqual([0, 0]);
}

describe.each(SHAPES)('a bucket of %s', (shape) => {
  it('is distributed over 16 workers: every object once, and no worker is idle for long', () => {
    const outcome = scan(shape);
    expectEachOnce(outcome);
    expect(outcome.seconds / outcome.ideal).toBeLessThan(1.2);
  });

  it('is shared out just so without a plan', () => {
    const outcome = scan(shape, {}, 'steal only');
    expectEachOnce(outcome);
    expect(outcome.seconds / outcome.ideal).toBeLessThan(1.2);
  });
});

describe('a cluster', () => {
  it('whose workers crash continually loses nothing', () => {
    const outcome = scan('hive', { lifetime: 20 });
    expect(outcome.crashes).toBeGreaterThan(10);
    expect(outcome.redone).toBeGreaterThan(0);
    expectEachOnce(outcome);
  });

  it('scans a bucket of one object, and one of none, without a split', () => {
    for (const objects of [0, 1, 150]) {
      const outcome = scan('hex', { bucket: makeBucket('hex', objects, 3) });
      expectEachOnce(outcome);
      expect(outcome.splits).toBe(0);
    }
  });

  it('without stealing is at the mercy of the plan', () => {
    const outcome = scan('heavy', {}, 'first keys');
    expectEachOnce(outcome);
    expect(outcome.seconds / outcome.ideal).toBeGreaterThan(5);
  });
});
