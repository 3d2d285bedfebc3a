/**
 * A baseline is a named set of findings of one scan, by fingerprint, object and count. It outlives the scan
 * and contains no values. One function per statement.
 */
import { type Key, keyFromBytes } from '../../base/key.ts';
import { many, maybeOne, one, type Queryable, type Tx } from '../../db/database.ts';

export interface Baseline {
  readonly id: number;
  readonly name: string;
  /** The scan that it was made from, which may have been removed. */
  readonly scan: number;
  readonly source: string;
  readonly inventoryKey: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly objects: number;
  readonly findings: number;
}

const COLUMNS = `id, name, scan_id as scan, source, inventory_key as "inventoryKey", created_at as "createdAt",
  created_by as "createdBy", (select count(*) from baseline_object where baseline_id = baseline.id) as objects,
  (select coalesce(sum(each.value::bigint), 0)::bigint from baseline_object, jsonb_each_text(counts) each
   where baseline_id = baseline.id) as findings`;

/** Returns null if the name is taken. */
export async function insertBaseline(
  tx: Tx,
  scan: number,
  { name, by }: { readonly name: string; readonly by: string },
): Promise<number | null> {
  const row = await maybeOne<{ id: number }>(
    tx,
    `insert into baseline (tenant, name, scan_id, source, inventory_key, created_by)
     select tenant, $2, id, source, inventory_key, $3 from scan where id = $1
     on conflict (tenant, name) do nothing
     returning id`,
    [scan, name, by],
  );
  return row?.id ?? null;
}

export async function fillBaseline(tx: Tx, baseline: number): Promise<void> {
  await tx.query(
    `insert into baseline_object (baseline_id, tenant, key, counts)
     select baseline.id, object.tenant, key, counts
     from baseline join object_result as object on object.scan_id = baseline.scan_id
     where baseline.id = $1 and object.tier is not null`,
    [baseline],
  );
  await tx.query(
    `insert into baseline_finding (object_id, tenant, detector, fingerprint, count)
     select mine.id, mine.tenant, detector, fingerprint, count(*)
     from baseline join baseline_object mine on mine.baseline_id = baseline.id
     join object_result as object on object.scan_id = baseline.scan_id and sha256(object.key) = sha256(mine.key)
     join finding on finding.object_id = object.id
     where baseline.id = $1
     group by mine.id, mine.tenant, detector, fingerprint`,
    [baseline],
  );
}

export function findBaseline(db: Queryable, tenant: string, name: string): Promise<Baseline | null> {
  return maybeOne<Baseline>(db, `select ${COLUMNS} from baseline where tenant = $1 and name = $2`, [
    tenant,
    name,
  ]);
}

export function listBaselines(db: Queryable, tenant: string): Promise<Baseline[]> {
  return many<Baseline>(db, `select ${COLUMNS} from baseline where tenant = $1 order by name`, [tenant]);
}

/** Returns false if there is no baseline of that name. */
export async function removeBaseline(db: Queryable, tenant: string, name: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from baseline where tenant = $1 and name = $2', [tenant, name]);
  return rowCount === 1;
}

export interface BaselineObject {
  readonly id: number;
  readonly key: Key;
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly {
    readonly detector: string;
    readonly fingerprint: string;
    readonly count: number;
  }[];
}

const OBJECTS_AT_ONCE = 500;

/** All its objects with their findings, in order of their numbers. */
export async function* baselineObjects(db: Queryable, baseline: number): AsyncGenerator<BaselineObject> {
  let rows: (Omit<BaselineObject, 'key'> & { key: Buffer })[] = [];
  do {
    rows = await many(
      db,
      `select id, key, counts,
              (select coalesce(json_agg(json_build_object('detector', detector, 'fingerprint', fingerprint, 'count', count)
                                        order by detector, fingerprint), '[]')
               from baseline_finding where object_id = baseline_object.id) as findings
       from baseline_object where baseline_id = $1 and id > $2
       order by id limit ${OBJECTS_AT_ONCE}`,
      [baseline, rows.at(-1)?.id ?? 0],
    );
    for (const row of rows) yield { ...row, key: keyFromBytes(row.key) };
  } while (rows.length === OBJECTS_AT_ONCE);
}

/** How much of a scan could not be read: it is missing from any baseline of it. */
export async function unreadObjects(db: Queryable, scan: number): Promise<number> {
  const { unread } = await one<{ unread: number }>(
    db,
    `select count(*) as unread from object_result where scan_id = $1 and outcome in ('partial', 'skipped', 'dead')`,
    [scan],
  );
  return unread;
}
