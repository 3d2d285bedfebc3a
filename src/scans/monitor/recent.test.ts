import { describe, expect, it } from 'vitest';
import { Recent } from './recent.ts';
import { sampleSnapshot } from './snapshot.fixture.ts';

const minute = (minutes: number) =>
  sampleSnapshot({ at: new Date(Date.UTC(2025, 2, 1) + minutes * 60_000).toISOString() });

describe('the snapshot to compare with', () => {
  it('is none at first, then the first', () => {
    const recent = new Recent();
    expect(recent.before(minute(0))).toBeNull();
    expect(recent.before(minute(1))).toEqual(minute(0));
    expect(recent.before(minute(59))).toEqual(minute(0));
  });

  it('is never older than an hour', () => {
    const recent = new Recent();
    for (let n = 0; n < 90; n++) recent.before(minute(n));
    expect(recent.before(minute(90))).toEqual(minute(30));
  });

  it('after a long silence is none', () => {
    const recent = new Recent();
    recent.before(minute(0));
    expect(recent.before(minute(200))).toBeNull();
  });
});
