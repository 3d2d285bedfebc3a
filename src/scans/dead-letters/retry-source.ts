/** A source whose listing is a list of keys: the objects that are retried as a shard of their scan. */
import { SeineError } from '../../base/errors.ts';
import { displayKey, type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { isLocal } from '../../sources/open.ts';
import type { ObjectError, Source, SourceObject } from '../../sources/source.ts';

const BATCH = 50;

/** `keys` in byte order. */
export function retrySource(source: Source, keys: readonly Key[]): Source {
  async function* list(range: Range, signal: AbortSignal): AsyncGenerator<(SourceObject | ObjectError)[]> {
    const inRange = keys.filter((key) => contains(range, key));
    for (let at = 0; at < inRange.length; at += BATCH) {
      signal.throwIfAborted();
      yield await Promise.all(inRange.slice(at, at + BATCH).map((key) => findObject(source, key, signal)));
    }
  }
  return { ...source, list };
}

/**
 * Finds the object, or yields an error: an object that has vanished still counts, because it was listed
 * once.
 */
async function findObject(
  source: Source,
  key: Key,
  signal: AbortSignal,
): Promise<SourceObject | ObjectError> {
  const found = await source.find(key, signal);
  if (found === null && key.endsWith('/') && isLocal(source.id)) return { key, error: folderNotListed(key) };
  return found ?? { key, error: new SeineError('not-found', `${displayKey(key)} is not there any more.`) };
}

/**
 * A folder that could not be listed stays failed: that it can be listed now does not mean that its objects
 * were read.
 */
function folderNotListed(key: Key): SeineError {
  const message = `The folder ${displayKey(key)} could not be listed, and a retry does not list it.`;
  return new SeineError('limit', message, {
    hint: 'Scan again: unchanged objects are not read a second time.',
  });
}

export async function readRetryKeys(
  db: Queryable,
  lease: number,
  range: Range,
  storage: KeyCodec = PLAIN_KEYS,
): Promise<Key[]> {
  const { rows } = await db.query<{ key: Buffer }>('select key from retry_key where lease_id = $1', [lease]);
  const keys = rows.map((row) => storage.open(keyFromBytes(row.key)));
  return keys.filter((key) => key > range.after).sort();
}

/** `keys` in stored form. */
export async function addRetryKeys(tx: Tx, lease: number, keys: readonly Key[]): Promise<void> {
  await tx.query(
    `insert into retry_key (lease_id, tenant, key)
     select lease.id, lease.tenant, k.key from range_lease as lease, unnest($2::bytea[]) as k(key) where lease.id = $1`,
    [lease, keys.map(keyBytes)],
  );
}
