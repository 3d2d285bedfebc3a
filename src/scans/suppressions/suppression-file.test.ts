import { expect, it } from 'vitest';
import { keyFromBytes } from '../../base/key.ts';
import type { Suppression } from './suppression.ts';
import { formatSuppressions, parseSuppressions } from './suppression-file.ts';

const match = {
  detector: 'EMAIL',
  fingerprint: 'aa',
  path: 'test/**',
  source: 'fs:/srv',
  object: keyFromBytes(Uint8Array.of(0xff, 0x61)),
};
const entry: Suppression = {
  ...match,
  reason: 'a test account',
  owner: 'team-mail',
  expiresAt: new Date('2027-02-01'),
  id: 7,
  createdAt: new Date('2026-01-01'),
  createdBy: 'ada',
  removedAt: null,
  removedBy: null,
  expired: false,
  hits: 3,
  lastHitAt: null,
  lastHitScan: null,
};
const { reason, owner, expiresAt } = entry;

it('a written file is parsed with matches, reasons, owners and expiry dates', () => {
  expect(parseSuppressions(formatSuppressions([entry], 'check'), 's.json', 'check')).toEqual([
    { ...match, reason, owner, expiresAt },
  ]);
});

it('fingerprints of another key are refused; paths need no key', () => {
  expect(() => parseSuppressions(formatSuppressions([entry], 'other'), 's.json', 'check')).toThrow(
    /another key/,
  );
  const byPath = { ...entry, fingerprint: null };
  expect(parseSuppressions(formatSuppressions([byPath], 'other'), 's.json', 'check')).toHaveLength(1);
});

it.each([
  ['{', /not JSON/],
  ['{}', /no "seine suppressions"/],
  [
    '{"kind":"seine suppressions","schemaVersion":1,"suppressions":[{"detector":"EMAIL"}]}',
    /entry 1 has no "path"/,
  ],
  [
    '{"kind":"seine suppressions","schemaVersion":1,"suppressions":[{"detector":"EMAIL","path":"a","owner":"b"}]}',
    /no "reason"/,
  ],
  [
    '{"kind":"seine suppressions","schemaVersion":1,"suppressions":[{"detector":"E","path":"a","owner":"b","reason":"c","expiresAt":"soon"}]}',
    /is no date/,
  ],
])('%s is refused', (text, why) => {
  expect(() => parseSuppressions(text, 's.json', 'check')).toThrow(why);
});
