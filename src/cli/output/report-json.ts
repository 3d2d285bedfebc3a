import { keyJson, SCHEMA_VERSION } from '../../scans/results/finding-json.ts';
import type { Report } from '../../scans/results/report.ts';
import { coverageOf, isGap, totalFindings } from './coverage.ts';

/** The report as one JSON document, for `--json` and `.json` files. */
export function reportJson(report: Report): Record<string, unknown> {
  const { scan } = report;
  const coverage = coverageOf(report.ledger);
  return {
    schemaVersion: SCHEMA_VERSION,
    scan: {
      ...scan,
      createdAt: scan.createdAt.toISOString(),
      finishedAt: scan.finishedAt?.toISOString() ?? null,
    },
    findings: totalFindings(report),
    suppressed: report.suppressed,
    ...(report.baseline && { baseline: report.baseline }),
    coverage: {
      /** Nothing was left out, and the scan came to its end. */
      complete: scan.status === 'completed' && coverage.notRead === 0,
      objects: coverage.objects,
      bytes: coverage.bytes,
      outcomes: coverage.byOutcome,
      reasons: report.ledger.filter((line) => isGap(line.outcome)),
    },
    tiers: report.tiers,
    objects: report.objects.map((object) => ({
      ...object,
      ...keyJson(object.key),
      modified: object.modified?.toISOString() ?? null,
    })),
    folders: report.folders,
    policies: report.policies.map((hits) => ({
      ...hits,
      worst: hits.worst.map(({ key, tier }) => ({ ...keyJson(key), tier })),
    })),
    types: report.types.map((type) => ({
      ...type,
      samples: type.samples.map((sample) => ({ ...sample, ...keyJson(sample.key) })),
    })),
    insides: report.insides.map((inside) => ({ ...inside, ...keyJson(inside.key) })),
  };
}
