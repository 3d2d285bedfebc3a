import { describe, expect, it } from 'vitest';
import { DeferredGate } from './deferred-gate.ts';

const never = new AbortController().signal;

describe('a gate that is built later', () => {
  it('holds requests until then, and asks the real one for each', async () => {
    const gate = new DeferredGate();
    const calls: number[] = [];
    const waiting = gate.admit('read', 1, never);
    gate.throttled(10); // buffered: there is no gate yet
    gate.resolve({
      admit: async (_kind, bytes) => void calls.push(bytes),
      throttled: (ms) => void calls.push(ms ?? 0),
    });
    await waiting;
    await gate.admit('read', 2, never);
    gate.throttled(30);
    expect(calls).toEqual([1, 2, 30]);
  });
});
