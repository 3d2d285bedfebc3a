/** A scan from its beginning to its end, over a source in memory. */
import type { Database } from '../../src/db/database.ts';
import { finalizeScan } from '../../src/scans/lifecycle/finalize-scan.ts';
import { readScan, type ScanRow } from '../../src/scans/lifecycle/scan-store.ts';
import type { Finding } from '../../src/scans/results/finding.ts';
import { findingsOf } from '../../src/scans/results/finding-store.ts';
import { runScan } from '../../src/scans/run-scan.ts';
import { acceptedBy } from '../../src/scans/suppressions/suppression-store.ts';
import type { Source } from '../../src/sources/source.ts';
import { inspectInProcess, plannedScan, recordingJobs, workerDeps } from './scan.ts';
import { waitUntil } from './wait-for.ts';

export interface WholeScan {
  readonly scan: ScanRow;
  /** Keys of the objects that were inspected, sorted. */
  readonly read: readonly string[];
  readonly findings: readonly Finding[];
}

export async function wholeScan(db: Database, source: Source): Promise<WholeScan> {
  const { jobs } = recordingJobs(db);
  const id = await plannedScan(db, source);
  const read: string[] = [];
  const accepted = await acceptedBy(db, id);
  const inspect: Parameters<typeof inspectInProcess>[1] = (object, inspection) => {
    read.push(object.key);
    return inspection();
  };
  const pool = inspectInProcess(source, inspect, accepted);
  const run = runScan(id, workerDeps(db, source, jobs, { pool }), new AbortController().signal);
  await waitUntil('the scan to be finalized', async () => (await readScan(db, id))!.status === 'finalizing');
  await finalizeScan(db, jobs, id);
  await run;
  const scan = (await readScan(db, id))!;
  const findings: Finding[] = [];
  for await (const { finding } of findingsOf(db, scan)) findings.push(finding);
  return { scan, read: read.sort(), findings };
}
