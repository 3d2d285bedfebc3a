/** The scan's own row, one function per statement. A scan's id is that of its lease group. */
import type { Queryable, Tx } from '../../db/database.ts';
import { DEFAULT_RULES, type RuleSet } from '../../governance/rule-set.ts';
import type { StoredInitialState } from '../inventory/initial-state.ts';
import type { Estimate } from '../planning/estimate.ts';
import type { ScanStatus, ScanSummary } from '../results/report.ts';
import type { Scope } from './scope.ts';

export interface ScanRow extends Omit<ScanSummary, 'id'> {
  readonly id: number;
  readonly tenant: string;
  readonly target: string;
  readonly scope: Scope;
  readonly ruleSet: RuleSet;
  readonly rulesHash: string;
  readonly rulesFile: string | null;
  /** Number of findings kept per object and type. */
  readonly maxFindingsPerType: number;
  readonly inventoryKey: string;
  readonly base: number | null;
  /** Null: unknown, for sources without state and scans of earlier versions. */
  readonly initialState: StoredInitialState | null;
  readonly error: string | null;
  readonly mixedVersions: boolean;
}

export type NewScan = Pick<
  ScanRow,
  | 'tenant'
  | 'source'
  | 'target'
  | 'scope'
  | 'ruleSet'
  | 'rulesHash'
  | 'rulesFile'
  | 'maxFindingsPerType'
  | 'inventoryKey'
  | 'base'
  | 'initialState'
> & { readonly scopeHash: string };

const COLUMNS = `id, tenant, source, target, scope, rules as "ruleSet", rules->>'name' as rules, rules_hash as "rulesHash",
  rules_file as "rulesFile", max_findings_per_type as "maxFindingsPerType", inventory_key as "inventoryKey", parent_scan as base,
  initial_state as "initialState", status, error, mixed_versions as "mixedVersions", active_seconds as seconds,
  created_at as "createdAt", finished_at as "finishedAt"`;

export async function insertScan(tx: Tx, id: number, scan: NewScan): Promise<void> {
  await tx.query(
    `insert into scan (id, tenant, source, target, scope, scope_hash, rules, rules_hash, rules_file, max_findings_per_type, inventory_key,
                       parent_scan, initial_state, status, heartbeat_at, created_at, blocks_have_keys)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'running', clock(), clock(), true)`,
    [
      id,
      scan.tenant,
      scan.source,
      scan.target,
      JSON.stringify(scan.scope),
      scan.scopeHash,
      JSON.stringify(scan.ruleSet),
      scan.rulesHash,
      scan.rulesFile,
      scan.maxFindingsPerType,
      scan.inventoryKey,
      scan.base,
      scan.initialState && JSON.stringify(scan.initialState),
    ],
  );
}

export async function readScan(db: Queryable, id: number): Promise<ScanRow | null> {
  const { rows } = await db.query<ScanRow>(`select ${COLUMNS} from scan where id = $1`, [id]);
  return rows[0] ? withAllRules(rows[0]) : null;
}

/** Completes a rule set written by an earlier version with the defaults of newer settings. */
function withAllRules(scan: ScanRow): ScanRow {
  return { ...scan, ruleSet: { ...DEFAULT_RULES, ...scan.ruleSet } };
}

/** The newest scan, of one source or of any, that is in one of these states. */
export async function newestScan(
  db: Queryable,
  tenant: string,
  statuses: readonly ScanStatus[],
): Promise<ScanRow | null> {
  const { rows } = await db.query<ScanRow>(
    `select ${COLUMNS} from scan where tenant = $1 and status = any($2::text[]) order by id desc limit 1`,
    [tenant, statuses],
  );
  return rows[0] ? withAllRules(rows[0]) : null;
}

/**
 * The base scan whose inventory is used to find unchanged objects: the newest that ended under the same
 * versions and rules; one of the same scope or of everything is preferred to one of another part, a
 * complete one to an incomplete one. It is locked, so that it is not removed before the new scan refers to
 * it; one that is being removed is skipped.
 */
export async function findBase(
  tx: Tx,
  like: { tenant: string; source: string; inventoryKey: string; scopeHash: string; wholeScope: string },
): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>(
    `select id from scan
     where tenant = $1 and hashtextextended(source, 0) = hashtextextended($2, 0) and source = $2 and inventory_key = $3 and finished_at is not null
       and exists (select 1 from inventory_block where scan_id = scan.id)
     order by scope_hash in ($4, $5) desc, status in ('completed', 'incomplete') desc, id desc
     limit 1
     for key share of scan`,
    [like.tenant, like.source, like.inventoryKey, like.scopeHash, like.wholeScope],
  );
  return rows[0]?.id ?? null;
}

