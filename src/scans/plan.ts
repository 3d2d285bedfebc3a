/**
 * The plan: the shards a scan starts with. Stealing evens out whatever the plan gets wrong (steal.ts), so a plan only
 * saves the first splits and may be rough; a small source is one shard.
 */
import { EVERYTHING, type Range } from '../base/range.ts';
import type { Database, Tx } from '../db/database.ts';
import { addLeases } from '../engine/leases/lease-store.ts';
import { openSource } from '../sources/open.ts';
import type { Source } from '../sources/source.ts';
import { moveScan, readScan } from './scan-store.ts';
import { scopeOf } from './scope.ts';
import { addShards } from './shard-store.ts';

const SMALL = 1000; // objects: not worth a second shard
const FIRST_SHARDS = 4;

/** The `plan` job. Repeated, it finds that the scan is no longer planning and does nothing. */
export async function planScan(db: Database, id: number): Promise<void> {
  const scan = await readScan(db, id);
  if (scan?.status !== 'planning') return;
  const ranges = await planRanges(await openSource(scan.source, scopeOf(scan)));
  await db.tx(async (tx) => {
    if (await moveScan(tx, id, ['planning'], 'running')) await addRanges(tx, id, ranges);
  });
}

export async function addRanges(tx: Tx, scan: number, ranges: readonly Range[]): Promise<void> {
  await addShards(tx, scan, await addLeases(tx, scan, ranges));
}

/** Halves the range with the most objects, as far as halving goes. Every key is in exactly one of the ranges. */
export async function planRanges(
  source: Source,
  { want = FIRST_SHARDS, small = SMALL } = {},
): Promise<Range[]> {
  const { signal } = new AbortController();
  if (!source.midpoint || (await isSmall(source, small))) return [EVERYTHING];
  const ranges: Range[] = [];
  const halve = async (range: Range, into: number): Promise<void> => {
    const mid = into > 1 ? await source.midpoint!(range, signal) : null;
    if (mid === null) return void ranges.push(range);
    await halve({ after: range.after, upTo: mid }, into / 2);
    await halve({ after: mid, upTo: range.upTo }, into / 2);
  };
  await halve(EVERYTHING, want);
  return ranges;
}

async function isSmall(source: Source, small: number): Promise<boolean> {
  const enough = new AbortController();
  let objects = 0;
  for await (const batch of source.list(EVERYTHING, enough.signal)) {
    objects += batch.length;
    if (objects > small) return false;
  }
  return true;
}
