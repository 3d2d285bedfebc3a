/** Taking a part of what another holder has left. See "Reserved" in lease.ts. */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { addLeases } from './lease-store.ts';

/** The leases of a work that could be split: `(reserved, upTo]` is free. */
export async function splittableLeases(db: Queryable, work: number): Promise<{ id: number; free: Range }[]> {
  const { rows } = await db.query<{ id: number; reserved: Buffer; up_to: Buffer | null }>(
    `select id, reserved, up_to from lease
     where work_id = $1 and state = 'held' and reserved > after_key and (up_to is null or reserved < up_to)
     order by id`,
    [work],
  );
  return rows.map((row) => ({
    id: row.id,
    free: { after: keyFromBytes(row.reserved), upTo: row.up_to && keyFromBytes(row.up_to) },
  }));
}

/**
 * Cuts the lease at `mid`: it keeps `(…, mid]`, a new waiting lease gets `(mid, upTo]`. Null when the holder has
 * reserved past `mid` meanwhile or the lease has ended: then there was nothing to take.
 */
export async function splitLease(tx: Tx, id: number, mid: Key): Promise<number | null> {
  const { rows } = await tx.query<{ work_id: number; up_to: Buffer | null }>(
    `with old as (
       select id, up_to from lease
       where id = $1 and state = 'held' and reserved < $2 and (up_to is null or up_to > $2)
       for update)
     update lease set up_to = $2 from old where lease.id = old.id
     returning lease.work_id, old.up_to`,
    [id, keyBytes(mid)],
  );
  const cut = rows[0];
  if (!cut) return null;
  const upTo = cut.up_to && keyFromBytes(cut.up_to);
  const [added] = await addLeases(tx, cut.work_id, [{ after: mid, upTo }]);
  return added ?? null;
}
