/** Commands from end to end: accepted, decided, reacted to by runner processes; with an action in between, until its result was reacted to. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, one } from '../../src/db/database.ts';
import { WorkflowClient } from '../../src/workflows/client.ts';
import { scaled } from '../benchmark.ts';
import { count, median, table } from '../figures.ts';
import { measureDbos } from './dbos.ts';
import { acting, type Noting, quiet } from './kinds.ts';
import { Runners } from './runners.ts';
import type { Stage } from './stage.ts';

const RUNNERS = [1, 2, 4];
const POLL_INTERVAL_MS = 20;

const WAYS = [
  { name: '100 at once', callers: 4, batch: 100, full: 20_000 },
  { name: 'one at a time', callers: 10, batch: 1, full: 5000 },
] as const;
/** `last`: the version of the last event that is reacted to. */
const KINDS: readonly { workflow: Noting; name: string; last: number; actionsAtOnce: number }[] = [
  { workflow: quiet, name: 'no action', last: 1, actionsAtOnce: 32 },
  { workflow: acting, name: 'an action', last: 2, actionsAtOnce: 32 },
  { workflow: acting, name: 'an action, 256 at once', last: 2, actionsAtOnce: 256 },
];

export async function measureCommands(stage: Stage): Promise<void> {
  const { bench } = stage;
  const { url, db } = await stage.openSeine('seine_commands');
  const runners = new Runners(url, stage.folder);
  const rates = new Map<string, string[]>();
  try {
    for (const { workflow, name, last, actionsAtOnce } of KINDS) {
      for (const n of RUNNERS) {
        await runners.have(n, { workflow: workflow.name, actionsAtOnce });
        await endToEnd(db, workflow, last, { callers: 4, batch: 100, commands: 500 }); // warm
        for (const way of WAYS) {
          const commands = scaled(bench, way.full, way.callers * way.batch);
          const taken: number[] = [];
          for (let i = 0; i < bench.runs; i++)
            taken.push(await endToEnd(db, workflow, last, { ...way, commands }));
          const row = `seine, ${name}\t${way.name}`;
          rates.set(row, [...(rates.get(row) ?? []), count(commands / median(taken))]);
        }
      }
      await runners.stop();
    }
  } finally {
    await runners.stop();
    await db.close();
  }
  const theirs = await measureDbos(stage, RUNNERS);
  const rows = [...rates, ...theirs].map(([row, figures]) => [...row.split('\t'), ...figures]);
  bench.log('  commands a second, until the last reaction; each begins a workflow; runners are processes:');
  bench.log(table([['', 'sent', ...RUNNERS.map((n) => (n === 1 ? '1 runner' : `${n} runners`))], ...rows]));
}

export interface Sending {
  readonly callers: number;
  readonly batch: number;
  readonly commands: number;
}

/** Seconds from the first command until every one was reacted to up to this version. */
async function endToEnd(db: Database, workflow: Noting, last: number, sending: Sending): Promise<number> {
  const run = randomUUID();
  const { min } = await one<{ min: number }>(db, 'select coalesce(max(key), 0) as least from workflow');
  await db.query('vacuum analyze');
  const client = new WorkflowClient(db);
  const began = performance.now();
  await sendNotes(client, workflow, sending, (n) => `${run}-${n}`);
  for (;;) {
    const { done } = await one<{ done: number }>(
      db,
      'select count(*) as done from reaction where workflow_key > $1 and version >= $2',
      [min, last],
    );
    if (done === sending.commands) return (performance.now() - began) / 1000;
    await sleep(POLL_INTERVAL_MS);
  }
}

export async function sendNotes(
  client: WorkflowClient,
  workflow: Noting,
  { callers, batch, commands }: Sending,
  idOf: (n: number) => string,
): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < commands) {
      const from = next;
      next = Math.min(commands, from + batch);
      const some = Array.from({ length: next - from }, (_, i) => ({
        id: idOf(from + i),
        command: { type: 'note' as const, n: from + i },
      }));
      await client.sendAll(workflow, some);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
