/**
 * A scan by many workers in virtual time: the planner, the thief's decisions and the order of claims are those of production, the
 * bucket is arithmetic, and time passes by an agenda. Workers do one object after another; what happens between two events
 * is computed when somebody asks, so the size of the bucket doesn't matter.
 */
import { EVERYTHING } from '../../src/base/range.ts';
import type { Bucket } from '../../src/sources/sim/bucket.ts';
import { Agenda } from './agenda.ts';
import type { Costs } from './costs.ts';
import { Crew } from './crew.ts';
import { type Lease, PAGE } from './lease.ts';
import { LeaseTable } from './lease-table.ts';
import { type ClusterOptions, LIST_S, QUERY_S, type World } from './options.ts';
import { account, type ClusterOutcome } from './outcome.ts';
import { Thieves } from './thieves.ts';

const LEASE_S = 15;
const RESTART_S = 10;

export class Cluster {
  readonly #world: World;
  readonly #agenda = new Agenda();
  readonly #table: LeaseTable;
  readonly #crew: Crew;
  readonly #thieves: Thieves;
  #redone = 0;
  #ended = 0;

  constructor(bucket: Bucket, costs: Costs, options: ClusterOptions) {
    this.#world = { bucket, costs, options, agenda: this.#agenda };
    this.#table = new LeaseTable(this.#world);
    this.#crew = new Crew(this.#world);
    this.#thieves = new Thieves(this.#world, this.#table, this.#crew, (lease, parts) => {
      this.#shorten(lease);
      this.#crew.wake(parts);
    });
  }

  run(): ClusterOutcome {
    const { workers, before, plan } = this.#world.options;
    const start = (before?.calls ?? 0) * LIST_S;
    const bounds = [EVERYTHING.after, ...(before?.cuts ?? [])];
    for (const [i, after] of bounds.entries()) this.#table.add({ after, upTo: bounds[i + 1] ?? null }, null);
    const [first] = this.#table.waiting;
    for (let n = 0; n < workers; n++) this.#agenda.after(start, () => this.#join());
    if (plan) this.#agenda.after(0, () => this.#thieves.plan(first!, plan));
    while (this.#table.unfinished > 0 && this.#agenda.step());
    return this.#outcome(before?.calls ?? 0);
  }

  #join(): void {
    this.#next(
      this.#crew.join((dead) => this.#bury(dead)),
      0,
    );
  }

  /** Looks for something to do: claims, else steals, else waits. */
  #next(worker: number, idle: number): void {
    if (this.#crew.isDead(worker)) return;
    const lease = this.#table.waiting.shift();
    if (lease !== undefined) return this.#claim(worker, lease);
    const victim = this.#world.options.steals ? this.#table.mostLeft() : null;
    if (victim !== null) return this.#thieves.steal(worker, victim, () => this.#next(worker, 0));
    this.#crew.sleep(worker, idle, () => this.#next(worker, idle + 1));
  }

  #claim(worker: number, lease: Lease): void {
    lease.begin(this.#agenda.now + QUERY_S + LIST_S);
    this.#table.held.set(lease, worker);
    this.#expectEnd(worker, lease);
  }

  #expectEnd(worker: number, lease: Lease): void {
    const version = ++lease.version;
    const work = this.#world.costs.upTo(lease.end) - this.#world.costs.upTo(lease.from);
    this.#agenda.after(Math.max(0, lease.began + work - this.#agenda.now), () => {
      if (lease.version !== version) return;
      this.#table.complete(lease);
      this.#ended = this.#agenda.now;
      this.#agenda.after(QUERY_S, () => this.#next(worker, 0));
    });
  }

  /** A part was split off: whoever holds it, if it lives, ends sooner. */
  #shorten(lease: Lease): void {
    const worker = this.#table.held.get(lease);
    if (worker !== undefined && lease.diedAt > this.#agenda.now) this.#expectEnd(worker, lease);
  }

  #bury(worker: number): void {
    this.#agenda.after(RESTART_S, () => this.#join());
    for (const [lease, holder] of this.#table.held) if (holder === worker) this.#abandon(lease);
  }

  /** Nobody knows yet; when the lease expires, another goes on at the cursor. */
  #abandon(lease: Lease): void {
    lease.diedAt = this.#agenda.now;
    lease.version++;
    const { cursor, reserved } = lease.at(this.#agenda.now, this.#world.costs);
    this.#redone += reserved - cursor;
    this.#agenda.after(LEASE_S, () => {
      this.#table.takeBack(lease, cursor);
      this.#crew.wake(1);
    });
  }

  #outcome(looksBefore: number): ClusterOutcome {
    const { bucket, costs, options } = this.#world;
    const { pages, splits, done } = this.#table;
    const lists = looksBefore + this.#thieves.looks + pages;
    return {
      seconds: this.#ended,
      ideal: costs.upTo(bucket.count) / options.workers,
      extraLists: lists - Math.max(1, Math.ceil(bucket.count / PAGE)),
      splits,
      crashes: this.#crew.deaths,
      redone: this.#redone,
      ...account(done, bucket.count),
    };
  }
}
