/**
 * The suppressions in the database, one function per statement. Expiry is determined by the database's
 * clock.
 */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import { many, maybeOne, one, type Queryable, type Tx } from '../../db/database.ts';
import { sanitizeText } from '../../db/sanitize.ts';
import {
  type ActiveSuppression,
  type NewSuppression,
  type Suppression,
  suppressionMatchHash,
} from './suppression.ts';

type Row = Omit<Suppression, 'object'> & { readonly object: Buffer | null };

const COLUMNS = `id, detector, fingerprint, path, source, object_key as object, reason, owner, created_at as "createdAt",
  created_by as "createdBy", expires_at as "expiresAt", removed_at as "removedAt", removed_by as "removedBy",
  coalesce(expires_at <= clock(), false) as expired, hits, last_hit_at as "lastHitAt", last_hit_scan as "lastHitScan"`;

const IN_FORCE = `removed_at is null and (expires_at is null or expires_at > clock())`;

/** Returns null if an equal one is active. */
export async function insertSuppression(
  tx: Tx,
  tenant: string,
  by: string,
  entry: NewSuppression,
): Promise<number | null> {
  const row = await maybeOne<{ id: number }>(
    tx,
    `insert into suppression (tenant, match_hash, detector, fingerprint, path, source, object_key, reason, owner, expires_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (tenant, match_hash) where removed_at is null do nothing
     returning id`,
    [
      tenant,
      suppressionMatchHash(entry),
      entry.detector,
      entry.fingerprint,
      entry.path,
      entry.source,
      entry.object === null ? null : keyBytes(entry.object),
      sanitizeText(entry.reason),
      sanitizeText(entry.owner),
      entry.expiresAt,
      by,
    ],
  );
  return row?.id ?? null;
}

/** Retires an expired one, so that an equal one can be inserted. */
export async function retireExpired(tx: Tx, tenant: string, hash: string, by: string): Promise<void> {
  await tx.query(
    `update suppression set removed_at = clock(), removed_by = $3
     where tenant = $1 and match_hash = $2 and removed_at is null and expires_at <= clock()`,
    [tenant, hash, by],
  );
}

/** The active one with the same match. */
export async function findSame(db: Queryable, tenant: string, hash: string): Promise<number | null> {
  const row = await maybeOne<{ id: number }>(
    db,
    'select id from suppression where tenant = $1 and match_hash = $2 and removed_at is null',
    [tenant, hash],
  );
  return row?.id ?? null;
}

export async function readSuppression(
  db: Queryable,
  tenant: string,
  id: number,
): Promise<Suppression | null> {
  const row = await maybeOne<Row>(db, `select ${COLUMNS} from suppression where tenant = $1 and id = $2`, [
    tenant,
    id,
  ]);
  return row && withKey(row);
}

/** Active ones, or also expired and removed ones. One page, by id. */
export async function listSuppressions(
  db: Queryable,
  tenant: string,
  { all, after, limit }: { readonly all: boolean; readonly after: number; readonly limit: number },
): Promise<Suppression[]> {
  const rows = await many<Row>(
    db,
    `select ${COLUMNS} from suppression
     where tenant = $1 and id > $2 and ($3 or (${IN_FORCE}))
     order by id limit $4`,
    [tenant, after, all, limit],
  );
  return rows.map(withKey);
}

/** Returns false if there is none, or if it was removed before. */
export async function removeSuppression(
  db: Queryable,
  tenant: string,
  id: number,
  by: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update suppression set removed_at = clock(), removed_by = $3 where tenant = $1 and id = $2 and removed_at is null`,
    [tenant, id, by],
  );
  return rowCount === 1;
}

/** Stores the active suppressions for the scan, which uses them until its end. */
export async function snapshotSuppressions(tx: Tx, scan: number): Promise<void> {
  await tx.query(
    `update scan set suppressions = array(
       select id from suppression
       where suppression.tenant = scan.tenant and (suppression.source is null or suppression.source = scan.source) and ${IN_FORCE}
       order by id)
     where id = $1`,
    [scan],
  );
}

/** The suppressions of the scan. */
export async function acceptedBy(db: Queryable, scan: number): Promise<ActiveSuppression[]> {
  const rows = await many<Omit<ActiveSuppression, 'object'> & { object: Buffer | null }>(
    db,
    `select suppression.id, detector, fingerprint, path, object_key as object
     from scan join suppression on suppression.id = any(scan.suppressions)
     where scan.id = $1
     order by suppression.id`,
    [scan],
  );
  return rows.map(withKey);
}

/** The ids of suppressions that only one of two scans has. */
export async function snapshotDifference(
  db: Queryable,
  from: number,
  to: number,
): Promise<{ readonly gone: number[]; readonly added: number[] }> {
  return one(
    db,
    `select array(select unnest(was.suppressions) except select unnest(now.suppressions) order by 1) as gone,
            array(select unnest(now.suppressions) except select unnest(was.suppressions) order by 1) as added
     from scan was, scan now
     where was.id = $1 and now.id = $2`,
    [from, to],
  );
}

function withKey<T extends { readonly object: Buffer | null }>(
  row: T,
): Omit<T, 'object'> & { object: Key | null } {
  return { ...row, object: row.object === null ? null : keyFromBytes(row.object) };
}
