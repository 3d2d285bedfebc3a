import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Queryable } from '../db/database.ts';
import { startSurvey } from './survey.ts';

const started: unknown[] = [];
vi.mock('node:worker_threads', () => ({
  Worker: class {
    constructor(_file: URL, { workerData }: { workerData: unknown }) {
      started.push(workerData);
    }
    on() {}
    unref() {}
    async terminate() {}
  },
}));

beforeEach(() => {
  vi.useFakeTimers();
  started.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const about = (n: number) => ({ low: n / 2, likely: n, high: n * 2 });

/** A database in which the plan has written what it saw, or has not yet. */
function database(plan: { estimate: unknown }): { db: Queryable; asked: () => number } {
  let asked = 0;
  const query = async () => {
    asked++;
    return { rows: [{ estimate: plan.estimate }] as never[], rowCount: 1 };
  };
  return { db: { query }, asked: () => asked };
}

describe('the survey', () => {
  it('lists a folder beside the scan, after a moment', async () => {
    const { db } = database({ estimate: null });
    const survey = startSurvey(db, { id: 1, source: 'fs:/srv/share' }, {});
    expect(started).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(started).toEqual([{ target: 'fs:/srv/share', scope: {} }]);
    survey.stop();
  });

  it.each(['s3://bucket/prefix', 'gs://bucket', 'az://account/container'])(
    'never lists %s: that costs money and time; it says what the plan saw',
    async (source) => {
      const plan: { estimate: unknown } = { estimate: null };
      const { db, asked } = database(plan);
      const survey = startSurvey(db, { id: 1, source }, {});
      await vi.advanceTimersByTimeAsync(5000);
      expect([started, survey.totals()]).toEqual([[], null]);
      plan.estimate = { objects: about(100), bytes: about(5000) };
      await vi.advanceTimersByTimeAsync(5000);
      expect(survey.totals()).toEqual({ objects: 100, bytes: 5000, final: false, guessed: true });
      const before = asked();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(asked()).toBe(before); // once known it is not asked for again
      survey.stop();
    },
  );

  it('outlives a database that is away for a while', async () => {
    const query = () => Promise.reject(new Error('away'));
    const survey = startSurvey({ query }, { id: 1, source: 's3://bucket' }, {});
    await vi.advanceTimersByTimeAsync(5000);
    expect(survey.totals()).toBeNull();
    survey.stop();
  });
});
