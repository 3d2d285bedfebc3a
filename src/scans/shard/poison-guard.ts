/**
 * Finds objects that crash the whole process (not only a thread), which can't be caught. When a shard was
 * claimed repeatedly without progress, the objects that the dead holder may have been processing are
 * processed one by one. The key of each is committed to `crash_suspect` before it is started, and removed
 * by surviving processes. After three crashes the object is dead; otherwise it would be retried for ever.
 */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Queryable } from '../../db/database.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';

const CLAIMS_BEFORE_GUARD = 3;
const MAX_CRASHES = 3;

export class PoisonGuard {
  readonly #suspects: Map<Key, number>;
  readonly #upTo: Key | null;

  private constructor(suspects: Map<Key, number>, upTo: Key | null) {
    this.#suspects = suspects;
    this.#upTo = upTo;
  }

  static async load(db: Queryable, held: HeldLease, storage: KeyCodec = PLAIN_KEYS): Promise<PoisonGuard> {
    if (held.claimsSinceProgress === 1 && held.previousReservedUpTo === held.cursor)
      return new PoisonGuard(new Map(), null);
    return new PoisonGuard(
      await readSuspects(db, held, storage),
      held.claimsSinceProgress >= CLAIMS_BEFORE_GUARD ? held.previousReservedUpTo : null,
    );
  }

  needsIsolation(key: Key): boolean {
    return (this.#upTo !== null && key <= this.#upTo) || this.#suspects.has(key);
  }

  isPoison(key: Key): boolean {
    return this.crashes(key) >= MAX_CRASHES;
  }

  crashes(key: Key): number {
    return this.#suspects.get(key) ?? 0;
  }
}

/** All suspects of the scan, of which there are few; those of other shards are harmless. */
async function readSuspects(db: Queryable, held: HeldLease, storage: KeyCodec): Promise<Map<Key, number>> {
  const { rows } = await db.query<{ key: Buffer; attempts: number }>(
    'select key, attempts from crash_suspect where scan_id = $1',
    [held.groupId],
  );
  return new Map(rows.map((row) => [storage.open(keyFromBytes(row.key)), row.attempts]));
}

/** These functions take keys in stored form. */
export async function markSuspect(db: Queryable, scan: number, key: Key): Promise<void> {
  await db.query(
    `insert into crash_suspect (scan_id, tenant, key, attempts) select id, tenant, $2, 1 from scan where id = $1
     on conflict (scan_id, sha256(key)) do update set attempts = crash_suspect.attempts + 1`,
    [scan, keyBytes(key)],
  );
}

/** Called when processing was aborted without a crash. Earlier crashes still count. */
export async function unmarkSuspect(db: Queryable, scan: number, key: Key): Promise<void> {
  await db.query(
    'update crash_suspect set attempts = attempts - 1 where scan_id = $1 and sha256(key) = sha256($2)',
    [scan, keyBytes(key)],
  );
}

export async function clearSuspect(db: Queryable, scan: number, key: Key): Promise<void> {
  await db.query('delete from crash_suspect where scan_id = $1 and sha256(key) = sha256($2)', [
    scan,
    keyBytes(key),
  ]);
}
