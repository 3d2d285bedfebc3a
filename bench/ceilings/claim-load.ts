/**
 * The database side of a large cluster: claims, checkpoints and ends of shards arrive at the rate of so many workers, over a few
 * connections, while many other shards are held. Arrivals are paced, not answered by the next one: a slow claim does not delay
 * the next one until all connections are busy. Then the achieved rate is below the requested one.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, one } from '../../src/db/database.ts';
import { claimLease } from '../../src/engine/leases/claim-store.ts';
import type { HeldLease } from '../../src/engine/leases/lease.ts';
import { SHARD } from '../../src/scans/lifecycle/start-scan.ts';
import type { Postgres } from '../postgres.ts';
import { advance, clear, endShard, holdLeases, makeScan, TTL_MS } from './scans.ts';

export interface ClaimLoad {
  readonly held: number;
  readonly scans: number;
  readonly seconds: number;
  readonly claimsPerSecond: number;
  readonly connections: number;
}

export interface ClaimCosts {
  /** Milliseconds of each, as the caller sees it. */
  readonly claims: readonly number[];
  readonly checkpoints: readonly number[];
  readonly ends: readonly number[];
  /** Claims a second that were really made. */
  readonly rate: number;
  /** Processors that the server kept busy, all its processes together. */
  readonly cores: number;
  /** A claim after the load, one at a time, as the server counts it. Other load on the machine changes the time, not the buffers. */
  readonly alone: { readonly buffers: number; readonly ms: number };
}

type Step = 'claims' | 'checkpoints' | 'ends';
/** A shard is claimed once, written four times and ended once. */
const ROUND: readonly Step[] = ['claims', 'checkpoints', 'checkpoints', 'ends', 'checkpoints', 'checkpoints'];
const ALONE = 20;
const HEADROOM = 64;
const DROPPED_AT_ONCE = 1000;

export async function measureClaims(db: Database, server: Postgres, load: ClaimLoad): Promise<ClaimCosts> {
  const { scans, seconds, claimsPerSecond, connections } = load;
  const waiting = seconds * claimsPerSecond + HEADROOM;
  const held: HeldLease[] = [];
  for (let n = 0; n < scans; n++) {
    const shards = Math.ceil(load.held / scans);
    const scan = await makeScan(db, shards + Math.ceil(waiting / scans) + 1, n);
    held.push(...(await holdLeases(db, scan, shards)));
  }
  await db.query('vacuum analyze');
  const costs = { claims: [] as number[], checkpoints: [] as number[], ends: [] as number[] };
  const work = new Steps(db, held);
  const all = seconds * claimsPerSecond * ROUND.length;
  const [cpu, began] = [server.cpuSeconds(), performance.now()];
  let next = 0;
  const loop = async () => {
    for (let n = next++; n < all; n = next++) {
      const late = performance.now() - began - (n * 1000) / (claimsPerSecond * ROUND.length);
      if (late < 0) await sleep(-late);
      const step = ROUND[n % ROUND.length]!;
      const from = performance.now();
      await work[step]();
      costs[step].push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const took = (performance.now() - began) / 1000;
  const cores = (server.cpuSeconds() - cpu) / took;
  const alone = await claimsAlone(db, work);
  await clear(db);
  return { ...costs, rate: costs.claims.length / took, cores, alone };
}

async function claimsAlone(db: Database, work: Steps): Promise<ClaimCosts['alone']> {
  await db.query('select public.pg_stat_statements_reset()');
  for (let n = 0; n < ALONE; n++) await work.claims();
  const { buffers, ms } = await one<{ buffers: number; ms: number }>(
    db,
    `select sum(shared_blks_hit + shared_blks_read)::bigint as buffers, sum(total_exec_time) as ms
     from public.pg_stat_statements where query not like '%pg_stat_statements%'`,
  );
  return { buffers: buffers / ALONE, ms: ms / ALONE };
}

class Steps {
  readonly #db: Database;
  /** First those that wait longest for their next checkpoint. */
  readonly #held: HeldLease[];
  #next = 0;

  constructor(db: Database, held: HeldLease[]) {
    this.#db = db;
    this.#held = held;
  }

  async claims(): Promise<void> {
    const held = await claimLease(this.#db, {
      kind: SHARD,
      groupId: null,
      holder: randomUUID(),
      ttlMs: TTL_MS,
    });
    if (held === null) throw new Error('There was nothing to claim.');
    this.#held.push(held);
  }

  async checkpoints(): Promise<void> {
    const held = this.#take();
    if (held) this.#held.push(await advance(this.#db, held));
  }

  async ends(): Promise<void> {
    const held = this.#take();
    if (held) await endShard(this.#db, held);
  }

  /** Undefined right at the beginning, when nothing is held. */
  #take(): HeldLease | undefined {
    if (this.#next >= this.#held.length) return undefined;
    const held = this.#held[this.#next++];
    // What was taken goes at once: shifting twenty thousand entries each time would cost more than what is measured.
    if (this.#next === DROPPED_AT_ONCE) this.#held.splice(0, this.#next);
    this.#next %= DROPPED_AT_ONCE;
    return held;
  }
}
