/**
 * How many rows of the event table are read for each event that is processed. The original has every partition read the whole log:
 * N partitions, N rows for each event. Counted by the database: rows that the statements of readers gave to the runners
 * (pg_stat_statements), and rows of the event table that any statement fetched by an index (pg_stat_user_tables).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, one } from '../../src/db/database.ts';
import { WorkflowClient } from '../../src/workflows/client.ts';
import { scaled } from '../benchmark.ts';
import { canCount } from '../claims/statements.ts';
import { count, table } from '../figures.ts';
import { sendNotes } from './commands.ts';
import { quiet } from './kinds.ts';
import { settled, startLoad } from './load.ts';
import { Runners } from './runners.ts';
import type { Stage } from './stage.ts';

const RUNNERS = [1, 2, 4, 8];
const STEADY_SECONDS = 5;
const PER_SECOND = 200;

export async function measureRowsRead(stage: Stage): Promise<void> {
  const { bench } = stage;
  const rows: string[][] = [];
  for (const mode of ['slots', 'static'] as const)
    for (const runners of RUNNERS)
      for (const when of ['behind', 'steady'] as const) rows.push(await readWith(stage, mode, runners, when));
  bench.log('  for each event that was reacted to (no actions); behind: all were there before the runners;');
  bench.log(`  steady: ${PER_SECOND} a second to 1,000 workflows, for ${STEADY_SECONDS} s:`);
  const head = [
    '',
    'runners',
    '',
    'events',
    'given to runners',
    'fetched in all',
    'the original',
    'statements',
  ];
  bench.log(table([head, ...rows]));
}

async function readWith(
  stage: Stage,
  mode: 'slots' | 'static',
  runners: number,
  when: 'behind' | 'steady',
): Promise<string[]> {
  const { url, db } = await stage.openSeine('seine_rows');
  const processes = new Runners(url, stage.folder);
  const start = () =>
    mode === 'slots'
      ? processes.have(runners, { workflow: quiet.name })
      : processes.scalePartitions(runners, { workflow: quiet.name });
  const counts = await canCount(db);
  try {
    const events = when === 'behind' ? scaled(stage.bench, 20_000, 1000) : PER_SECOND * STEADY_SECONDS;
    if (when === 'behind') await fill(db, events);
    else await start();
    await sleep(1000); // the server's own counters come late
    const before = await fetched(db);
    if (counts) await db.query('select public.pg_stat_statements_reset()');
    if (when === 'behind') await start();
    else await steady(db);
    await settled(db, quiet.name);
    await processes.stop();
    await sleep(1000);
    const all = (await fetched(db)) - before;
    const given = counts ? await givenToRunners(db) : null;
    const ratio = (n: number) => (n / events).toFixed(2);
    const figures = [given ? ratio(given.rows) : '–', ratio(all), runners.toFixed(2)];
    return [mode, `${runners}`, when, count(events), ...figures, given ? ratio(given.calls) : '–'];
  } finally {
    await processes.stop();
    await db.close();
  }
}

async function fill(db: Database, commands: number): Promise<void> {
  const sending = { callers: 4, batch: 100, commands };
  await sendNotes(new WorkflowClient(db), quiet, sending, (n) => `w-${n % 1000}`);
}

async function steady(db: Database): Promise<void> {
  const load = startLoad(db, quiet, PER_SECOND, 1000);
  while (load.sent() < PER_SECOND * STEADY_SECONDS) await sleep(10);
  await load.stop();
}

async function fetched(db: Database): Promise<number> {
  const { n } = await one<{ n: number }>(
    db,
    `select (coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::bigint as n from pg_stat_user_tables where relname = 'event'`,
  );
  return n;
}

/** Rows of the readers' statements; calls of all statements but our own. */
function givenToRunners(db: Database): Promise<{ rows: number; calls: number }> {
  return one(
    db,
    `select coalesce(sum(rows) filter (where query ~ 'from event' and query !~ 'wanted|insert into event'), 0)::bigint as rows,
            coalesce(sum(calls) filter (where query !~* 'pg_stat|count\\(\\*\\)|^(begin|commit)|wanted|insert into event'), 0)::bigint as calls
     from public.pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`,
  );
}
