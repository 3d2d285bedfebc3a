/** What a runner and the log need: memory with few and with many workflows, bytes for each event. */
import { type Database, many, one } from '../../src/db/database.ts';
import { WorkflowClient } from '../../src/workflows/client.ts';
import { scaled } from '../benchmark.ts';
import { count, megabytes, seconds, table } from '../figures.ts';
import { sendNotes } from './commands.ts';
import { quiet } from './kinds.ts';
import { settled } from './load.ts';
import { memoryOf, Runners } from './runners.ts';
import type { Stage } from './stage.ts';

export async function measureSizes(stage: Stage): Promise<void> {
  const { bench } = stage;
  const rows: string[][] = [];
  for (const workflows of [1000, scaled(bench, 1_000_000, 10_000)]) {
    const { url, db } = await stage.openSeine('seine_sizes');
    const runners = new Runners(url, stage.folder);
    try {
      await fill(db, workflows);
      rows.push([count(workflows), ...(await runOver(db, runners, workflows))]);
      if (workflows > 1000) await logBytes(stage, db);
    } finally {
      await runners.stop();
      await db.close();
    }
  }
  bench.log('  one runner that reacts to all of them, then to a second event of 10,000 (or all) of them:');
  const head = [
    'workflows',
    'memory at start',
    'at most',
    'at the end',
    'first event',
    'a second',
    'second event',
    'a second',
  ];
  bench.log(table([head, ...rows]));
}

async function fill(db: Database, workflows: number): Promise<void> {
  const sending = { callers: 4, batch: 1000, commands: workflows };
  await sendNotes(new WorkflowClient(db), quiet, sending, (n) => `w-${n}`);
  await db.query('vacuum analyze');
}

async function runOver(db: Database, runners: Runners, workflows: number): Promise<string[]> {
  const began = performance.now();
  const runner = await runners.add({ workflow: quiet.name });
  const { now: start } = memoryOf(runner.pid);
  await settled(db, quiet.name, 3_600_000);
  const first = (performance.now() - began) / 1000;
  const again = Math.min(workflows, 10_000);
  const resumed = performance.now();
  const stride = workflows / again;
  const sending = { callers: 4, batch: 100, commands: again };
  await sendNotes(new WorkflowClient(db), quiet, sending, (n) => `w-${Math.floor(n * stride)}`);
  await settled(db, quiet.name, 3_600_000);
  const second = (performance.now() - resumed) / 1000;
  const { now, max } = memoryOf(runner.pid);
  return [
    ...[start, max, now].map(megabytes),
    ...[seconds(first), count(workflows / first), seconds(second), count(again / second)],
  ];
}

async function logBytes({ bench }: Stage, db: Database): Promise<void> {
  const { events } = await one<{ events: number }>(db, 'select count(*) as events from event');
  const parts = await many<{ name: string; bytes: number }>(
    db,
    `select 'event, the rows' as name, pg_table_size('event')::bigint as bytes
     union all
     select indexrelid::regclass::text, pg_relation_size(indexrelid)::bigint from pg_index where indrelid = 'event'::regclass
     union all
     select 'event, all', pg_total_relation_size('event')::bigint
     union all
     select 'workflow, all', pg_total_relation_size('workflow')::bigint
     union all
     select 'reaction, all', pg_total_relation_size('reaction')::bigint`,
  );
  bench.log(`  bytes for each of ${count(events)} events, each of a workflow of its own:`);
  bench.log(table(parts.map(({ name, bytes }) => [name, (bytes / events).toFixed(0)])));
}
