/** Scans with many shards, made and held through the functions that workers use. */
import { randomUUID } from 'node:crypto';
import { type Key, keyFromBytes } from '../../src/base/key.ts';
import type { Database } from '../../src/db/database.ts';
import { claimLeases } from '../../src/engine/leases/claim-store.ts';
import type { HeldLease } from '../../src/engine/leases/lease.ts';
import { checkpointLease, completeLease } from '../../src/engine/leases/lease-store.ts';
import { withScanEvents } from '../../src/scans/lifecycle/scan-events.ts';
import { SHARD } from '../../src/scans/lifecycle/start-scan.ts';
import { createSimSource } from '../../src/sources/sim/sim.ts';
import { plannedScan } from '../../test/support/scan.ts';

/** Longer than any part of the benchmark: no lease expires while it runs. */
export const TTL_MS = 30 * 60_000;
const AT_ONCE = 500;

/** A running scan with so many shards that wait. */
export function makeScan(db: Database, shards: number, number = 0): Promise<number> {
  const keys = Array.from({ length: shards }, (_, n) => keyAt(n));
  const ranges = keys.map((upTo, n) => ({ after: keys[n - 1] ?? ('' as Key), upTo }));
  return plannedScan(db, createSimSource({ objects: 1_000_000 + number }), ranges);
}

export function keyAt(n: number): Key {
  return keyFromBytes(Buffer.from(`${1e9 + n}`));
}

/** Claims so many shards of a scan, for many holders. */
export async function holdLeases(db: Database, scan: number, shards: number): Promise<HeldLease[]> {
  const held: HeldLease[] = [];
  while (held.length < shards) {
    const wanted = { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: TTL_MS };
    const some = await claimLeases(db, wanted, Math.min(AT_ONCE, shards - held.length));
    if (some.length === 0) throw new Error(`Scan ${scan} has only ${held.length} of ${shards} shards.`);
    held.push(...some);
  }
  return held;
}

/** A checkpoint that finds nothing to write but its position. */
export async function advance(db: Database, held: HeldLease): Promise<HeldLease> {
  const to = { cursor: held.cursor, reserved: held.previousReservedUpTo, ttlMs: TTL_MS };
  const moved = await db.tx((tx) => checkpointLease(tx, held, to));
  if (moved === null) throw new Error(`Lease ${held.id} was lost.`);
  return moved.held;
}

/** The end of a shard as ShardProgress.complete writes it: last checkpoint, end and event in one transaction. */
export async function endShard(db: Database, held: HeldLease): Promise<void> {
  const to = { cursor: held.upTo!, reserved: held.upTo!, ttlMs: TTL_MS };
  const remaining = await withScanEvents(db, async (tx, appendEvent) => {
    const moved = await checkpointLease(tx, held, to);
    const left = moved && (await completeLease(tx, moved.held));
    if (left !== null) appendEvent(held.groupId, { type: 'shardCompleted', shard: held.id });
    return left;
  });
  if (remaining === null) throw new Error(`Lease ${held.id} was lost.`);
}

/** Everything that the last part left behind. */
export async function clear(db: Database): Promise<void> {
  await db.query('truncate lease_group, workflow cascade');
  await db.query('vacuum analyze');
}
