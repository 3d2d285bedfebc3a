/** Readers of a workflow in tests: their offsets, without runners. */
import { randomUUID } from 'node:crypto';
import { type Database, many } from '../../../src/db/database.ts';
import { claimLeaseById } from '../../../src/engine/leases/claim-store.ts';
import { checkpointLeases, releaseLeases } from '../../../src/engine/leases/cursor-store.ts';
import type { HeldLease } from '../../../src/engine/leases/lease.ts';
import { type Offset, offsetKey } from '../../../src/events/offset.ts';
import type { Partitioning } from '../../../src/workflows/partitions/partitioning-store.ts';

const LONG = 60_000;

/** An offset of the log, made from one number. */
export const offsetAt = (xid: number): Offset => ({ xid: BigInt(xid), position: 1n });

/** Claims a part as a runner does. */
export async function holdPartition(db: Database, layout: Partitioning, part: number): Promise<HeldLease> {
  const held = await claimLeaseById(db, layout.readers[part]!.lease, randomUUID(), LONG);
  if (!held) throw new Error(`another runner holds partition ${part}`);
  return held;
}

/** Null when it is lost. */
export async function moveTo(db: Database, held: HeldLease, to: Offset): Promise<HeldLease | null> {
  const moved = await db.tx((tx) => checkpointLeases(tx, [{ held, cursor: offsetKey(to) }], LONG));
  return moved[0] ?? null;
}

/** Moves the first partitions to these offsets and releases them. */
export async function advance(db: Database, layout: Partitioning, ...xids: number[]): Promise<void> {
  for (const [part, xid] of xids.entries()) {
    const held = await moveTo(db, await holdPartition(db, layout, part), offsetAt(xid));
    await db.tx((tx) => releaseLeases(tx, [held!]));
  }
}

/** Everything that is known of a workflow's layouts, to see whether anything changed. */
export function allEvents(db: Database, workflow: string): Promise<unknown[]> {
  return many(
    db,
    `select to_json(layout) as layout, to_json(reader) as reader, to_json(lease) as lease, to_json(lease_group) as work
     from reader join range_lease as lease on lease.id = reader.lease_id join lease_group on lease_group.id = lease.group_id
     join layout on layout.workflow = reader.workflow
     where reader.workflow = $1
     order by reader.epoch, reader.part`,
    [workflow],
  );
}

/** Those that belong to no reader: what a broken attempt would leave behind. */
export async function orphanedLeases(db: Database): Promise<number> {
  const stray = await many(
    db,
    `select from lease_group left join range_lease as lease on lease.group_id = lease_group.id
     where lease_group.kind like 'workflow-%' and not exists (select from reader where reader.lease_id = lease.id)`,
  );
  return stray.length;
}
