/** Scaling under load: processes come and go, nothing stops, nothing is skipped, no action has its effect twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { rescale } from '../../src/workflows/partitions/scaling.ts';
import { scaled } from '../benchmark.ts';
import { count, seconds, table } from '../figures.ts';
import { counting, EFFECTS } from './kinds.ts';
import { type Faults, readFaults, readWaits, settled, startLoad, type Waits } from './load.ts';
import { Runners } from './runners.ts';
import type { Stage } from './stage.ts';

const PER_SECOND = 100;
const WORKFLOWS = 500;
const SETTINGS = { workflow: 'counting', leaseMs: 5000 };

interface Course {
  readonly name: string;
  readonly steps: readonly number[];
  readonly isStatic: boolean;
}
const COURSES: readonly Course[] = [
  { name: 'slots 3 → 5 → 3', steps: [3, 5, 3], isStatic: false },
  { name: 'slots 1 → 8 → 2', steps: [1, 8, 2], isStatic: false },
  { name: 'static 3 → 5 → 3', steps: [3, 5, 3], isStatic: true },
];

export async function measureRescaling(stage: Stage): Promise<void> {
  const { bench } = stage;
  const rows: string[][] = [];
  for (const course of COURSES) {
    const { waits, faults, ended, changing } = await run(stage, course);
    const figures = [waits.events, faults.skipped, faults.doubles, faults.missing].map(count);
    rows.push([course.name, ...figures, ...[waits.p50 / 1000, waits.longest / 1000, changing].map(seconds)]);
    bench.check(ended, `${course.name}: every workflow comes to its end`);
    bench.check(faults.skipped === 0, `${course.name}: no event is skipped`);
    bench.check(
      faults.doubles === 0 && faults.missing === 0,
      `${course.name}: every action has its effect once`,
    );
  }
  bench.log(
    `  ${PER_SECOND} commands a second to ${WORKFLOWS} workflows; the wait is from event to reaction:`,
  );
  const head = [
    '',
    'events',
    'skipped',
    'doubled',
    'missing',
    'wait, median',
    'longest of any',
    'a change took',
  ];
  bench.log(table([head, ...rows]));
}

async function run(
  stage: Stage,
  { steps, isStatic }: Course,
): Promise<{ waits: Waits; faults: Faults; ended: boolean; changing: number }> {
  const { url, db } = await stage.openSeine('seine_rescaling');
  await db.query(EFFECTS);
  const runners = new Runners(url, stage.folder);
  const change = (to: number, from: number | null) =>
    isStatic ? scalePartitions(db, runners, to, from) : runners.have(to, SETTINGS);
  try {
    await change(steps[0]!, null);
    const load = startLoad(db, counting(null), PER_SECOND, WORKFLOWS);
    let changing = 0; // at most, until the new processes were there and the old ones gone
    for (const [n, to] of steps.entries()) {
      const began = performance.now();
      if (n > 0) await change(to, steps[n - 1]!);
      changing = Math.max(changing, (performance.now() - began) / 1000);
      await sleep(scaled(stage.bench, 15, 4) * 1000);
    }
    await load.stop();
    const ended = await settled(db, 'counting');
    const waits = await readWaits(db, 'counting');
    return { waits, faults: await readFaults(db, 'counting'), ended, changing };
  } finally {
    await runners.stop();
    await db.close();
  }
}

/** One statement stops the old ones: they find that they are fenced, and end. Then others are started. */
async function scalePartitions(
  db: Database,
  runners: Runners,
  to: number,
  from: number | null,
): Promise<void> {
  const old = [...runners.all];
  if (from !== null) await rescale(db, SETTINGS.workflow, from, to, { running: 'stop' });
  for (const runner of old) runner.kill('SIGTERM');
  await Promise.all([...old.map(({ ended }) => ended), runners.scalePartitions(to, SETTINGS)]);
}
