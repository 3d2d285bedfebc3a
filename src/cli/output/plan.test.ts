import { describe, expect, it } from 'vitest';
import { renderPlan } from './plan.ts';
import { PLAIN_STYLE } from './terminal-style.ts';

const spread = (likely: number) => ({ low: likely / 2, likely, high: likely * 3 });

describe('the plan of a scan', () => {
  it('shows every figure with its uncertainty', () => {
    const text = renderPlan(
      {
        source: 's3://harbour/logs',
        objects: spread(4_000_000),
        bytes: spread(9e11),
        exact: false,
        calls: 128,
        requests: spread(4_004_000),
        cost: spread(82.5),
        seconds: [{ workers: 16, likely: spread(840) }],
      },
      PLAIN_STYLE,
    );
    expect(text).toBe(
      [
        's3://harbour/logs',
        '                      LIKELY  BETWEEN',
        'objects            4,000,000  2,000,000 and 12,000,000',
        'bytes                 900 GB  450 GB and 2.7 TB',
        'requests           4,004,000  2,002,000 and 12,012,000',
        'cost                  $82.50  $41.25 and $248',
        'time, 16 workers  14 min 0 s  7 min 0 s and 42 min 0 s',
        '',
        'Estimate (128 listing requests, nothing read); deep trees may hold more. Raise --max-list-requests for a better one.',
        '',
      ].join('\n'),
    );
  });

  it('reports so when everything was listed, and when the range is unbounded', () => {
    const small = { low: 140, likely: 140, high: 140 };
    const endless = { low: 0.2, likely: 0.4, high: Number.POSITIVE_INFINITY };
    const text = renderPlan(
      {
        source: 'fs:/srv',
        objects: small,
        bytes: small,
        exact: true,
        calls: 0,
        requests: null,
        cost: null,
        seconds: [{ workers: 1, likely: endless }],
      },
      PLAIN_STYLE,
    );
    expect(text).toContain('140  exactly');
    expect(text).toContain('< 1 s  < 1 s and unbounded');
    expect(text).toContain('Everything was listed (nothing read).');
  });
});
