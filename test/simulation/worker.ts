/** A worker's process: it claims, runs shards with the production code, runs jobs, steals, and polls. */
import { messageOf, SeineError } from '../../src/base/errors.ts';
import { withRetry } from '../../src/base/retry.ts';
import { type Database, maybeOne } from '../../src/db/database.ts';
import { claimLease } from '../../src/engine/leases/claim-store.ts';
import { type HeldLease, remainingRange } from '../../src/engine/leases/lease.ts';
import { renewLease } from '../../src/engine/leases/lease-store.ts';
import { DEFAULT_RULES } from '../../src/governance/rule-set.ts';
import type { Pacer } from '../../src/scans/checkpoint/checkpoint-pacer.ts';
import { readRetryKeys, retrySource } from '../../src/scans/dead-letters/retry-source.ts';
import { InventoryHash } from '../../src/scans/inventory/inventory.ts';
import { heartbeatScan } from '../../src/scans/lifecycle/scan-store.ts';
import { inventoryKey, SHARD } from '../../src/scans/lifecycle/start-scan.ts';
import { runShard } from '../../src/scans/run-shard.ts';
import { objectScoringFor } from '../../src/scans/segments/assemble-segments.ts';
import { openSegment } from '../../src/scans/segments/open-segment.ts';
import { LiveCounters } from '../../src/scans/shard/live-counters.ts';
import { requeueOrFail } from '../../src/scans/shard/requeue-or-fail.ts';
import type { ShardContext } from '../../src/scans/shard/shard-context.ts';
import { readShard } from '../../src/scans/shard/shard-store.ts';
import { type Actor, ActorKilled } from './actor.ts';
import { Inspectors } from './inspectors.ts';
import { sentJobs, workOnJob } from './jobs.ts';
import { Choices } from './random.ts';
import { type Stage, TTL_MS } from './stage.ts';
import { HOST_AFFINITY, ignoreRetryable, steal } from './work-stealing.ts';

const MAX_FINDINGS_PER_TYPE = 100;
const judging = objectScoringFor(DEFAULT_RULES, MAX_FINDINGS_PER_TYPE);
const hash = new InventoryHash(Buffer.alloc(32, 7));
const INVENTORY_KEY = inventoryKey(DEFAULT_RULES, MAX_FINDINGS_PER_TYPE);

export interface Worker {
  readonly actor: Actor;
  readonly id: string;
  /** Requests a stop: it releases its leases. */
  readonly stop: AbortController;
  /** What its threads are at, if it runs a shard. */
  readonly threads: { queue: Inspectors | null };
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
  const threads = { queue: null };
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

/** Polls for everything after something was found or a wake-up; else for one thing at a time. */
async function work(process: Process): Promise<void> {
  const { actor, stage, choices, stop } = process;
  const polls = {
    claim: () => claimAndRun(process),
    job: () => retryThroughOutage(() => workOnJob(process.db, () => choices.chance(stage.scenario.refusals))),
    steal: () => steal(process.db, stage, choices),
  };
  const all = ['claim', 'job', 'steal'] as const;
  for (let expected: readonly (keyof typeof polls)[] = all; !stop.signal.aborted; ) {
    let found = false;
    for (const what of expected) found ||= await polls[what]();
    if (found) expected = all;
    else {
      const { wakeUps } = stage;
      await stage.world.scheduler.nap(actor);
      expected = stage.wakeUps > wakeUps ? all : [choices.of([...all, 'steal'] as const)];
    }
  }
}

async function claimAndRun(process: Process): Promise<boolean> {
  const expected = {
    kind: SHARD,
    groupId: process.only,
    holder: process.id,
    hostAffinity: HOST_AFFINITY,
    ttlMs: TTL_MS,
  };
  const held = await retryThroughOutage(() => claimLease(process.db, expected));
  if (held) await runHeld(process, held);
  return held !== null;
}

async function runHeld(process: Process, held: HeldLease): Promise<void> {
  const { db, actor, stage } = process;
  try {
    const end = await runLease(process, held);
    stage.note(`shard ${end}`);
    if (end === 'lost') await checkLeaseLost(stage, held);
  } catch (error) {
    if (!actor.alive) throw error;
    if (!(error instanceof SeineError) || error.kind === 'internal') stage.broken.push(messageOf(error));
    if (process.stop.signal.aborted) return;
    const { failed } = await retryThroughOutage(() => requeueOrFail(held, { db, jobs: sentJobs }, error));
    if (failed) stage.note('shard given up');
  } finally {
    actor.duringStatement = () => {};
    process.threads.queue = null;
  }
}

/** A worker that considers a lease lost must be right: tokens only grow. */
async function checkLeaseLost({ world, broken }: Stage, held: HeldLease): Promise<void> {
  const row = await maybeOne<{ token: number; state: string }>(
    world.db,
    'select fencing_token as token, state from range_lease where id = $1',
    [held.id],
  );
  if (row?.state === 'held' && row.token === held.fencingToken)
    broken.push('a lease was given up by its own holder');
}

async function runLease(process: Process, held: HeldLease) {
  const { db, actor, stage, choices } = process;
  const { kind, started } = await readShard(db, held.id);
  const scan = stage.scans.find(({ id }) => id === held.groupId)!;
  const queue = new Inspectors(scan, choices, () => die(process));
  actor.duringStatement = () => queue.endSome();
  process.threads.queue = queue;
  const tools: ShardContext = {
    db: choices.chance(0.4) ? withHeartbeat(db, held, choices) : db,
    source: scan.source,
    jobs: sentJobs,
    started,
    queue,
    hash,
    base: null,
    inventoryKey: INVENTORY_KEY,
    ttlMs: TTL_MS,
    live: new LiveCounters(),
    pacer: () => checkpointPacer(stage.scenario.step, choices),
  };
  if (kind === 'range') return runShard(held, tools, process.stop.signal);
  if (kind === 'part') {
    const segment = await openSegment(db, held, scan.source, judging);
    if (segment === null) return 'lost';
    return runShard(held, { ...tools, source: segment.source, segment }, process.stop.signal);
  }
  const keys = await readRetryKeys(db, held.id, remainingRange(held));
  const again = { ...tools, source: retrySource(scan.source, keys), retrying: true };
  return runShard(held, again, process.stop.signal);
}

/** The object kills its process. */
function die({ actor, stage }: Process): Error {
  stage.note('killed by an object');
  void stage.world.scheduler.kill(actor);
  return new ActorKilled();
}

/** Few objects at a time, and a checkpoint whenever the seed says so. */
function checkpointPacer(step: number, choices: Choices): Pacer {
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
function withHeartbeat(db: Database, held: HeldLease, choices: Choices): Database {
  return {
    ...db,
    tx: async (work) => {
      if (choices.chance(0.5)) await renewLease(db, held, TTL_MS).catch(ignoreRetryable);
      else if (choices.chance(0.1)) await heartbeatScan(db, held.groupId).catch(ignoreRetryable);
      return db.tx(work);
    },
  };
}

/** As production does: what may go well the next time is tried again. */
export function retryThroughOutage<T>(work: () => Promise<T>): Promise<T> {
  return withRetry(work, { forMs: Number.POSITIVE_INFINITY });
}
