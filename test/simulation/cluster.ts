/**
 * A small cluster on the real SQL: workers that claim, run shards with the production code, steal, finalize; people who pause,
 * cancel and retry; faults at any statement; a clock that only the seed moves. `simulate` gives what is left in the end.
 */
import { randomUUID } from 'node:crypto';
import { SeineError } from '../../src/base/errors.ts';
import { FIRST_KEY, type Key, keyOf } from '../../src/base/key.ts';
import type { Range } from '../../src/base/range.ts';
import { pauses, retrying } from '../../src/base/retry.ts';
import type { Database } from '../../src/db/database.ts';
import type { Jobs } from '../../src/engine/jobs/jobs.ts';
import { claimLease } from '../../src/engine/leases/claim-store.ts';
import { splitLease, splittableLeases } from '../../src/engine/leases/split-store.ts';
import { finalizeScan } from '../../src/scans/finalize.ts';
import { putBack } from '../../src/scans/put-back.ts';
import { runShard } from '../../src/scans/run-shard.ts';
import { readScan } from '../../src/scans/scan-store.ts';
import { addShards } from '../../src/scans/shard-store.ts';
import { SHARD } from '../../src/scans/start.ts';
import { createMemorySource, type MemorySource } from '../../src/sources/memory/memory.ts';
import { plannedScan, shardTools } from '../support/scan.ts';
import { Choices } from './random.ts';
import { anyOf, type Fate, type Scheduler } from './scheduler.ts';

const TTL_MS = 1000;
const MOST_TURNS = 6000;

export interface Run {
  readonly seed: number;
  readonly scan: number;
  readonly source: MemorySource;
  readonly keys: readonly Key[];
  readonly faults: Record<string, number>;
  readonly failures: readonly unknown[];
  readonly turns: number;
}

/** One run. The database must have been prepared by `prepare`, and nobody else may use it. */
export async function simulate(db: Database, scheduler: Scheduler, seed: number): Promise<Run> {
  const choices = new Choices(seed);
  const source = bucket(choices, seed);
  const keys = [...source.reads.keys(), ...(await keysOf(source))].sort();
  const scan = await plannedScan(db, source, ranges(choices, keys));
  const faults: Record<string, number> = {};
  const note = (fault: string) => {
    faults[fault] = (faults[fault] ?? 0) + 1;
  };
  await scheduler.clear();
  await play(db, scheduler, choices, { scan, source, keys, note });
  return { seed, scan, source, keys, faults, failures: scheduler.failures, turns: scheduler.turns };
}

/** Makes the database's clock settable. */
export async function prepare(db: Database): Promise<void> {
  await db.query(`create table if not exists simulated_clock (at timestamptz not null)`);
  await db.query(
    `create table if not exists sent (id serial, name text, data jsonb, taken boolean not null default false)`,
  );
  await db.query(`insert into simulated_clock values ('2026-01-01')`);
  await db.query(
    `create or replace function clock() returns timestamptz language sql stable as 'select at from simulated_clock'`,
  );
}

interface Stage {
  readonly scan: number;
  readonly source: MemorySource;
  readonly keys: readonly Key[];
  readonly note: (fault: string) => void;
}

async function play(db: Database, scheduler: Scheduler, choices: Choices, stage: Stage): Promise<void> {
  const before = pauses.spend;
  pauses.spend = async () => {};
  const realNow = Date.now;
  try {
    const workers = 2 + choices.below(3);
    let born = 0;
    const bear = () => scheduler.start(`worker ${++born}`, (own) => worker(own, stage, choices));
    for (let i = 0; i < workers; i++) await bear();
    // Faults stop after a while: what must hold is that the scan then ends, and ends right.
    let trouble = 10 + choices.below(30);
    while (scheduler.turns < MOST_TURNS) {
      const actors = scheduler.asking;
      if (actors.length === 0) {
        if (await isOver(db, stage.scan)) return;
        await advance(scheduler, TTL_MS + 1); // whoever died held something
        await bear();
        continue;
      }
      const actor = anyOf(choices, actors);
      Date.now = () => realNow() + (actor.name.length % 3) * 86_400_000; // wrong clocks are harmless
      let fate: Fate = 'goes on';
      if (trouble > 0 && choices.chance(actor.asks === 'commit' ? 0.2 : 0.05)) {
        trouble--;
        fate = await befall(scheduler, choices, actor.asks, stage);
      }
      await scheduler.turn(actor, fate);
      if (fate.startsWith('dies') && scheduler.asking.length < 4) await bear();
      if (choices.chance(0.02)) await advance(scheduler, choices.below(TTL_MS / 4));
    }
    throw new Error(`The scan has not ended after ${MOST_TURNS} turns.`);
  } finally {
    pauses.spend = before;
    Date.now = realNow;
  }
}

