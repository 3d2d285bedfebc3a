/** The outcome of a scan that workers ran, from the database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, one } from '../src/db/database.ts';
import { readScan } from '../src/scans/lifecycle/scan-store.ts';
import { findingsDigest } from '../src/scans/results/finding-store.ts';
import { coverageSums } from '../src/scans/shard/shard-store.ts';

export interface ScanOutcome {
  readonly status: string;
  readonly listed: number;
  readonly ledgered: number;
  readonly digest: string;
  readonly shards: number;
  /** From the first moment of the scan to its end, by the database's clock. */
  readonly seconds: number;
}

export async function scanOutcome(db: Database, scan: number): Promise<ScanOutcome> {
  while ((await readScan(db, scan))!.finishedAt === null) await sleep(50);
  const row = (await readScan(db, scan))!;
  const { listed, ledgered } = await coverageSums(db, scan);
  const digest = await findingsDigest(db, row);
  const { shards } = await one<{ shards: number }>(
    db,
    'select count(*) as shards from shard where scan_id = $1',
    [scan],
  );
  const seconds = (row.finishedAt!.getTime() - row.createdAt.getTime()) / 1000;
  return { status: row.status, listed, ledgered, digest, shards, seconds };
}
