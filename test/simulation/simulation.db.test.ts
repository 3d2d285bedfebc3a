import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { freshDatabase } from '../support/database.ts';
import { prepare, simulate } from './cluster.ts';
import { brokenPromises } from './promises.ts';
import { Scheduler } from './scheduler.ts';

/**
 * `SEINE_SEED=17` repeats one run. `SEINE_SEEDS=100` runs so many, from 1 on.
 */
const SEEDS = Number(process.env.SEINE_SEEDS ?? 200);
const only = process.env.SEINE_SEED === undefined ? null : Number(process.env.SEINE_SEED);

describe('a cluster under faults', () => {
  let db: Database & { readonly url: string };
  let scheduler: Scheduler;
  beforeAll(async () => {
    db = await freshDatabase();
    await prepare(db);
    scheduler = await Scheduler.open(db.url);
  });
  afterAll(async () => {
    await scheduler.close();
    await db.close();
  });

  it(`keeps every promise under ${only === null ? `${SEEDS} seeds` : `seed ${only}`}`, async () => {
    const broken: string[] = [];
    const faults: Record<string, number> = {};
    let turns = 0;
    const seeds = only === null ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [only];
    for (const seed of seeds) {
      const run = await simulate(db, scheduler, seed);
      turns += run.turns;
      for (const promise of await brokenPromises(db, run)) broken.push(`seed ${seed}: ${promise}`);
      for (const [fault, times] of Object.entries(run.faults)) faults[fault] = (faults[fault] ?? 0) + times;
      await db.query('delete from work where id = $1', [run.scan]);
      await db.query('truncate sent');
      if (broken.length > 20) break;
    }
    expect(broken).toEqual([]);
    // A simulation in which nothing goes wrong proves nothing.
    if (only === null && SEEDS >= 100) expect(Object.keys(faults).length).toBeGreaterThanOrEqual(6);
    process.stderr.write(`${seeds.length} seeds, ${turns} turns: ${JSON.stringify(faults)}\n`);
  }, 900_000);
});
