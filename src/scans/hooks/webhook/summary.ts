import type { Queryable } from '../../../db/database.ts';
import type { ScanRow } from '../../lifecycle/scan-store.ts';
import { SCHEMA_VERSION } from '../../results/finding-json.ts';
import type { LedgerLine } from '../../results/report.ts';
import { readReport } from '../../results/report-store.ts';
import { deliveryId, type HookId } from '../hook.ts';

/**
 * The payload of a webhook: counts and names of types and policies; no object keys and no values, masked or
 * not.
 */
export async function readSummary(db: Queryable, hook: HookId, scan: ScanRow): Promise<object> {
  const report = await readReport(db, scan, { worst: 0 });
  return {
    schemaVersion: SCHEMA_VERSION,
    event: 'scan.ended',
    delivery: deliveryId(hook),
    round: hook.round,
    scan: {
      ...report.scan,
      error: scan.error,
      createdAt: scan.createdAt.toISOString(),
      finishedAt: scan.finishedAt?.toISOString() ?? null,
    },
    coverage: coverageOf(report.ledger),
    tiers: report.tiers,
    policies: report.policies.map(({ policy, objects }) => ({ policy, objects })),
    findings: {
      total: report.types.reduce((total, type) => total + type.findings, 0),
      types: report.types.map(({ detector, category, objects, findings }) => ({
        detector,
        category,
        objects,
        findings,
      })),
    },
  };
}

function coverageOf(ledger: readonly LedgerLine[]): object {
  const outcomes = Map.groupBy(ledger, (line) => line.outcome);
  return {
    ...sumOf(ledger),
    outcomes: Object.fromEntries([...outcomes].map(([outcome, lines]) => [outcome, sumOf(lines)])),
  };
}

function sumOf(lines: readonly LedgerLine[]): { objects: number; bytes: number } {
  const sum = { objects: 0, bytes: 0 };
  for (const line of lines) {
    sum.objects += line.objects;
    sum.bytes += line.bytes;
  }
  return sum;
}
