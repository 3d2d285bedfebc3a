import { describe, expect, it } from 'vitest';
import { sampleSnapshot } from './snapshot.fixture.ts';
import { SnapshotHistory } from './snapshot-history.ts';

const minute = (minutes: number) =>
  sampleSnapshot({ at: new Date(Date.UTC(2025, 2, 1) + minutes * 60_000).toISOString() });

describe('the snapshot to compare with', () => {
  it('is none at first, then the first', () => {
    const recent = new SnapshotHistory();
    expect(recent.record(minute(0))).toBeNull();
    expect(recent.record(minute(1))).toEqual(minute(0));
    expect(recent.record(minute(59))).toEqual(minute(0));
  });

  it('is never older than an hour', () => {
    const recent = new SnapshotHistory();
    for (let n = 0; n < 90; n++) recent.record(minute(n));
    expect(recent.record(minute(90))).toEqual(minute(30));
  });

  it('after a long silence is none', () => {
    const recent = new SnapshotHistory();
    recent.record(minute(0));
    expect(recent.record(minute(200))).toBeNull();
  });
});
