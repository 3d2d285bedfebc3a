import { describe, expect, it } from 'vitest';
import { checkRunnerOptions } from './check-options.ts';

describe('the options of a runner', () => {
  it.each<[string, object]>([
    ['leaseMs, not NaN', { leaseMs: Number.NaN }],
    ['pollMs, not -5', { pollMs: -5 }],
    ['eventsAtOnce, not 1.5', { eventsAtOnce: 1.5 }],
    ['parkAfter, not 0', { parkAfter: 0 }],
  ])('are refused when they are no counts: %s', (sentence, options) => {
    expect(() => checkRunnerOptions(options)).toThrow(
      `The runner needs a whole number of at least 1 as ${sentence}.`,
    );
  });

  it('may be left out, and a runner may run no actions', () => {
    expect(() => checkRunnerOptions({ pollMs: 20, actionsAtOnce: 0 })).not.toThrow();
    expect(() => checkRunnerOptions({ actionsAtOnce: -1 })).toThrow('at least 0 as actionsAtOnce, not -1');
  });
});
