/** Pairs the findings of the two sides, step by step; see difference.ts. One function per statement. */
import { many, one, type Tx } from '../../db/database.ts';
import type { Summary, TypeSummary } from './difference.ts';

/** Runs all steps of the pairing. */
export async function pairSides(tx: Tx): Promise<void> {
  await tx.query(`set local work_mem = '128MB'`); // sorts and joins of millions, by one command at a time
  await indexSides(tx);
  await countUnkept(tx);
  await leaveOutCounted(tx);
  await createPairs(tx);
  await pairSamePlace(tx);
  await tx.query('analyze compared_pair');
  await pairSameObject(tx);
  await tx.query('analyze compared_pair');
  await pairElsewhere(tx);
  await tx.query('analyze compared_pair');
  await listRows(tx);
}

async function indexSides(tx: Tx): Promise<void> {
  await tx.query('create unique index on compared_object (side, id)');
  await tx.query('create unique index on compared_object (side, key_hash)');
  await tx.query('create unique index on compared_finding (id)');
  await tx.query('analyze compared_object');
  await tx.query('analyze compared_finding');
}

/** Objects and types of which a side found more than it kept. */
async function countUnkept(tx: Tx): Promise<void> {
  await tx.query(
    `create temporary table compared_count on commit drop as
     with counted as (
       select side, id as object, key_hash, each.key as detector, each.value::bigint as count
       from compared_object, jsonb_each_text(counts) each),
     kept as (
       select side, object, detector, count(*) as kept from compared_finding group by side, object, detector),
     full_count as (
       select side, key_hash, detector, count, coalesce(kept, 0) as kept
       from counted left join kept using (side, object, detector)),
     before as (select * from full_count where side = 'before'),
     after as (select * from full_count where side = 'after')
     select coalesce(before.key_hash, after.key_hash) as key_hash, coalesce(before.detector, after.detector) as detector,
            before.count is not null and after.count is not null as is_both,
            coalesce(before.count, 0) as before, coalesce(after.count, 0) as after,
            coalesce(before.count - before.kept, 0) as before_unkept, coalesce(after.count - after.kept, 0) as after_unkept
     from before full join after on before.key_hash = after.key_hash and before.detector = after.detector
     where before.count > before.kept or after.count > after.kept`,
  );
}

/**
 * Excludes types that both sides have more of than they kept: the kept ones are not representative of the
 * rest.
 */
async function leaveOutCounted(tx: Tx): Promise<void> {
  await tx.query(
    `delete from compared_finding using compared_count
     where is_both and compared_finding.key_hash = compared_count.key_hash and compared_finding.detector = compared_count.detector`,
  );
}

async function createPairs(tx: Tx): Promise<void> {
  await tx.query(
    'create temporary table compared_pair (before bigint, after bigint, is_moved boolean) on commit drop',
  );
}

/** `turn`: an archive may contain two parts of one name. */
async function pairSamePlace(tx: Tx): Promise<void> {
  await tx.query(
    `insert into compared_pair (before, after, is_moved)
     with turns as (
       select *, row_number() over (partition by side, key_hash, fingerprint, part, line, col order by n) as turn
       from compared_finding where line is not null)
     select before.id, after.id, false
     from turns before join turns after
       on before.side = 'before' and after.side = 'after' and before.key_hash = after.key_hash
          and before.fingerprint = after.fingerprint and before.line = after.line and before.col = after.col
          and before.part is not distinct from after.part and before.turn = after.turn`,
  );
}

/** Two anti-joins: with an `or` all pairs would be compared for each finding. */
const LEFT = `select f.* from compared_finding f
       where f.side = 'before' and not exists (select 1 from compared_pair p where p.before = f.id)
       union all
       select f.* from compared_finding f
       where f.side = 'after' and not exists (select 1 from compared_pair p where p.after = f.id)`;

/** A baseline has no positions inside an object, so nothing is moved within one. */
async function pairSameObject(tx: Tx): Promise<void> {
  await tx.query(
    `insert into compared_pair (before, after, is_moved)
     with turns as (
       select *, row_number() over (partition by side, key_hash, fingerprint order by n) as turn from (${LEFT}) still)
     select before.id, after.id, before.line is not null and after.line is not null
     from turns before join turns after
       on before.side = 'before' and after.side = 'after' and before.key_hash = after.key_hash
          and before.fingerprint = after.fingerprint and before.turn = after.turn`,
  );
}

async function pairElsewhere(tx: Tx): Promise<void> {
  await tx.query(
    `insert into compared_pair (before, after, is_moved)
     with turns as (
       select *, row_number() over (partition by side, fingerprint order by key_hash, n) as turn from (${LEFT}) still)
     select before.id, after.id, true
     from turns before join turns after
       on before.side = 'before' and after.side = 'after' and before.fingerprint = after.fingerprint
          and before.turn = after.turn`,
  );
}

/**
 * Everything that is not unchanged, in order of key and position, numbered so that it can be read in pages.
 */
async function listRows(tx: Tx): Promise<void> {
  await tx.query(
    `create temporary table compared_row on commit drop as
     select row_number() over (order by key, detector, n, change) as at, every.*
     from (
       select 'new' as change, null::bigint as before, f.id as after, f.key_hash, f.detector, f.n, 1::bigint as count,
              o.key
       from compared_finding f join compared_object o on o.side = f.side and o.id = f.object
       where f.side = 'after' and not exists (select 1 from compared_pair p where p.after = f.id)
       union all
       select 'gone', f.id, null, f.key_hash, f.detector, f.n, 1, o.key
       from compared_finding f join compared_object o on o.side = f.side and o.id = f.object
       where f.side = 'before' and not exists (select 1 from compared_pair p where p.before = f.id)
       union all
       select 'moved', p.before, p.after, f.key_hash, f.detector, f.n, 1, o.key
       from compared_pair p join compared_finding f on f.id = p.after
       join compared_object o on o.side = f.side and o.id = f.object
       where p.is_moved
       union all
       select 'new', null, null, c.key_hash, c.detector, 2147483647,
              case when is_both then c.after - c.before else after_unkept end, o.key
       from compared_count c join compared_object o on o.side = 'after' and o.key_hash = c.key_hash
       where case when is_both then c.after > c.before else after_unkept > 0 end
       union all
       select 'gone', null, null, c.key_hash, c.detector, 2147483647,
              case when is_both then c.before - c.after else before_unkept end, o.key
       from compared_count c join compared_object o on o.side = 'before' and o.key_hash = c.key_hash
       where case when is_both then c.before > c.after else before_unkept > 0 end
     ) every`,
  );
  await tx.query('create unique index on compared_row (at)');
  await tx.query('analyze compared_row');
}

export async function readSummary(tx: Tx): Promise<Summary> {
  const types = await many<TypeSummary>(
    tx,
    `with told as (
       select detector, change, count from compared_row
       union all
       select detector, 'unchanged', 1 from compared_pair p join compared_finding f on f.id = p.after where not is_moved
       union all
       select detector, 'unchanged', least(before, after) from compared_count where is_both)
     select detector, coalesce(sum(count) filter (where change = 'new'), 0)::bigint as new,
            coalesce(sum(count) filter (where change = 'gone'), 0)::bigint as gone,
            coalesce(sum(count) filter (where change = 'moved'), 0)::bigint as moved,
            coalesce(sum(count) filter (where change = 'unchanged'), 0)::bigint as unchanged
     from told group by detector order by detector`,
  );
  const { counted } = await one<{ counted: number }>(
    tx,
    'select count(*) as counted from compared_count where is_both',
  );
  return { types, counted };
}
