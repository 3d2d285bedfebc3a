import { describe, expect, it, vi } from 'vitest';
import type { Limiter } from '../limits/limiter.ts';
import { rateOf } from '../limits/rates.ts';
import type { Amount } from './budget.ts';
import { createGate } from './gate.ts';
import type { Purse } from './purse.ts';

const never = new AbortController().signal;

function parts() {
  const order: string[] = [];
  const limiter = {
    take: vi.fn(async (quota: string) => void order.push(`limit ${quota}`)),
    setRate: vi.fn(),
    throttled: vi.fn(),
    waits: () => [],
    close: async () => {},
  } satisfies Limiter;
  const budget = {
    spend: vi.fn(async (need: Amount) => void order.push(`budget ${JSON.stringify(need)}`)),
    refund: vi.fn(),
    close: async () => {},
  } satisfies Purse;
  return { order, limiter, budget };
}

describe('a gate', () => {
  it('asks the budget first, then the rate limit', async () => {
    const { order, limiter, budget } = parts();
    await createGate({ limiter, budget, quota: 's3:me' }).pass('read', 1000, never);
    expect(order).toEqual(['budget {"requests":1,"bytes":1000,"nanos":490}', 'limit s3:me']);
  });

  it('takes prices and a rate of the source instead of the defaults', async () => {
    const { order, limiter, budget } = parts();
    const prices = { list: 1, read: 2, gigabyte: 0 };
    const gate = createGate({ limiter, budget, quota: 's3:me', prices, rate: rateOf(10) });
    await gate.pass('head', 5, never);
    expect(order[0]).toBe('budget {"requests":1,"bytes":5,"nanos":2000000}');
    expect(limiter.setRate).toHaveBeenCalledWith('s3:me', rateOf(10));
  });

  it('lets nothing pass when the budget is spent', async () => {
    const { limiter, budget } = parts();
    budget.spend.mockRejectedValue(new Error('spent'));
    await expect(createGate({ limiter, budget, quota: 's3:me' }).pass('list', 0, never)).rejects.toThrow(
      'spent',
    );
    expect(limiter.take).not.toHaveBeenCalled();
  });

  it('gives the money back when the request is given up while it waits for the rate limit', async () => {
    const { limiter, budget } = parts();
    limiter.take.mockRejectedValue(new Error('enough'));
    await expect(createGate({ limiter, budget, quota: 's3:me' }).pass('list', 0, never)).rejects.toThrow(
      'enough',
    );
    expect(budget.refund).toHaveBeenCalledWith({ requests: 1, bytes: 0, nanos: 5000 });
  });

  it('counts the requests of a local source when there is a budget', async () => {
    const { order, limiter, budget } = parts();
    await createGate({ limiter, budget, quota: undefined }).pass('read', 10, never);
    expect(order).toEqual(['budget {"requests":1,"bytes":10,"nanos":0}']);
  });

  it('without quota and budget asks nobody, and still ends with its signal', async () => {
    const { order, limiter } = parts();
    const gate = createGate({ limiter, budget: null, quota: undefined });
    await gate.pass('read', 1e12, never);
    gate.throttled(1000);
    expect(order).toEqual([]);
    expect(limiter.throttled).not.toHaveBeenCalled();
    await expect(gate.pass('read', 0, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  });

  it('says whether anybody needs to ask at all', () => {
    const { limiter, budget } = parts();
    expect(createGate({ limiter, budget: null, quota: undefined }).free).toBe(true);
    expect(createGate({ limiter, budget, quota: undefined }).free).toBe(false);
    expect(createGate({ limiter, budget: null, quota: 's3:me' }).free).toBe(false);
  });

  it('tells the limiter that the provider wants it slower', () => {
    const { limiter } = parts();
    createGate({ limiter, budget: null, quota: 's3:me' }).throttled(null);
    expect(limiter.throttled).toHaveBeenCalledWith('s3:me', null);
  });
});
