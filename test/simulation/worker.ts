/** A worker's process: it claims, runs shards with the production code, does jobs, steals, and looks again. */
import { messageOf, SeineError } from '../../src/base/errors.ts';
import { retrying } from '../../src/base/retry.ts';
import { type Database, maybeOne } from '../../src/db/database.ts';
import { claimLease } from '../../src/engine/leases/claim-store.ts';
import { type Held, restOf } from '../../src/engine/leases/lease.ts';
import { renewLease } from '../../src/engine/leases/lease-store.ts';
import { DEFAULT_RULES } from '../../src/governance/rule-set.ts';
import { readRetryKeys, retrySource } from '../../src/scans/dead-letters/retry-source.ts';
import { InventoryHash } from '../../src/scans/inventory.ts';
import { LiveCounters } from '../../src/scans/live-counters.ts';
import type { AnyPace } from '../../src/scans/pace.ts';
import { judgingOf } from '../../src/scans/parts/assemble.ts';
import { openPart } from '../../src/scans/parts/open-part.ts';
import { putBack } from '../../src/scans/put-back.ts';
import { runShard } from '../../src/scans/run-shard.ts';
import { scanSeen } from '../../src/scans/scan-store.ts';
import type { ShardTools } from '../../src/scans/shard-progress.ts';
import { readShard } from '../../src/scans/shard-store.ts';
import { inventoryKey, SHARD } from '../../src/scans/start.ts';
import { type Actor, Killed } from './actor.ts';
import { Inspectors } from './inspectors.ts';
import { sentJobs, workOnJob } from './jobs.ts';
import { Choices } from './random.ts';
import { type Stage, TTL_MS } from './stage.ts';
import { PLACE, passOver, steal } from './thieves.ts';

const KEEP_EACH = 100;
const judging = judgingOf(DEFAULT_RULES, KEEP_EACH);
const hash = new InventoryHash(Buffer.alloc(32, 7));
const INVENTORY_KEY = inventoryKey(DEFAULT_RULES, KEEP_EACH);

export interface Worker {
  readonly actor: Actor;
  readonly id: string;
  /** Ask it to stop: it gives back what it has. */
  readonly stop: AbortController;
  /** What its threads are at, if it runs a shard. */
  readonly threads: { pool: Inspectors | null };
}

interface Process extends Omit<Worker, 'actor'> {
  readonly db: Database;
  readonly actor: Actor;
  readonly stage: Stage;
  readonly choices: Choices;
  /** It works on this scan alone; null: on whatever there is. */
  readonly only: number | null;
}

export async function startWorker(stage: Stage, n: number): Promise<Worker> {
  const id = uuidOf(n);
  const stop = new AbortController();
  const threads = { pool: null };
  const choices = new Choices(stage.seed, `worker ${n}`);
  const only = stage.scans.length === 1 && choices.chance(0.3) ? stage.scans[0]!.id : null;
  const actor = await stage.world.scheduler.start(`worker ${n}`, id, (db, self) =>
    work({ db, actor: self, id, stop, threads, stage, choices, only }),
  );
  return { actor, id, stop, threads };
}

export function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** Looks for everything after something was found, and when there are news; else for one thing at a time. */
async function work(process: Process): Promise<void> {
  const { actor, stage, choices, stop } = process;
  const looks = {
    claim: () => claimAndRun(process),
    job: () => patiently(() => workOnJob(process.db, () => choices.chance(stage.scenario.refusals))),
    steal: () => steal(process.db, stage, choices),
  };
  const all = ['claim', 'job', 'steal'] as const;
  for (let wanted: readonly (keyof typeof looks)[] = all; !stop.signal.aborted; ) {
    let found = false;
    for (const what of wanted) found ||= await looks[what]();
    if (found) wanted = all;
    else {
      const { news } = stage;
      await stage.world.scheduler.nap(actor);
      wanted = stage.news > news ? all : [choices.of([...all, 'steal'] as const)];
    }
  }
}

async function claimAndRun(process: Process): Promise<boolean> {
  const wanted = { kind: SHARD, work: process.only, holder: process.id, place: PLACE, ttlMs: TTL_MS };
  const held = await patiently(() => claimLease(process.db, wanted));
  if (held) await runHeld(process, held);
  return held !== null;
}

async function runHeld(process: Process, held: Held): Promise<void> {
  const { db, actor, stage } = process;
  try {
    const end = await runLease(process, held);
    stage.note(`shard ${end}`);
    if (end === 'lost') await checkLoss(stage, held);
  } catch (error) {
    if (!actor.alive) throw error;
    if (!(error instanceof SeineError) || error.kind === 'internal') stage.broken.push(messageOf(error));
    if (process.stop.signal.aborted) return;
    const { givenUp } = await patiently(() => putBack(held, { db, jobs: sentJobs }, error));
    if (givenUp) stage.note('shard given up');
  } finally {
    actor.meanwhile = () => {};
    process.threads.pool = null;
  }
}

/** Who believes that a lease is lost must be right: tokens only grow. */
async function checkLoss({ world, broken }: Stage, held: Held): Promise<void> {
  const row = await maybeOne<{ token: number; state: string }>(
    world.db,
    'select token, state from lease where id = $1',
    [held.id],
  );
  if (row?.state === 'held' && row.token === held.token)
    broken.push('a lease was given up by its own holder');
}

async function runLease(process: Process, held: Held) {
  const { db, actor, stage, choices } = process;
  const { kind, started } = await readShard(db, held.id);
  const scan = stage.scans.find(({ id }) => id === held.work)!;
  const pool = new Inspectors(scan, choices, () => die(process));
  actor.meanwhile = () => pool.endSome();
  process.threads.pool = pool;
  const tools: ShardTools = {
    db: choices.chance(0.4) ? beating(db, held, choices) : db,
    source: scan.source,
    jobs: sentJobs,
    started,
    pool,
    hash,
    base: null,
    inventoryKey: INVENTORY_KEY,
    ttlMs: TTL_MS,
    live: new LiveCounters(),
    pace: () => pace(stage.scenario.step, choices),
  };
  if (kind === 'range') return runShard(held, tools, process.stop.signal);
  if (kind === 'part') {
    const part = await openPart(db, held, scan.source, judging);
    if (part === null) return 'lost';
    return runShard(held, { ...tools, source: part.source, part }, process.stop.signal);
  }
  const keys = await readRetryKeys(db, held.id, restOf(held));
  const again = { ...tools, source: retrySource(scan.source, keys), retrying: true };
  return runShard(held, again, process.stop.signal);
}

/** The object kills its process. */
function die({ actor, stage }: Process): Error {
  stage.note('killed by an object');
  void stage.world.scheduler.kill(actor);
  return new Killed();
}

/** Few objects at a time, and a checkpoint whenever the seed says so. */
function pace(step: number, choices: Choices): AnyPace {
  const often = choices.of([0.1, 0.1, 0.5]);
  return {
    size: step,
    sinceLastMs: 0,
    get due() {
      return choices.chance(often);
    },
    passed() {},
  };
}

/** Renewals and signs of life, which a process sends beside its work, come before some of its transactions. */
function beating(db: Database, held: Held, choices: Choices): Database {
  return {
    ...db,
    tx: async (work) => {
      if (choices.chance(0.5)) await renewLease(db, held, TTL_MS).catch(passOver);
      else if (choices.chance(0.1)) await scanSeen(db, held.work).catch(passOver);
      return db.tx(work);
    },
  };
}

/** As production does: what may go well the next time is tried again. */
export function patiently<T>(work: () => Promise<T>): Promise<T> {
  return retrying(work, { forMs: Number.POSITIVE_INFINITY });
}
