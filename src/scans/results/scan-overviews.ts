import { many, type Queryable } from '../../db/database.ts';
import type { ScanStatus } from './report.ts';

/** A scan in one row. */
export interface ScanOverview {
  readonly id: number;
  readonly status: ScanStatus;
  readonly source: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly seconds: number;
  readonly objects: number;
  readonly findings: number;
}

export function listScanOverviews(db: Queryable, tenant: string, limit: number): Promise<ScanOverview[]> {
  return many<ScanOverview>(
    db,
    `select id, status, source, created_at as "createdAt", finished_at as "finishedAt", active_seconds as seconds,
            (select coalesce(sum(objects), 0)::bigint from ledger where scan_id = scan.id) as objects,
            (select coalesce(sum(value::bigint), 0)::bigint from object_result, jsonb_each_text(counts)
             where scan_id = scan.id) as findings
     from scan where tenant = $1 order by id desc limit $2`,
    [tenant, limit],
  );
}
