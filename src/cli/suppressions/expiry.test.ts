import { expect, it } from 'vitest';
import { expiryOf } from './expiry.ts';

const now = Date.parse('2026-11-16T09:00:00Z');

it.each([
  ['2027-01-31', '2027-02-01T00:00:00.000Z'],
  ['2024-01-01', '2024-01-02T00:00:00.000Z'],
  ['90d', '2027-02-14T09:00:00.000Z'],
  ['2w', '2026-11-30T09:00:00.000Z'],
  ['1y', '2027-11-16T09:00:00.000Z'],
])('until %s: it holds no more from %s on', (text, end) => {
  expect(new Date(expiryOf(text, now)!).toISOString()).toBe(end);
});

it.each(['', 'soon', '2027-02-31', '2027-13-01', '2027-1-1', '-3d', '90', '90x', '31.01.2027'])(
  '"%s" is no such moment',
  (text) => expect(expiryOf(text, now)).toBeNull(),
);