async function befall(scheduler: Scheduler, choices: Choices, asks: string, stage: Stage): Promise<Fate> {
  const kind = choices.of(['crash', 'crash after', 'lost answer', 'pause', 'throttle', 'again'] as const);
  if (kind === 'pause') {
    stage.note('paused beyond the lease');
    await advance(scheduler, 3 * TTL_MS);
    return 'goes on';
  }
  if (kind === 'throttle') {
    stage.note('listing refused');
    stage.source.failList(choices.of(stage.keys), new SeineError('unavailable', 'slow down'), 1);
    return 'goes on';
  }
  if (kind === 'again') {
    stage.note('job delivered twice');
    await scheduler.query('update sent set taken = false');
    return 'goes on';
  }
  if (kind === 'lost answer') {
    if (/^(begin|select)/.test(asks)) return 'goes on';
    stage.note(asks === 'commit' ? 'answer to a commit lost' : 'connection broken');
    return 'lost';
  }
  stage.note(
    kind === 'crash' ? 'crashed' : `crashed after ${asks === 'commit' ? 'a commit' : 'a statement'}`,
  );
  return kind === 'crash' ? 'dies before' : 'dies after';
}

async function advance(scheduler: Scheduler, ms: number): Promise<void> {
  await scheduler.query(`update simulated_clock set at = at + $1 * interval '1 millisecond'`, [ms]);
}

/** Claims, runs, steals and finalizes until the scan has ended. */
async function worker(db: Database, stage: Stage, choices: Choices): Promise<void> {
  const id = randomUUID();
  const jobs = sentJobs();
  for (let idle = 0; idle < 200; idle++) {
    const held = await patiently(() =>
      claimLease(db, { kind: SHARD, work: stage.scan, holder: id, ttlMs: TTL_MS }),
    );
    if (held) {
      idle = 0;
      const tools = shardTools(db, stage.source, jobs, { ttlMs: TTL_MS });
      try {
        await runShard(held, tools, new AbortController().signal);
      } catch (error) {
        await patiently(() => putBack(held, { db, jobs }, error));
      }
    } else if (await patiently(() => workOnJob(db, jobs))) idle = 0;
    else if ((await patiently(() => readScan(db, stage.scan)))!.finishedAt) return;
    else await steal(db, stage, choices).catch(passOverLost);
  }
}

/** As production does: what may go well the next time is tried again. */
function patiently<T>(work: () => Promise<T>): Promise<T> {
  return retrying(work, { forMs: Number.POSITIVE_INFINITY });
}

/** A thief that hears nothing just looks again later. */
function passOverLost(error: unknown): void {
  if (!(error instanceof SeineError && error.retry)) throw error;
}

async function steal(db: Database, stage: Stage, choices: Choices): Promise<void> {
  const leases = await splittableLeases(db, stage.scan);
  const lease = leases[choices.below(leases.length)];
  const mid = lease && (await stage.source.midpoint(lease.free, new AbortController().signal));
  if (!lease || !mid) return;
  await db.tx(async (tx) => {
    const added = await splitLease(tx, lease.id, mid);
    if (added !== null) await addShards(tx, stage.scan, [added]);
  });
}

/** A job queue in its simplest form: at least once, sometimes more often. */
function sentJobs(): Jobs {
  return {
    send: async (tx, name, data) =>
      void (await tx.query('insert into sent (name, data) values ($1, $2)', [name, JSON.stringify(data)])),
    wake() {},
    async stop() {},
  };
}

async function workOnJob(db: Database, jobs: Jobs): Promise<boolean> {
  const { rows } = await db.query<{ id: number; name: string; data: { scan: number } }>(
    `select id, name, data from sent where not taken order by id limit 1`,
  );
  const job = rows[0];
  if (!job) return false;
  if (job.name === 'finalize') await finalizeScan(db, jobs, job.data.scan);
  await db.query('update sent set taken = true where id = $1', [job.id]);
  return true;
}

async function isOver(db: Database, scan: number): Promise<boolean> {
  return (await readScan(db, scan))!.finishedAt !== null;
}

/** Every object holds something, so that every object leaves a row. */
function bucket(choices: Choices, seed: number): MemorySource {
  const source = createMemorySource({}, { id: `memory:${seed}`, batch: 1 + choices.below(6) });
  const count = 1 + choices.below(24);
  for (let i = 0; i < count; i++) {
    const folder = choices.of(['', 'a/', 'a/b/', 'ä/', '😀/']);
    source.put(keyOf(`${folder}${choices.below(1000)}`), `mail: u${i}@example.com`);
  }
  return source;
}

async function keysOf(source: MemorySource): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const batch of source.list({ after: FIRST_KEY, upTo: null }, new AbortController().signal))
    keys.push(...batch.map((item) => item.key));
  return keys;
}

/** Cut at keys, beside keys, or not at all. */
function ranges(choices: Choices, keys: readonly Key[]): Range[] {
  const cuts = Array.from({ length: choices.below(4) }, () => choices.of(keys)).filter(
    (key) => key !== FIRST_KEY,
  );
  const bounds = [...new Set(cuts)].sort();
  return [FIRST_KEY, ...bounds].map((after, i) => ({ after, upTo: bounds[i] ?? null }));
}
