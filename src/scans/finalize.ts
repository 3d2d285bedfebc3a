/**
 * The end of a scan, once: whoever ends the last shard moves the scan to `finalizing` and sends this job in the same
 * transaction. The scan is `completed` only if no shard failed, nothing is dead, and the ledger equals the listing.
 */
import type { Database, Tx } from '../db/database.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { readWork } from '../engine/leases/work-store.ts';
import { hooks } from './hooks/hooks.ts';
import { endScan, moveScan } from './scan-store.ts';
import { coverageSums } from './shard-store.ts';

export async function lastShardEnded(jobs: Jobs, tx: Tx, scan: number): Promise<void> {
  await moveScan(tx, scan, ['running', 'interrupted'], 'finalizing');
  await jobs.send(tx, 'finalize', { scan });
}

/** The `finalize` job. Hooks are sent with the transaction that ends the scan, so each runs for one end. */
export async function finalizeScan(db: Database, jobs: Jobs, scan: number): Promise<void> {
  await db.tx(async (tx) => {
    const fault = await faultOf(tx, scan);
    const ended = await endScan(tx, scan, fault === null ? 'completed' : 'incomplete', fault);
    if (ended) for (const hook of Object.keys(hooks)) await jobs.send(tx, 'hook', { hook, scan });
  });
  jobs.wake();
}

async function faultOf(tx: Tx, scan: number): Promise<string | null> {
  const work = await readWork(tx, scan);
  if (work && work.failed > 0) return `${work.failed} shards could not be scanned`;
  const { listed, ledgered, dead } = await coverageSums(tx, scan);
  if (listed !== ledgered) return `${listed} objects were listed but ${ledgered} are accounted for`;
  return dead === 0 ? null : `${dead} objects could not be looked at`;
}
