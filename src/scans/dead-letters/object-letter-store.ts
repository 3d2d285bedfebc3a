/**
 * Dead letters of objects: written with the checkpoint that fails them, and resolved by the one that
 * retries them.
 */
import { hash } from 'node:crypto';
import { errorGroupKey } from '../../base/error-group-key.ts';
import { type Key, keyBytes } from '../../base/key.ts';
import type { Tx } from '../../db/database.ts';
import { sanitizeJson, sanitizeText } from '../../db/sanitize.ts';
import type { NotableObject } from '../checkpoint/checkpoint-batch.ts';

/** An object that failed again keeps its letter, with the new reason and one more attempt. */
export async function addDeadObjects(
  tx: Tx,
  scan: number,
  lease: number,
  objects: readonly NotableObject[],
): Promise<void> {
  await tx.query(
    `with dead as (
       select d.*, scan.tenant
       from scan, unnest($3::bytea[], $4::text[], $5::text[], $6::text[], $7::text[])
         as d(key, path, signature, reason, evidence)
       where scan.id = $1),
     again as (
       update dead_letter
       set state = 'open', signature = dead.signature, reason = dead.reason, evidence = dead.evidence::jsonb,
           attempts = dead_letter.attempts + 1, lease_id = $2
       from dead
       where dead_letter.scan_id = $1 and dead_letter.kind = 'object' and dead_letter.key = dead.key
       returning dead.key)
     insert into dead_letter (tenant, scan_id, kind, key, lease_id, path, signature, reason, evidence, created_at)
     select tenant, $1, 'object', key, $2, path, signature, reason, evidence::jsonb, clock()
     from dead where key not in (select key from again)`,
    [
      scan,
      lease,
      objects.map((o) => keyBytes(o.key)),
      objects.map((o) => o.path),
      objects.map((o) => sanitizeText(errorGroupKey(o.inspection.reason))),
      objects.map((o) => sanitizeText(o.inspection.reason)),
      objects.map((o) => sanitizeJson({ size: o.size, ...o.inspection.evidence })),
    ],
  );
}

/** Resolves the letters of retried objects; those that failed again are reopened in the same transaction. */
export async function resolveDeadObjects(tx: Tx, scan: number, keys: readonly Key[]): Promise<void> {
  await tx.query(
    `update dead_letter set state = 'resolved'
     where scan_id = $1 and kind = 'object' and state <> 'resolved' and sha256(key) = any($2::bytea[])`,
    [scan, keys.map((key) => hash('sha256', keyBytes(key), 'buffer'))],
  );
}