/** Changes the status, if it is one of the expected ones: of two concurrent callers, one succeeds. */
export async function transitionScan(
  db: Queryable,
  id: number,
  from: readonly ScanStatus[],
  to: ScanStatus,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update scan set status = $3, heartbeat_at = case when status in ('interrupted', 'paused') then clock() else heartbeat_at end
     where id = $1 and status = any($2::text[])`,
    [id, from, to],
  );
  return rowCount === 1;
}

/** Whether it is still to be finalized; locked, so that it is not reopened before this transaction ends. */
export async function isFinalizing(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from scan where id = $1 and status = 'finalizing' for no key update`,
    [id],
  );
  return rowCount === 1;
}

export async function endScan(tx: Tx, id: number, status: ScanStatus, error: string | null): Promise<void> {
  await tx.query(
    `update scan
     set status = $2, error = $3, finished_at = clock(),
         -- Workers of versions that write no key into their blocks don't say that they took part.
         mixed_versions = mixed_versions or blocks_have_keys and exists (
           select 1 from inventory_block where scan_id = scan.id and inventory_block.inventory_key is null)
     where id = $1 and status = 'finalizing'`,
    [id, status, error],
  );
}

/** Fails the scan because it could not be finalized. Returns false if it was not being finalized any more. */
export async function failScan(tx: Tx, id: number, error: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update scan set status = 'failed', error = $2, finished_at = clock() where id = $1 and status = 'finalizing'`,
    [id, error],
  );
  return rowCount === 1;
}

/**
 * Finalizes a failed scan again: that is another end, which triggers its hooks. Returns false if it has not
 * failed.
 */
export async function restartFinalizing(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update scan set status = 'finalizing', error = null, finished_at = null, reopen_count = reopen_count + 1, heartbeat_at = clock()
     where id = $1 and status = 'failed'`,
    [id],
  );
  return rowCount === 1;
}

/** Stores the estimate of the plan, for monitoring. Returns false if the scan has already ended. */
export async function saveEstimate(tx: Tx, id: number, estimate: Estimate): Promise<boolean> {
  const { rows } = await tx.query<{ ends: boolean }>(
    `update scan set estimate = $2 where id = $1
     returning status = 'finalizing' or finished_at is not null as ends`,
    [id, JSON.stringify(estimate)],
  );
  return rows[0]?.ends === false;
}

/** Stores why the scan does not run, for display. An error of its end is kept. */
export async function setScanError(db: Queryable, id: number, error: string | null): Promise<void> {
  await db.query('update scan set error = $2 where id = $1 and finished_at is null', [id, error]);
}

/**
 * Reopens an ended scan, because some of it is retried; a scan that is being finalized returns to running.
 * Returns false if it is running anyway.
 */
export async function reopenScan(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update scan
     set status = 'running', error = null, finished_at = null, heartbeat_at = clock(),
         reopen_count = case when finished_at is null then reopen_count else reopen_count + 1 end
     where id = $1 and (finished_at is not null or status = 'finalizing')`,
    [id],
  );
  return rowCount === 1;
}

/** Scans that have been finalizing for too long. Each is returned again only after another interval. */
export async function strandedScans(tx: Tx): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `update scan set heartbeat_at = clock()
     where status = 'finalizing' and not is_recent(heartbeat_at, 120000)
     returning id`,
  );
  return rows.map((row) => row.id);
}

/**
 * Called periodically by the process that runs the scan; counts the time between two calls as work, a
 * longer gap as none. Returns false if another process has just called it.
 */
export async function heartbeatScan(db: Queryable, id: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update scan
     set active_seconds = active_seconds + case when clock() between heartbeat_at and heartbeat_at + interval '3 seconds' then extract(epoch from clock() - heartbeat_at) else 0 end,
         heartbeat_at = clock()
     where id = $1 and not is_recent(heartbeat_at, 300)`,
    [id],
  );
  return rowCount > 0;
}

/** Changes the rules, by the user's decision. */
export async function changeRules(
  tx: Tx,
  id: number,
  to: Pick<ScanRow, 'ruleSet' | 'rulesHash' | 'rulesFile' | 'inventoryKey'> & { readonly scopeHash: string },
): Promise<void> {
  await tx.query(
    `update scan
     set rules = $2, rules_hash = $3, rules_file = $4, scope_hash = $5, inventory_key = $6,
         parent_scan = case inventory_key when $6 then parent_scan end
     where id = $1`,
    [id, JSON.stringify(to.ruleSet), to.rulesHash, to.rulesFile, to.scopeHash, to.inventoryKey],
  );
}

/** Drops the inventory, which was written under other rules: later scans must not use it to skip objects. */
export async function dropInventory(tx: Tx, id: number): Promise<void> {
  await tx.query('delete from inventory_block where scan_id = $1', [id]);
}
