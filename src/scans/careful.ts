/**
 * An object that kills the whole process (not only its thread) can't be caught: it is found by its trail. When a shard
 * was claimed again and again without progress, the objects that the dead holder may have been busy with are looked at
 * one by one, and each is named in the database before it is begun. One that is found named three times is dead. Whoever leaves it
 * alive takes the name back.
 */
import { type Key, keyBytes, keyFromBytes } from '../base/key.ts';
import { type KeyStorage, PLAIN_KEYS } from '../base/sealed-key.ts';
import type { Queryable } from '../db/database.ts';
import type { Held } from '../engine/leases/lease.ts';

const CLAIMS_BEFORE_CARE = 3;
const DEATHS_ALLOWED = 3;

export class Care {
  readonly #suspects: Map<Key, number>;
  readonly #upTo: Key | null;

  private constructor(suspects: Map<Key, number>, upTo: Key | null) {
    this.#suspects = suspects;
    this.#upTo = upTo;
  }

  static async for(db: Queryable, held: Held, storage: KeyStorage = PLAIN_KEYS): Promise<Care> {
    if (held.attempts === 1 && held.suspectUpTo === held.cursor) return new Care(new Map(), null);
    return new Care(
      await readSuspects(db, held, storage),
      held.attempts >= CLAIMS_BEFORE_CARE ? held.suspectUpTo : null,
    );
  }

  needed(key: Key): boolean {
    return (this.#upTo !== null && key <= this.#upTo) || this.#suspects.has(key);
  }

  isDead(key: Key): boolean {
    return this.deaths(key) >= DEATHS_ALLOWED;
  }

  deaths(key: Key): number {
    return this.#suspects.get(key) ?? 0;
  }
}

/** A scan has few; those of other shards do no harm. */
async function readSuspects(db: Queryable, held: Held, storage: KeyStorage): Promise<Map<Key, number>> {
  const { rows } = await db.query<{ key: Buffer; attempts: number }>(
    'select key, attempts from suspect where scan_id = $1',
    [held.work],
  );
  return new Map(rows.map((row) => [storage.open(keyFromBytes(row.key)), row.attempts]));
}

/** These take keys as they are stored. */
export async function nameSuspect(db: Queryable, scan: number, key: Key): Promise<void> {
  await db.query(
    `insert into suspect (scan_id, tenant, key, attempts) select id, tenant, $2, 1 from scan where id = $1
     on conflict (scan_id, sha256(key)) do update set attempts = suspect.attempts + 1`,
    [scan, keyBytes(key)],
  );
}

/** It was left before its end, but it did not end the process. Named before, it stays a suspect. */
export async function takeBackSuspect(db: Queryable, scan: number, key: Key): Promise<void> {
  await db.query(
    'update suspect set attempts = attempts - 1 where scan_id = $1 and sha256(key) = sha256($2)',
    [scan, keyBytes(key)],
  );
}

export async function clearSuspect(db: Queryable, scan: number, key: Key): Promise<void> {
  await db.query('delete from suspect where scan_id = $1 and sha256(key) = sha256($2)', [
    scan,
    keyBytes(key),
  ]);
}
