/** Lists and purges dead letters. */

import { errorGroupKey } from '../../base/error-group-key.ts';
import { displayKey } from '../../base/key.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { REASON_TEMPLATES, reasonText, toReasonCode } from '../results/reason-code.ts';

export interface DeadLetter {
  readonly id: number;
  /** Null if it belongs to no scan, such as the action of a workflow. */
  readonly scan: number | null;
  readonly source: string | null;
  readonly kind: 'object' | 'shard' | 'job' | 'action';
  /** For display: the object, the range, the job or the action. */
  readonly path: string;
  readonly signature: string;
  /** For people. */
  readonly reason: string;
  readonly reasonCode: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  readonly state: 'open' | 'retrying' | 'resolved';
  readonly createdAt: Date;
  readonly retriedAt: Date | null;
}

/** Absent fields don't filter. `signature` matches a part of the group as it is shown, or of its code. */
export interface LetterFilter {
  readonly tenant: string;
  readonly scan?: number | undefined;
  readonly kind?: string | undefined;
  readonly signature?: string | undefined;
  readonly ids?: readonly number[] | undefined;
  readonly state?: DeadLetter['state'] | undefined;
}

const CHOSEN = `d.tenant = $1 and ($2::bigint is null or d.scan_id = $2) and ($3::text is null or d.kind = $3)
  and ($4::text is null
       or position(lower($4) in lower(d.signature)) > 0
       or exists (select from (select reason_code(d.signature) as code) as stored
                  left join jsonb_each_text($7::jsonb) as known(code, sentence) on known.code = split_part(stored.code, ':', 1)
                  where position(lower($4) in lower(stored.code)) > 0
                     or position(lower($4) in lower(
                          case when position('{}' in sentence) > 0 then replace(sentence, '{}', substr(stored.code, length(known.code) + 3))
                               else sentence || substr(stored.code, length(known.code) + 1) end)) > 0))
  and ($5::bigint[] is null or d.id = any($5)) and ($6::text is null or d.state = $6)
  and (d.scan_id is null or exists (select from scan where scan.id = d.scan_id))`; // remains of a removed scan are deleted soon

const paramsOf = (filter: LetterFilter) => [
  filter.tenant,
  filter.scan ?? null,
  filter.kind ?? null,
  filter.signature ?? null,
  filter.ids ?? null,
  filter.state ?? null,
  JSON.stringify(REASON_TEMPLATES),
];

/** In order of creation; `after` and `limit` page through many. */
export async function listLetters(
  db: Queryable,
  filter: LetterFilter,
  { limit, after = 0 }: { limit: number; after?: number },
): Promise<DeadLetter[]> {
  const { rows } = await db.query<DeadLetter>(
    `select d.id, d.scan_id as scan, scan.source, d.kind, d.path, d.signature, d.reason, d.evidence, d.attempts, d.state,
            d.created_at as "createdAt", d.retried_at as "retriedAt"
     from dead_letter d left join scan on scan.id = d.scan_id
     where ${CHOSEN} and d.id > $8
     order by d.id
     limit $9`,
    [...paramsOf(filter), after, limit],
  );
  return rows.map((row) => ({
    ...row,
    signature: reasonText(row.signature),
    reason: reasonText(row.reason),
    reasonCode: toReasonCode(row.reason),
  }));
}

export interface LetterGroup {
  readonly scan: number | null;
  readonly kind: DeadLetter['kind'];
  readonly signature: string;
  readonly letters: number;
  readonly first: Date;
  readonly last: Date;
  readonly example: string;
}

/** Groups equal causes, the most frequent first. */
export async function groupLetters(db: Queryable, filter: LetterFilter): Promise<LetterGroup[]> {
  const { rows } = await db.query<LetterGroup>(
    `select d.scan_id as scan, d.kind, reason_code(d.signature) as signature, count(*) as letters, min(d.created_at) as first,
            max(d.created_at) as last, (array_agg(d.path order by d.id))[1] as example
     from dead_letter d
     where ${CHOSEN}
     group by d.scan_id, d.kind, reason_code(d.signature)
     order by letters desc, d.scan_id, signature`,
    paramsOf(filter),
  );
  return rows.map((row) => ({ ...row, signature: reasonText(row.signature) }));
}

