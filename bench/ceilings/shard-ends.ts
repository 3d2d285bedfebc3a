/** Ends of shards of one scan: each counts in the row of its work and appends to the story of the scan. */
import type { Database } from '../../src/db/database.ts';
import { advance, clear, endShard, holdLeases, makeScan } from './scans.ts';

/** Ends a second with so many at once. */
export async function shardEndsPerSecond(db: Database, shards: number, concurrency: number): Promise<number> {
  const scan = await makeScan(db, shards + 1);
  const held = await holdLeases(db, scan, shards);
  await db.query('vacuum analyze');
  const rate = await perSecond(held.length, concurrency, (n) => endShard(db, held[n]!));
  await clear(db);
  return rate;
}

/** Checkpoints a second, of as many shards as there are connections: what many held shards have to share. */
export async function checkpointsPerSecond(
  db: Database,
  checkpoints: number,
  concurrency: number,
): Promise<number> {
  const scan = await makeScan(db, concurrency + 1);
  const held = await holdLeases(db, scan, concurrency);
  const free = [...held.keys()];
  const rate = await perSecond(checkpoints, concurrency, async () => {
    const mine = free.pop()!;
    held[mine] = await advance(db, held[mine]!);
    free.push(mine);
  });
  await clear(db);
  return rate;
}

async function perSecond(
  times: number,
  concurrency: number,
  work: (n: number) => Promise<void>,
): Promise<number> {
  const began = performance.now();
  let next = 0;
  const loop = async () => {
    for (let n = next++; n < times; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return times / ((performance.now() - began) / 1000);
}
