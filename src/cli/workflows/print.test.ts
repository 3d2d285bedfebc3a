import { describe, expect, it } from 'vitest';
import { formatTime, parseCommand, parseDuration, parseTime } from './print.ts';

describe('a command', () => {
  it('is JSON with a type', () => {
    expect(parseCommand('{"type":"approve","by":"ada"}')).toEqual({ type: 'approve', by: 'ada' });
  });

  it.each(['approve', '', '{}', '[]', 'null', '7', '{"type":1}', '{"type":""}', '{"type":"a"'])(
    '%j is none, and the hint shows one',
    (text) => {
      expect(() => parseCommand(text)).toThrow(
        expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('{"type"') }),
      );
    },
  );
});

describe('times', () => {
  it.each([
    ['90d', 90 * 86_400_000],
    ['30m', 1_800_000],
    ['0', 0],
    ['1.5', 1500],
  ])('%s is a span', (text, ms) => {
    expect(parseDuration('--after', text)).toBe(ms);
  });

  it.each(['soon', '-1d', ''])('%j is no span', (text) => {
    expect(() => parseDuration('--after', text)).toThrow('--after is not a duration');
  });

  it('a point in time is written as a date', () => {
    expect(parseTime('--at', '2025-01-31T12:00:00Z').toISOString()).toBe('2025-01-31T12:00:00.000Z');
    for (const text of ['12', 'tomorrow', '2025-13-77'])
      expect(() => parseTime('--at', text)).toThrow('--at is not a date and time');
  });

  it('are formatted relative to now', () => {
    const now = Date.parse('2025-01-31T12:00:00Z');
    expect(formatTime(new Date(now - 30_000), now)).toBe('30 s ago');
    expect(formatTime(new Date(now + 7_200_000), now)).toBe('in 2 h');
    expect(formatTime(null, now)).toBe('');
  });
});
