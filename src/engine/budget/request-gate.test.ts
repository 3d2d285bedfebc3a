import { describe, expect, it, vi } from 'vitest';
import type { Limiter } from '../limits/limiter.ts';
import { createRate } from '../limits/rates.ts';
import type { Amount } from './budget.ts';
import type { LocalBudget } from './local-budget.ts';
import { createRequestGate } from './request-gate.ts';

const never = new AbortController().signal;

function parts() {
  const order: string[] = [];
  const limiter = {
    take: vi.fn(async (quota: string) => void order.push(`limit ${quota}`)),
    setRate: vi.fn(),
    throttled: vi.fn(),
    stats: () => [],
    close: async () => {},
  } satisfies Limiter;
  const budget = {
    consume: vi.fn(async (need: Amount) => void order.push(`budget ${JSON.stringify(need)}`)),
    refund: vi.fn(),
    close: async () => {},
  } satisfies LocalBudget;
  return { order, limiter, budget };
}

describe('a gate', () => {
  it('asks the budget first, then the rate limit', async () => {
    const { order, limiter, budget } = parts();
    await createRequestGate({ limiter, budget, quota: 's3:me' }).admit('read', 1000, never);
    expect(order).toEqual(['budget {"requests":1,"bytes":1000,"nanos":490}', 'limit s3:me']);
  });

  it('takes prices and a rate of the source instead of the defaults', async () => {
    const { order, limiter, budget } = parts();
    const prices = { list: 1, read: 2, gigabyte: 0 };
    const gate = createRequestGate({ limiter, budget, quota: 's3:me', prices, rate: createRate(10) });
    await gate.admit('head', 5, never);
    expect(order[0]).toBe('budget {"requests":1,"bytes":5,"nanos":2000000}');
    expect(limiter.setRate).toHaveBeenCalledWith('s3:me', createRate(10));
  });

  it('admits nothing once the budget is exhausted', async () => {
    const { limiter, budget } = parts();
    budget.consume.mockRejectedValue(new Error('spent'));
    await expect(
      createRequestGate({ limiter, budget, quota: 's3:me' }).admit('list', 0, never),
    ).rejects.toThrow('spent');
    expect(limiter.take).not.toHaveBeenCalled();
  });

  it('gives the money back when the request is given up while it waits for the rate limit', async () => {
    const { limiter, budget } = parts();
    limiter.take.mockRejectedValue(new Error('enough'));
    await expect(
      createRequestGate({ limiter, budget, quota: 's3:me' }).admit('list', 0, never),
    ).rejects.toThrow('enough');
    expect(budget.refund).toHaveBeenCalledWith({ requests: 1, bytes: 0, nanos: 5000 });
  });

  it('counts the requests of a local source when there is a budget', async () => {
    const { order, limiter, budget } = parts();
    await createRequestGate({ limiter, budget, quota: undefined }).admit('read', 10, never);
    expect(order).toEqual(['budget {"requests":1,"bytes":10,"nanos":0}']);
  });

  it('without quota and budget admits at once, and still rejects when its signal is aborted', async () => {
    const { order, limiter } = parts();
    const gate = createRequestGate({ limiter, budget: null, quota: undefined });
    await gate.admit('read', 1e12, never);
    gate.throttled(1000);
    expect(order).toEqual([]);
    expect(limiter.throttled).not.toHaveBeenCalled();
    await expect(gate.admit('read', 0, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  });

  it('reports whether requests are counted or limited at all', () => {
    const { limiter, budget } = parts();
    expect(createRequestGate({ limiter, budget: null, quota: undefined }).free).toBe(true);
    expect(createRequestGate({ limiter, budget, quota: undefined }).free).toBe(false);
    expect(createRequestGate({ limiter, budget: null, quota: 's3:me' }).free).toBe(false);
  });

  it('reports throttling by the provider to the limiter', () => {
    const { limiter } = parts();
    createRequestGate({ limiter, budget: null, quota: 's3:me' }).throttled(null);
    expect(limiter.throttled).toHaveBeenCalledWith('s3:me', null);
  });
});