/** Deletes them. Their objects stay dead in the coverage: what was not read is never reported clean. */
export async function purgeLetters(db: Queryable, filter: LetterFilter): Promise<number> {
  const { rowCount } = await db.query(`delete from dead_letter d where ${CHOSEN}`, paramsOf(filter));
  return rowCount;
}

export interface RetryingLetter {
  readonly id: number;
  readonly scan: number;
  readonly kind: Exclude<DeadLetter['kind'], 'action'>;
  readonly key: Buffer | null;
  readonly lease: number | null;
  readonly evidence: JobEvidence;
}

/** What is needed to send a job again. A hook is identified by its round and number. */
export interface JobEvidence {
  readonly job?: string;
  readonly data?: object;
  readonly scan?: number;
  readonly round?: number;
  readonly n?: number;
}

/**
 * Marks open ones of scans `retrying`, each for one caller only. Locks their scans, so that none is removed
 * before this transaction ends.
 */
export async function markRetrying(tx: Tx, filter: LetterFilter): Promise<RetryingLetter[]> {
  const { rows } = await tx.query<RetryingLetter>(
    `with kept as materialized (
       select id from scan where id in (select d.scan_id from dead_letter d where ${CHOSEN}) for key share)
     update dead_letter d set state = 'retrying', retried_at = clock()
     from kept where d.scan_id = kept.id and ${CHOSEN}
     returning d.id, d.scan_id as scan, d.kind, d.key, d.lease_id as lease, d.evidence`,
    paramsOf({ ...filter, state: 'open' }),
  );
  return rows;
}

/** The same for actions; returns the actions. */
export async function markActionsRetrying(tx: Tx, filter: LetterFilter): Promise<number[]> {
  const { rows } = await tx.query<{ action: number }>(
    `update dead_letter d set state = 'retrying', retried_at = clock()
     where ${CHOSEN} and d.kind = 'action'
     returning d.action_id as action`,
    paramsOf({ ...filter, state: 'open' }),
  );
  return rows.map(({ action }) => action);
}

/** Resolves the letters of shards and jobs that run again; a new failure writes a new letter. */
export async function resolveLetters(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(`update dead_letter set state = 'resolved' where id = any($1::bigint[])`, [ids]);
}

/** After the scan was cancelled: what was to be retried is open again, for a later retry. */
export async function reopenRetrying(tx: Tx, scan: number): Promise<void> {
  await tx.query(
    `update dead_letter set state = 'open' where scan_id = $1 and kind = 'object' and state = 'retrying'`,
    [scan],
  );
}

/** Adds a letter for a job that failed permanently. */
export async function addDeadJob(
  tx: Queryable,
  job: { scan: number; name: string; data: object; reason: string; signature: string },
): Promise<void> {
  await tx.query(
    `insert into dead_letter (tenant, scan_id, kind, path, signature, reason, evidence, created_at)
     select tenant, id, 'job', $2, $3, $4, $5, clock() from scan where id = $1 for key share`,
    [
      job.scan,
      `job ${job.name}`,
      job.signature,
      job.reason,
      JSON.stringify({ job: job.name, data: job.data }),
    ],
  );
}

/**
 * Adds a letter for a shard that failed repeatedly: the rest of its range is a gap in the scan until it is
 * retried.
 */
export async function addDeadShard(tx: Tx, held: HeldLease, reason: string): Promise<void> {
  const from = held.cursor === '' ? 'the beginning' : displayKey(held.cursor);
  const to = held.upTo === null ? 'the end' : displayKey(held.upTo);
  await tx.query(
    `insert into dead_letter (tenant, scan_id, kind, lease_id, path, signature, reason, evidence, created_at)
     select tenant, id, 'shard', $2, $3, $4, $5, jsonb_build_object('attempts', $6::integer), clock()
     from scan where id = $1`,
    [
      held.groupId,
      held.id,
      `everything after ${from}, up to ${to}`,
      errorGroupKey(reason),
      reason,
      held.claimsSinceProgress,
    ],
  );
}
