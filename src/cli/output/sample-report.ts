/** A report and findings with hostile names and values, for the tests of the outputs. */
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { keyFromBytes, keyOf } from '../../base/key.ts';
import type { Finding } from '../../scans/results/finding.ts';
import type { Report } from '../../scans/results/report.ts';

export const HOSTILE = keyOf('<script>alert("1")</script>\n\x1b[2J\'"&.csv');

export const SAMPLE: Report = {
  scan: {
    id: '7f3a9c',
    source: 's3://claims',
    status: 'completed',
    rules: 'default',
    createdAt: new Date('2026-01-05T10:12:30Z'),
    finishedAt: new Date('2026-01-05T10:12:34Z'),
    seconds: 4,
  },
  ledger: [
    { outcome: 'scanned', reason: null, objects: 398, bytes: 1_200_000_000 },
    { outcome: 'unchanged', reason: null, objects: 9, bytes: 4_000_000 },
    { outcome: 'partial', reason: 'larger than the limit of 1 GB', objects: 3, bytes: 4_000_000_000 },
    { outcome: 'skipped', reason: 'encrypted', objects: 2, bytes: 10_000 },
  ],
  tiers: { MINIMAL: 40, LOW: 21, MEDIUM: 9, HIGH: 12, CRITICAL: 3 },
  objects: [
    object('finance/2023/payroll/export-final.csv', 98, 'CRITICAL', { CREDIT_CARD: 3, SSN: 1200 }),
    { ...object('x', 91, 'CRITICAL', { SSN: 4 }), key: HOSTILE },
    object('顧客/東京/名簿.txt', 78, 'HIGH', { PHONE: 10 }),
  ],
  folders: [
    { folder: 'finance/2023', objects: 20, findings: 1300, worst: 98, tier: 'CRITICAL' },
    { folder: '', objects: 1, findings: 4, worst: 91, tier: 'CRITICAL' },
  ],
  types: [
    type('SSN', 'direct_identifier', 37, 1204, '***-**-6789'),
    type('CREDIT_CARD', 'financial', 2, 5, '**** **** **** 1111'),
    type('AWS_SECRET_KEY', 'credential', 1, 1, 'wJ**…**EY'),
  ],
  insides: [],
  policies: [
    {
      policy: 'gdpr',
      title: 'Personal data',
      objects: 37,
      because: { SSN: 1204, PHONE: 10 },
      worst: [
        { key: keyOf('finance/2023/payroll/export-final.csv'), tier: 'CRITICAL' },
        { key: HOSTILE, tier: 'CRITICAL' },
      ],
    },
    {
      policy: 'pci_dss',
      title: 'Cardholder data',
      objects: 1,
      because: { CREDIT_CARD: 5 },
      worst: [{ key: keyOf('finance/2023/payroll/export-final.csv'), tier: 'CRITICAL' }],
    },
  ],
  suppressed: { findings: 0, suppressions: 0 },
};

export function sampleFinding(change: Partial<Finding> = {}): Finding {
  return {
    scan: '7f3a9c',
    source: 's3://claims',
    handle: '12-873-0',
    features: { base: 0.8, context: 0.1, contested: ['PHONE'] },
    key: keyOf('finance/2023/payroll/export-final.csv'),
    part: null,
    detector: 'SSN',
    category: 'direct_identifier',
    field: 'ssn',
    start: 120,
    end: 131,
    line: 12,
    column: 5,
    confidence: Math.fround(0.9),
    tier: 'CRITICAL',
    masked: '***-**-6789',
    fingerprint: '0f1e2d3c4b5a6978',
    reasons: ['context word "ssn"', 'valid area number'],
    ...change,
  };
}

export async function* stream<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

const HOSTILE_CHARACTERS = [
  ...'<>"\'`&/\\=+-@,;{}[]()\t\r\n\0\x1b\x9b\x7f\u200e\u202e\u2028\ufeff東👍\ud800',
  '</script>',
  '<!--',
  '&lt;',
];

/** Texts of special characters of the output formats, mixed with letters. */
export const hostileText = fc.string({
  unit: fc.oneof(fc.constantFrom(...HOSTILE_CHARACTERS), fc.constantFrom(...'ab1 ')),
  minLength: 1,
  maxLength: 16,
});

/** Everything that `write` writes, as text. */
export async function textOf(write: (out: Writable) => Promise<void>): Promise<string> {
  const chunks: Buffer[] = [];
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await write(out);
  return Buffer.concat(chunks).toString('utf8');
}

/** Not UTF-8: a name from an old Latin-1 share. */
export const LATIN1 = keyFromBytes(Uint8Array.of(0x63, 0x61, 0x66, 0xe9));

function object(path: string, score: number, tier: 'HIGH' | 'CRITICAL', counts: Record<string, number>) {
  return {
    key: keyOf(path),
    score,
    tier,
    size: 2_400_000,
    modified: new Date('2025-11-02T00:00:00Z'),
    counts,
    policies: { gdpr: ['SSN'] },
  };
}

function type(detector: string, category: string, objects: number, findings: number, masked: string) {
  const samples = [{ masked, key: keyOf('finance/2023/payroll/export-final.csv'), part: null, line: 12 }];
  return { detector, category, objects, findings, samples };
}
