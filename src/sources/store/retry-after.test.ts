import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs } from './retry-after.ts';

const NOW = Date.parse('Sun, 15 Nov 2026 12:00:00 GMT');

describe('Retry-After', () => {
  it.each<[string | null | undefined, number | null]>([
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['0.5', 500],
    ['Sun, 15 Nov 2026 12:00:30 GMT', 30_000],
    ['Sunday, 15-Nov-26 12:01:00 GMT', 60_000],
    ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
    ['-5', null],
    ['soon', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('%j is %j ms', (header, expected) => {
    expect(parseRetryAfterMs(header, NOW)).toBe(expected);
  });
});
