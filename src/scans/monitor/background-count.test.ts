import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Queryable } from '../../db/database.ts';
import { type BackgroundLister, startBackgroundCount } from './background-count.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const about = (n: number) => ({ low: n / 2, likely: n, high: n * 2 });

/** A database in which the plan has stored its estimate, or not yet. */
function database(plan: { estimate: unknown }): { db: Queryable; queryCount: () => number } {
  let queryCount = 0;
  const query = async () => {
    queryCount++;
    return { rows: [{ estimate: plan.estimate }] as never[], rowCount: 1 };
  };
  return { db: { query }, queryCount: () => queryCount };
}

/** Records what it should list, reports three objects and waits. */
function listing(): { lister: BackgroundLister; started: unknown[]; stopped: () => number } {
  const started: unknown[] = [];
  let stopped = 0;
  const lister: BackgroundLister = (target, scope, report) => {
    started.push({ target, scope });
    report({ objects: 3, bytes: 9, final: false, estimated: false });
    return () => void stopped++;
  };
  return { lister, started, stopped: () => stopped };
}

describe('the survey', () => {
  it('lists a folder beside the scan, after a moment, until it is stopped', async () => {
    const { db } = database({ estimate: null });
    const { lister, started, stopped } = listing();
    const survey = startBackgroundCount(db, { id: 1, source: 'fs:/srv/share' }, {}, lister);
    expect(started).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(started).toEqual([{ target: 'fs:/srv/share', scope: {} }]);
    expect(survey.totals()).toEqual({ objects: 3, bytes: 9, final: false, estimated: false });
    survey.stop();
    expect(stopped()).toBe(1);
  });

  it.each(['s3://bucket/prefix', 'gs://bucket', 'az://account/container'])(
    'never lists %s: that costs money and time; it says what the plan saw',
    async (source) => {
      const plan: { estimate: unknown } = { estimate: null };
      const { db, queryCount } = database(plan);
      const { lister, started } = listing();
      const survey = startBackgroundCount(db, { id: 1, source }, {}, lister);
      await vi.advanceTimersByTimeAsync(5000);
      expect([started, survey.totals()]).toEqual([[], null]);
      plan.estimate = { objects: about(100), bytes: about(5000) };
      await vi.advanceTimersByTimeAsync(5000);
      expect(survey.totals()).toEqual({ objects: 100, bytes: 5000, final: false, estimated: true });
      const before = queryCount();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(queryCount()).toBe(before); // a known estimate is not queried again
      survey.stop();
    },
  );

  it('outlives a database that is away for a while', async () => {
    const query = () => Promise.reject(new Error('away'));
    const survey = startBackgroundCount({ query }, { id: 1, source: 's3://bucket' }, {});
    await vi.advanceTimersByTimeAsync(5000);
    expect(survey.totals()).toBeNull();
    survey.stop();
  });
});
