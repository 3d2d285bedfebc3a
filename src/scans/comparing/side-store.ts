/** The two sides of a comparison, as temporary tables that end with the transaction. */
import { type Key, keyBytes } from '../../base/key.ts';
import type { Tx } from '../../db/database.ts';

export type Side = 'before' | 'after';

export async function createSides(tx: Tx): Promise<void> {
  await tx.query(
    `create temporary table compared_object (
       side text not null, id bigint not null, key bytea not null, key_hash bytea not null,
       outcome text, size bigint, modified timestamptz, counts jsonb not null
     ) on commit drop`,
  );
  await tx.query(
    `create temporary table compared_finding (
       id bigint generated always as identity, side text not null, object bigint not null, key_hash bytea not null,
       n integer not null, detector text not null, fingerprint text not null, part text, line bigint, col bigint,
       masked text, confidence real
     ) on commit drop`,
  );
}

export async function fillFromScan(tx: Tx, side: Side, scan: number): Promise<void> {
  await tx.query(
    `insert into compared_object (side, id, key, key_hash, outcome, size, modified, counts)
     select $1, id, key, sha256(key), outcome, size, modified, counts from object_result where scan_id = $2`,
    [side, scan],
  );
  await tx.query(
    `insert into compared_finding (side, object, key_hash, n, detector, fingerprint, part, line, col, masked, confidence)
     select side, object_id, key_hash, n, detector, fingerprint, part, line, col, masked, confidence
     from compared_object join finding on object_id = id
     where side = $1`,
    [side],
  );
}

export async function fillFromBaseline(tx: Tx, baseline: number): Promise<void> {
  await tx.query(
    `insert into compared_object (side, id, key, key_hash, counts)
     select 'before', id, key, sha256(key), counts from baseline_object where baseline_id = $1`,
    [baseline],
  );
  await tx.query(
    `insert into compared_finding (side, object, key_hash, n, detector, fingerprint)
     select side, object_id, key_hash, n, detector, fingerprint
     from compared_object join baseline_finding on object_id = id, generate_series(1, count) n
     where side = 'before'`,
  );
}

export interface FileObject {
  readonly id: number;
  readonly key: Key;
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly {
    readonly detector: string;
    readonly fingerprint: string;
    readonly count: number;
  }[];
}

export async function fillFromFile(tx: Tx, objects: readonly FileObject[]): Promise<void> {
  await tx.query(
    `insert into compared_object (side, id, key, key_hash, counts)
     select 'before', id, key, sha256(key), counts::jsonb
     from unnest($1::bigint[], $2::bytea[], $3::text[]) as o(id, key, counts)`,
    [
      objects.map(({ id }) => id),
      objects.map(({ key }) => keyBytes(key)),
      objects.map(({ counts }) => JSON.stringify(counts)),
    ],
  );
  const findings = objects.flatMap(({ id, findings }) => findings.map((finding) => ({ id, ...finding })));
  await tx.query(
    `insert into compared_finding (side, object, key_hash, n, detector, fingerprint)
     select 'before', o.id, key_hash, n, f.detector, f.fingerprint
     from unnest($1::bigint[], $2::text[], $3::text[], $4::integer[]) as f(object, detector, fingerprint, count)
     join compared_object o on o.side = 'before' and o.id = f.object, generate_series(1, f.count) n`,
    [
      findings.map(({ id }) => id),
      findings.map(({ detector }) => detector),
      findings.map(({ fingerprint }) => fingerprint),
      findings.map(({ count }) => count),
    ],
  );
}
