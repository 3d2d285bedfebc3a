/**
 * A scan by many workers in virtual time: the planner, the work stealer's decisions and the order of claims are those of production, the
 * bucket is computed, and time advances by an event queue. Workers do one object after another; what happens between two events
 * is computed on demand, so the size of the bucket doesn't matter.
 */
import { FULL_RANGE } from '../../src/base/range.ts';
import type { Bucket } from '../../src/sources/sim/bucket.ts';
import type { Costs } from './costs.ts';
import { EventQueue } from './event-queue.ts';
import { type Lease, PAGE } from './lease.ts';
import { LeaseTable } from './lease-table.ts';
import { type ClusterOptions, LIST_S, QUERY_S, type World } from './options.ts';
import { account, type ClusterOutcome } from './outcome.ts';
import { WorkStealers } from './work-stealers.ts';
import { SimulatedWorkers } from './workers.ts';

const LEASE_S = 15;
const RESTART_S = 10;

export class Cluster {
  readonly #world: World;
  readonly #events = new EventQueue();
  readonly #table: LeaseTable;
  readonly #workers: SimulatedWorkers;
  readonly #stealers: WorkStealers;
  #redone = 0;
  #ended = 0;

  constructor(bucket: Bucket, costs: Costs, options: ClusterOptions) {
    this.#world = { bucket, costs, options, queue: this.#events };
    this.#table = new LeaseTable(this.#world);
    this.#workers = new SimulatedWorkers(this.#world);
    this.#stealers = new WorkStealers(this.#world, this.#table, this.#workers, (lease, parts) => {
      this.#shorten(lease);
      this.#workers.wake(parts);
    });
  }

  run(): ClusterOutcome {
    const { workers, before, plan } = this.#world.options;
    const start = (before?.calls ?? 0) * LIST_S;
    const bounds = [FULL_RANGE.after, ...(before?.splitPoints ?? [])];
    for (const [i, after] of bounds.entries()) this.#table.add({ after, upTo: bounds[i + 1] ?? null }, null);
    const [first] = this.#table.waiting;
    for (let n = 0; n < workers; n++) this.#events.after(start, () => this.#join());
    if (plan) this.#events.after(0, () => this.#stealers.plan(first!, plan));
    while (this.#table.unfinished > 0 && this.#events.step());
    return this.#outcome(before?.calls ?? 0);
  }

  #join(): void {
    this.#next(
      this.#workers.join((dead) => this.#onWorkerDeath(dead)),
      0,
    );
  }

  /** Claims a shard, else steals, else waits. */
  #next(worker: number, idle: number): void {
    if (this.#workers.isDead(worker)) return;
    const lease = this.#table.waiting.shift();
    if (lease !== undefined) return this.#claim(worker, lease);
    const target = this.#world.options.steals ? this.#table.maxRemaining() : null;
    if (target !== null) return this.#stealers.steal(worker, target, () => this.#next(worker, 0));
    this.#workers.sleep(worker, idle, () => this.#next(worker, idle + 1));
  }

  #claim(worker: number, lease: Lease): void {
    lease.begin(this.#events.now + QUERY_S + LIST_S);
    this.#table.held.set(lease, worker);
    this.#expectEnd(worker, lease);
  }

  #expectEnd(worker: number, lease: Lease): void {
    const version = ++lease.version;
    const work = this.#world.costs.upTo(lease.end) - this.#world.costs.upTo(lease.from);
    this.#events.after(Math.max(0, lease.began + work - this.#events.now), () => {
      if (lease.version !== version) return;
      this.#table.complete(lease);
      this.#ended = this.#events.now;
      this.#events.after(QUERY_S, () => this.#next(worker, 0));
    });
  }

  /** A part was split off: its holder, if alive, ends sooner. */
  #shorten(lease: Lease): void {
    const worker = this.#table.held.get(lease);
    if (worker !== undefined && lease.diedAt > this.#events.now) this.#expectEnd(worker, lease);
  }

  #onWorkerDeath(worker: number): void {
    this.#events.after(RESTART_S, () => this.#join());
    for (const [lease, holder] of this.#table.held) if (holder === worker) this.#abandon(lease);
  }

  /** Not detected yet; when the lease expires, another worker continues at the cursor. */
  #abandon(lease: Lease): void {
    lease.diedAt = this.#events.now;
    lease.version++;
    const { cursor, reserved } = lease.at(this.#events.now, this.#world.costs);
    this.#redone += reserved - cursor;
    this.#events.after(LEASE_S, () => {
      this.#table.revoke(lease, cursor);
      this.#workers.wake(1);
    });
  }

  #outcome(looksBefore: number): ClusterOutcome {
    const { bucket, costs, options } = this.#world;
    const { pages, splits, done } = this.#table;
    const lists = looksBefore + this.#stealers.probes + pages;
    return {
      seconds: this.#ended,
      ideal: costs.upTo(bucket.count) / options.workers,
      extraLists: lists - Math.max(1, Math.ceil(bucket.count / PAGE)),
      splits,
      crashes: this.#workers.deaths,
      redone: this.#redone,
      ...account(done, bucket.count),
    };
  }
}
