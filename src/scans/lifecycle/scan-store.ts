/** The scan's own row, one function per statement. A scan's id is that of its work. */
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
  /** Findings kept of each object and type. */
  readonly keepEach: number;
  readonly inventoryKey: string;
  readonly base: number | null;
  /** Null: nothing is known of it, as of every source that has none and of scans of earlier versions. */
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
  | 'keepEach'
  | 'inventoryKey'
  | 'base'
  | 'initialState'
> & { readonly scopeHash: string };

const COLUMNS = `id, tenant, source, target, scope, rules as "ruleSet", rules->>'name' as rules, rules_hash as "rulesHash",
  rules_file as "rulesFile", keep_each as "keepEach", inventory_key as "inventoryKey", base_scan as base, initial_state as "initialState", status, error, mixed_versions as "mixedVersions", worked as seconds,
  created_at as "createdAt", finished_at as "finishedAt"`;

export async function insertScan(tx: Tx, id: number, scan: NewScan): Promise<void> {
  await tx.query(
    `insert into scan (id, tenant, source, target, scope, scope_hash, rules, rules_hash, rules_file, keep_each, inventory_key,
                       base_scan, initial_state, status, seen_at, created_at, blocks_have_keys)
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
      scan.keepEach,
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

/** A rule set that an earlier version wrote has nothing to say about what is newer. */
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
 * The scan whose inventory tells what is unchanged: the newest that ended under the same versions and rules, one of
 * the same scope or of everything before one that saw only another part, one that came to its end before one that broke off.
 * Locked, so that it is not removed before the scan that is to build on it is there; one that is just being removed is not taken.
 */
export async function findBase(
  tx: Tx,
  like: { tenant: string; source: string; inventoryKey: string; scopeHash: string; wholeScope: string },
): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>(
    `select id from scan
     where tenant = $1 and hashtextextended(source, 0) = hashtextextended($2, 0) and source = $2 and inventory_key = $3 and finished_at is not null
       and exists (select 1 from inventory where scan_id = scan.id)
     order by scope_hash in ($4, $5) desc, status in ('completed', 'incomplete') desc, id desc
     limit 1
     for key share of scan`,
    [like.tenant, like.source, like.inventoryKey, like.scopeHash, like.wholeScope],
  );
  return rows[0]?.id ?? null;
}

/** Moves the scan on, if it is where it is believed to be: of two who try, one succeeds. */
export async function transitionScan(
  db: Queryable,
  id: number,
  from: readonly ScanStatus[],
  to: ScanStatus,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update scan set status = $3, seen_at = case when status in ('interrupted', 'paused') then clock() else seen_at end
     where id = $1 and status = any($2::text[])`,
    [id, from, to],
  );
  return rowCount === 1;
}

/** Whether it is still to be ended; nobody opens it again before this transaction is over. */
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
           select 1 from inventory where scan_id = scan.id and inventory.inventory_key is null)
     where id = $1 and status = 'finalizing'`,
    [id, status, error],
  );
}

/** The scan could not be finalized. False: it was not to be, or not any more. */
export async function failScan(tx: Tx, id: number, error: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update scan set status = 'failed', error = $2, finished_at = clock() where id = $1 and status = 'finalizing'`,
    [id, error],
  );
  return rowCount === 1;
}

/** It is to be finalized once more: that is another end, of which its hooks are told. False: it has not failed. */
export async function restartFinalizing(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update scan set status = 'finalizing', error = null, finished_at = null, round = round + 1, seen_at = clock()
     where id = $1 and status = 'failed'`,
    [id],
  );
  return rowCount === 1;
}

/** What the plan saw, for whoever watches. False: the scan has come to its end before. */
export async function saveEstimate(tx: Tx, id: number, estimate: Estimate): Promise<boolean> {
  const { rows } = await tx.query<{ ends: boolean }>(
    `update scan set estimate = $2 where id = $1
     returning status = 'finalizing' or finished_at is not null as ends`,
    [id, JSON.stringify(estimate)],
  );
  return rows[0]?.ends === false;
}

/** Why it does not run, for whoever looks. What was said at its end stays. */
export async function setScanError(db: Queryable, id: number, error: string | null): Promise<void> {
  await db.query('update scan set error = $2 where id = $1 and finished_at is null', [id, error]);
}

/**
 * A scan that has ended is opened once more, because something of it is to be looked at again; one that is just being ended is not
 * ended yet. False: it has something to do anyway.
 */
export async function reopenScan(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update scan
     set status = 'running', error = null, finished_at = null, seen_at = clock(),
         round = case when finished_at is null then round else round + 1 end
     where id = $1 and (finished_at is not null or status = 'finalizing')`,
    [id],
  );
  return rowCount === 1;
}

/** Scans that should have ended a while ago. Each is told again only after another while. */
export async function strandedScans(tx: Tx): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `update scan set seen_at = clock()
     where status = 'finalizing' and not is_recent(seen_at, 120000)
     returning id`,
  );
  return rows.map((row) => row.id);
}

/**
 * Called while the scan runs, by whoever runs it; counts the time between two calls as work, a longer gap as none. False: somebody
 * else has said so just now.
 */
export async function heartbeatScan(db: Queryable, id: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update scan
     set worked = worked + case when clock() between seen_at and seen_at + interval '3 seconds' then extract(epoch from clock() - seen_at) else 0 end,
         seen_at = clock()
     where id = $1 and not is_recent(seen_at, 300)`,
    [id],
  );
  return rowCount > 0;
}

/** Goes on under other rules, by the user's decision. */
export async function changeRules(
  tx: Tx,
  id: number,
  to: Pick<ScanRow, 'ruleSet' | 'rulesHash' | 'rulesFile' | 'inventoryKey'> & { readonly scopeHash: string },
): Promise<void> {
  await tx.query(
    `update scan
     set rules = $2, rules_hash = $3, rules_file = $4, scope_hash = $5, inventory_key = $6,
         base_scan = case inventory_key when $6 then base_scan end
     where id = $1`,
    [id, JSON.stringify(to.ruleSet), to.rulesHash, to.rulesFile, to.scopeHash, to.inventoryKey],
  );
}

/** What the inventory holds so far came about under other rules: it must not tell a later scan that nothing is to be read. */
export async function dropInventory(tx: Tx, id: number): Promise<void> {
  await tx.query('delete from inventory where scan_id = $1', [id]);
}
