/** How long a command waits for its reaction while the runners have time to spare. */
import { setTimeout as sleep } from 'node:timers/promises';
import { scaled } from '../benchmark.ts';
import { count, table } from '../figures.ts';
import { acting } from './kinds.ts';
import { readWaits, settled, startLoad } from './load.ts';
import { Runners } from './runners.ts';
import type { Stage } from './stage.ts';

const RUNNERS = [1, 2, 4];
const PER_SECOND = 200;
const WORKFLOWS = 1000;

export async function measureLatency(stage: Stage): Promise<void> {
  const { bench } = stage;
  const rows: string[][] = [];
  for (const runners of RUNNERS) {
    const { events, p50, p99, longest } = await measureWaits(stage, runners, scaled(bench, 20, 3));
    const figures = [p50, p99, longest].map((ms) => `${ms.toFixed(1)} ms`);
    rows.push([runners === 1 ? '1 runner' : `${runners} runners`, count(events), ...figures]);
  }
  bench.log(`  ${PER_SECOND} commands a second to ${count(WORKFLOWS)} workflows, each with an action:`);
  bench.log(
    `  from the event's time to the time its reaction wrote down the action, both by the database's clock`,
  );
  bench.log(table([['', 'events', 'p50', 'p99', 'longest'], ...rows]));
}

async function measureWaits(stage: Stage, count_: number, forSeconds: number) {
  const { url, db } = await stage.openSeine('seine_latency');
  const runners = new Runners(url, stage.folder);
  try {
    await runners.have(count_, { workflow: acting.name });
    await sleep(2000); // until each has its share
    const load = startLoad(db, acting, PER_SECOND, WORKFLOWS);
    await sleep(forSeconds * 1000);
    await load.stop();
    await settled(db, acting.name);
    return await readWaits(db, acting.name);
  } finally {
    await runners.stop();
    await db.close();
  }
}
