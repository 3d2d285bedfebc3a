/** A source whose listing is a list of keys: objects that are looked at once more, as a shard of their scan. */
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { ObjectError, Source, SourceObject } from '../../sources/source.ts';

const BATCH = 50;

/** `keys` in byte order. */
export function retrySource(source: Source, keys: readonly Key[]): Source {
  async function* list(range: Range, signal: AbortSignal): AsyncGenerator<(SourceObject | ObjectError)[]> {
    const wanted = keys.filter((key) => contains(range, key));
    for (let at = 0; at < wanted.length; at += BATCH) {
      signal.throwIfAborted();
      yield await Promise.all(wanted.slice(at, at + BATCH).map((key) => look(source, key, signal)));
    }
  }
  return { ...source, list };
}

/** One that is gone still counts: it was listed once. */
async function look(source: Source, key: Key, signal: AbortSignal): Promise<SourceObject | ObjectError> {
  const found = await source.find(key, signal);
  return found ?? { key, error: new SeineError('not-found', `${displayKey(key)} is not there any more.`) };
}

export async function readRetryKeys(db: Queryable, lease: number, range: Range): Promise<Key[]> {
  const { rows } = await db.query<{ key: Buffer }>(
    'select key from retry_key where lease_id = $1 and key > $2 order by key',
    [lease, keyBytes(range.after)],
  );
  return rows.map((row) => keyFromBytes(row.key));
}

export async function addRetryKeys(tx: Tx, lease: number, keys: readonly Key[]): Promise<void> {
  await tx.query(
    `insert into retry_key (lease_id, tenant, key)
     select lease.id, lease.tenant, k.key from lease, unnest($2::bytea[]) as k(key) where lease.id = $1`,
    [lease, keys.map(keyBytes)],
  );
}
