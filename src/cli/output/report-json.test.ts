import { describe, expect, it } from 'vitest';
import { reportJson } from './report-json.ts';
import { SAMPLE } from './sample-report.ts';

describe('the report as JSON', () => {
  it('has counts, coverage and keys as they are shown', () => {
    const json = JSON.parse(JSON.stringify(reportJson(SAMPLE)));
    expect(json).toMatchObject({
      schemaVersion: 1,
      scan: { id: '7f3a9c', status: 'completed', createdAt: '2026-01-05T10:12:30.000Z' },
      findings: 1210,
      coverage: {
        complete: false,
        objects: 412,
        outcomes: { scanned: { objects: 398 }, dead: { objects: 0 } },
      },
      tiers: { CRITICAL: 3 },
    });
    expect(json.objects[0]).toMatchObject({ key: 'finance/2023/payroll/export-final.csv', score: 98 });
    expect(json.policies[0]).toMatchObject({ policy: 'gdpr', objects: 37, because: { SSN: 1204 } });
    expect(json.policies[0].worst[1]).toEqual({
      key: json.objects[1].key,
      keyHex: json.objects[1].keyHex,
      tier: 'CRITICAL',
    });
    expect(json.objects[0]).not.toHaveProperty('keyHex');
    expect(json.objects[1]).toMatchObject({
      key: expect.stringContaining('\\n\\x1b'),
      keyHex: expect.any(String),
    });
  });

  it('is complete only when the scan came to its end and everything was read', () => {
    const complete = (status: 'completed' | 'interrupted', ledger = SAMPLE.ledger.slice(0, 2)) =>
      reportJson({ ...SAMPLE, ledger, scan: { ...SAMPLE.scan, status } }).coverage;
    expect(complete('completed')).toMatchObject({ complete: true });
    expect(complete('interrupted')).toMatchObject({ complete: false });
    expect(complete('completed', SAMPLE.ledger.slice())).toMatchObject({ complete: false });
  });
});
