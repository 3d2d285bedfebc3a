/** Reads what is new, gone or moved, in order, a page at a time. */
import { type Key, keyFromBytes } from '../../base/key.ts';
import { many, type Tx } from '../../db/database.ts';
import type { ObjectOutcome } from '../results/report.ts';
import type { Change } from './difference.ts';

const ROWS_AT_ONCE = 1000;

export interface ChangedRow {
  readonly change: Change;
  readonly key: Key;
  readonly detector: string;
  readonly fingerprint: string | null;
  readonly masked: string | null;
  readonly confidence: number | null;
  readonly count: number;
  readonly before: RowLocation | null;
  readonly after: RowLocation | null;
  /** The row of the object on either side, if there is one. */
  readonly objectBefore: SideObject | null;
  readonly objectAfter: SideObject | null;
}

export interface RowLocation {
  readonly key: Key;
  /** The id of the object's row; for a baseline, the baseline's own numbering. */
  readonly object: number;
  readonly n: number;
  readonly part: string | null;
  readonly line: number | null;
}

/** An object as one side recorded it; a baseline records none of this. */
export interface SideObject {
  readonly outcome: ObjectOutcome | null;
  readonly size: number | null;
  /** Seconds since 1970. */
  readonly modified: number | null;
}

type LocationJson = Omit<RowLocation, 'key'> & { readonly key: string };
type Row = Omit<ChangedRow, 'key' | 'before' | 'after'> & {
  readonly at: number;
  readonly key: Buffer;
  readonly before: LocationJson | null;
  readonly after: LocationJson | null;
};

export async function* changedRows(tx: Tx): AsyncGenerator<ChangedRow> {
  let rows: Row[] = [];
  do {
    rows = await readRows(tx, rows.at(-1)?.at ?? 0);
    for (const { at: _, ...row } of rows)
      yield {
        ...row,
        key: keyFromBytes(row.key),
        before: row.before && parseLocation(row.before),
        after: row.after && parseLocation(row.after),
      };
  } while (rows.length === ROWS_AT_ONCE);
}

function parseLocation(location: LocationJson): RowLocation {
  return { ...location, key: keyFromBytes(Buffer.from(location.key, 'hex')) };
}

function readRows(tx: Tx, after: number): Promise<Row[]> {
  return many<Row>(
    tx,
    `select r.at, r.change, r.key, r.detector, r.count, coalesce(a.fingerprint, b.fingerprint) as fingerprint,
            coalesce(a.masked, b.masked) as masked, coalesce(a.confidence, b.confidence) as confidence,
            case when b.id is not null then json_build_object('key', encode(bo.key, 'hex'), 'object', b.object, 'n', b.n,
                                                              'part', b.part, 'line', b.line) end as before,
            case when a.id is not null then json_build_object('key', encode(ao.key, 'hex'), 'object', a.object, 'n', a.n,
                                                              'part', a.part, 'line', a.line) end as after,
            case when was.id is not null then json_build_object('outcome', was.outcome, 'size', was.size,
              'modified', extract(epoch from was.modified)) end as "objectBefore",
            case when now.id is not null then json_build_object('outcome', now.outcome, 'size', now.size,
              'modified', extract(epoch from now.modified)) end as "objectAfter"
     from compared_row r
     left join compared_finding b on b.id = r.before
     left join compared_object bo on bo.side = 'before' and bo.id = b.object
     left join compared_finding a on a.id = r.after
     left join compared_object ao on ao.side = 'after' and ao.id = a.object
     left join compared_object was on was.side = 'before' and was.key_hash = r.key_hash
     left join compared_object now on now.side = 'after' and now.key_hash = r.key_hash
     where r.at > $1 and r.at <= $1 + ${ROWS_AT_ONCE}
     order by r.at`,
    [after],
  );
}
