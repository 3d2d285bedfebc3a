/** A scan from its beginning to its end, over a source in memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { finalizeScan } from '../../src/scans/lifecycle/finalize-scan.ts';
import { readScan, type ScanRow } from '../../src/scans/lifecycle/scan-store.ts';
import type { Finding } from '../../src/scans/results/finding.ts';
import { findingsOf } from '../../src/scans/results/finding-store.ts';
import { runScan } from '../../src/scans/run-scan.ts';
import { acceptedBy } from '../../src/scans/suppressions/suppression-store.ts';
import type { Source } from '../../src/sources/source.ts';
import { inspectInProcess, plannedScan, recordingJobs, workerDeps } from './scan.ts';

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
  while ((await readScan(db, id))!.status !== 'finalizing') await sleep(5);
  await finalizeScan(db, jobs, id);
  await run;
  const scan = (await readScan(db, id))!;
  const findings: Finding[] = [];
  for await (const { finding } of findingsOf(db, scan)) findings.push(finding);
  return { scan, read: read.sort(), findings };
}
