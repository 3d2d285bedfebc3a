/** What is shown of a scan: everything, or only what is new against a baseline. */
import type { App } from '../../app.ts';
import { type BaselineChoice, compareWithBaseline } from '../../scans/baselines/compare-with-baseline.ts';
import { newFindings } from '../../scans/baselines/new-finding-store.ts';
import { newReport } from '../../scans/baselines/new-report.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import type { Finding } from '../../scans/results/finding.ts';
import { findingsOf } from '../../scans/results/finding-store.ts';
import type { Report } from '../../scans/results/report.ts';
import { readReport } from '../../scans/results/report-store.ts';

export interface ResultView {
  readonly report: Report;
  /** May be called several times. */
  readonly findings: () => AsyncIterable<Finding>;
}

export async function withResultView<T>(
  app: App,
  scan: ScanRow,
  baseline: BaselineChoice | null,
  fn: (view: ResultView) => Promise<T>,
): Promise<T> {
  const whole = await readReport(app.db, scan);
  if (baseline === null) return fn({ report: whole, findings: () => onlyFindings(app, scan) });
  return compareWithBaseline(app.db, baseline, scan, async (comparison, tx) =>
    fn({
      report: await newReport(whole, scan, baseline.name, comparison, tx),
      findings: () => newFindings(tx, scan),
    }),
  );
}

async function* onlyFindings(app: App, scan: ScanRow): AsyncGenerator<Finding> {
  for await (const { finding } of findingsOf(app.db, scan)) yield finding;
}
