/** Taking a part of what another holder has left. See "Reserved" in lease.ts. */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { addLeases } from './lease-store.ts';

export interface Splittable {
  readonly id: number;
  /** What nobody is busy with. */
  readonly free: Range;
}

/** The leases of a work that could be split: `(reserved, upTo]` is free. Not those that somebody looks at now. */
export async function splittableLeases(
  db: Queryable,
  work: number,
  which: 'held' | 'also waiting' = 'held',
): Promise<Splittable[]> {
  const { rows } = await db.query<{ id: number; reserved: Buffer; up_to: Buffer | null }>(
    `select id, reserved, up_to from lease
     where work_id = $1 and not fixed
       and ((state = 'held' and reserved > after_key) or ($2 and state in ('held', 'waiting')))
       and (up_to is null or reserved < up_to)
       and (looked_at_until is null or looked_at_until < clock())
     order by id
     limit 200`,
    [work, which === 'also waiting'],
  );
  return rows.map((row) => ({
    id: row.id,
    free: { after: keyFromBytes(row.reserved), upTo: row.up_to && keyFromBytes(row.up_to) },
  }));
}

/** Of several who want to look at a lease, one may. If it dies, the others wait no longer than this. */
export async function claimLook(db: Queryable, id: number, forMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update lease set looked_at_until = clock() + $2 * interval '1 millisecond'
     where id = $1 and state = 'held' and (looked_at_until is null or looked_at_until < clock())`,
    [id, forMs],
  );
  return rowCount === 1;
}

export async function endLook(db: Queryable, id: number): Promise<void> {
  await db.query('update lease set looked_at_until = null where id = $1', [id]);
}

/**
 * Cuts the lease at `mid`: it keeps `(…, mid]`, a new waiting lease gets `(mid, upTo]`. Null when the holder has
 * reserved past `mid` meanwhile or the lease has ended: then there was nothing to take.
 */
export async function splitLease(tx: Tx, id: number, mid: Key): Promise<number | null> {
  const { rows } = await tx.query<{ work_id: number; up_to: Buffer | null }>(
    `with old as (
       select id, up_to from lease
       where id = $1 and state in ('held', 'waiting') and reserved < $2 and (up_to is null or up_to > $2)
       for update)
     update lease set up_to = $2 from old where lease.id = old.id
     returning lease.work_id, old.up_to`,
    [id, keyBytes(mid)],
  );
  const cut = rows[0];
  if (!cut) return null;
  const upTo = cut.up_to && keyFromBytes(cut.up_to);
  const [added] = await addLeases(tx, cut.work_id, [{ after: mid, upTo }], id);
  return added ?? null;
}

/** Several cuts at once; those that are no longer free are left out. The leases that were split off. */
export async function splitLeaseAt(tx: Tx, id: number, cuts: readonly Key[]): Promise<number[]> {
  const added: number[] = [];
  for (const cut of [...cuts].sort().reverse()) {
    const lease = await splitLease(tx, id, cut);
    if (lease !== null) added.push(lease);
  }
  return added;
}

/** Whether leases wait to be claimed already. While a cap or a pause keeps them waiting, more of them would help nobody. */
export async function hasWaiting(db: Queryable, work: number): Promise<boolean> {
  const { rows } = await db.query<{ waiting: boolean }>(
    `select exists (select 1 from lease where work_id = $1 and state = 'waiting' and not_before <= clock()) as waiting`,
    [work],
  );
  return rows[0]!.waiting;
}

/** From now on nobody splits them. */
export async function fixLeases(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query('update lease set fixed = true where id = any($1::bigint[])', [ids]);
}

/** Hands of live workers that hold nothing, and leases that are held: how many ways a split is worth. */
export async function handsOf(db: Queryable, work: number): Promise<{ idle: number; busy: number }> {
  const { rows } = await db.query<{ hands: number; held: number; busy: number }>(
    `select (select coalesce(sum(hands), 0) from worker where seen_at >= clock() - interval '30 seconds') as hands,
            (select count(*) from lease where state = 'held' and expires_at >= clock()) as held,
            (select count(*) from lease where work_id = $1 and state = 'held' and expires_at >= clock()) as busy`,
    [work],
  );
  const { hands, held, busy } = rows[0]!;
  return { idle: Math.max(0, hands - held), busy };
}
