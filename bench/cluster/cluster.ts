/**
 * A scan by many workers in virtual time: the planner, the thief's decisions and the order of claims are those of production, the
 * bucket is arithmetic, and time passes by an agenda. Workers do one object after another; what happens between two events
 * is computed when somebody asks, so the size of the bucket doesn't matter.
 */

import type { Key } from '../../src/base/key.ts';
import { EVERYTHING, type Range } from '../../src/base/range.ts';
import { type Hint, leftOf } from '../../src/scans/planning/hint.ts';
import type { Looking } from '../../src/scans/planning/looking.ts';
import {
  backOffMs,
  leastSeconds,
  pauseMs,
  stealSteps,
  type Theft,
  waysFor,
} from '../../src/scans/planning/stealing.ts';
import type { Bucket } from '../../src/sources/sim/bucket.ts';
import { draw } from '../../src/sources/sim/random.ts';
import { Agenda } from './agenda.ts';
import type { Costs } from './costs.ts';
import { Lease, PAGE } from './lease.ts';
import { lookThrough } from './looks.ts';
import { account, type ClusterOutcome } from './outcome.ts';

const LIST_S = 0.08;
const QUERY_S = 0.005;
const LEASE_S = 15;
const RESTART_S = 10;
const LOOK_S = 10;
/** Shards that turn out to have little, one after the other, before one is taken as it is. */
const MOST_PASSED_OVER = 4;

/** Cuts, and what is expected of each part. */
export interface Cuts {
  readonly cuts: readonly Key[];
  readonly hints: readonly (Hint | null)[];
}

export interface ClusterOptions {
  readonly workers: number;
  readonly seed: number;
  readonly steals: boolean;
  /** Runs beside the first worker. */
  readonly plan?: Looking<Cuts>;
  /** Made before anybody begins, after so many listing requests one after the other. */
  readonly before?: { readonly cuts: readonly Key[]; readonly calls: number };
  /** Seconds that a worker lives, in the mean. */
  readonly lifetime?: number;
  /** Holders tell which page they work on. */
  readonly pageNotes?: boolean;
}

export class Cluster {
  readonly #bucket: Bucket;
  readonly #costs: Costs;
  readonly #options: ClusterOptions;
  readonly #agenda = new Agenda();
  readonly #waiting: Lease[] = [];
  readonly #held = new Map<Lease, number>();
  readonly #sleepers = new Map<number, () => void>();
  readonly #done: [number, number][] = [];
  readonly #crashed = new Set<number>();
  #leases = 0;
  #unfinished = 0;
  #workers = 0;
  #looking = 0;
  #looks = 0;
  #pages = 0;
  #splits = 0;
  #crashes = 0;
  #redone = 0;
  #ended = 0;

  constructor(bucket: Bucket, costs: Costs, options: ClusterOptions) {
    this.#bucket = bucket;
    this.#costs = costs;
    this.#options = options;
  }

  run(): ClusterOutcome {
    const { workers, before, plan } = this.#options;
    const start = (before?.calls ?? 0) * LIST_S;
    const bounds = [EVERYTHING.after, ...(before?.cuts ?? [])];
    for (const [i, after] of bounds.entries()) this.#add({ after, upTo: bounds[i + 1] ?? null }, null);
    this.#looks += before?.calls ?? 0;
    for (let n = 0; n < workers; n++) this.#agenda.after(start, () => this.#join());
    if (plan) this.#agenda.after(0, () => this.#plan(plan));
    while (this.#unfinished > 0 && this.#agenda.step());
    return this.#outcome();
  }

  #add(range: Range, hint: Hint | null): void {
    this.#waiting.push(new Lease(this.#leases++, this.#bucket, range, hint));
    this.#unfinished++;
  }

  #join(): void {
    const worker = this.#workers++;
    const { lifetime, seed } = this.#options;
    if (lifetime !== undefined) {
      const lives = -lifetime * Math.log((draw(seed, worker, 71) + 0.5) / 2 ** 32);
      this.#agenda.after(lives, () => this.#crash(worker));
    }
    this.#next(worker, 0);
  }

  /** Looks for something to do: claims, else steals, else waits. */
  #next(worker: number, idle: number): void {
    if (this.#crashed.has(worker)) return;
    const lease = this.#waiting.shift();
    if (lease !== undefined) return this.#claim(worker, lease);
    const victim = this.#options.steals ? this.#mostLeft() : null;
    if (victim !== null) return this.#steal(worker, victim, MOST_PASSED_OVER);
    const jitter = 0.5 + draw(this.#options.seed, Math.floor(this.#agenda.now * 1e6), worker) / 2 ** 32;
    this.#sleep(worker, (pauseMs(idle) / 1000) * jitter, () => this.#next(worker, idle + 1));
  }

  #sleep(worker: number, seconds: number, then: () => void): void {
    const wake = () => {
      if (this.#sleepers.get(worker) !== wake) return;
      this.#sleepers.delete(worker);
      then();
    };
    this.#sleepers.set(worker, wake);
    this.#agenda.after(seconds, wake);
  }

  /** There is something to claim. */
  #wake(count: number): void {
    let left = count;
    for (const [, wake] of this.#sleepers) {
      if (left-- <= 0) return;
      this.#agenda.after(QUERY_S, wake);
    }
  }

  #claim(worker: number, lease: Lease): void {
    lease.state = 'held';
    lease.diedAt = Number.POSITIVE_INFINITY;
    lease.began = this.#agenda.now + QUERY_S + LIST_S;
    lease.listedTo = lease.end;
    this.#held.set(lease, worker);
    this.#expectEnd(worker, lease);
  }

  #expectEnd(worker: number, lease: Lease): void {
    const version = ++lease.version;
    const work = this.#costs.upTo(lease.end) - this.#costs.upTo(lease.from);
    this.#agenda.after(Math.max(0, lease.began + work - this.#agenda.now), () => {
      if (lease.version !== version) return;
      this.#leave(lease, lease.end);
      lease.state = 'done';
      this.#unfinished--;
      this.#ended = this.#agenda.now;
      this.#agenda.after(QUERY_S, () => this.#next(worker, 0));
    });
  }

  /** The holder's work up to there is done. */
  #leave(lease: Lease, upTo: number): void {
    this.#held.delete(lease);
    this.#done.push([lease.from, upTo]);
    this.#pages += lease.pages();
  }

  #crash(worker: number): void {
    this.#crashed.add(worker);
    this.#sleepers.delete(worker);
    this.#crashes++;
    this.#agenda.after(RESTART_S, () => this.#join());
    for (const [lease, holder] of this.#held) if (holder === worker) this.#abandon(lease);
  }

  /** Nobody knows yet; when the lease expires, another goes on at the cursor. */
  #abandon(lease: Lease): void {
    const { now } = this.#agenda;
    lease.diedAt = now;
    lease.version++;
    const { cursor, reserved } = lease.at(now, this.#costs);
    this.#redone += reserved - cursor;
    this.#agenda.after(LEASE_S, () => {
      this.#leave(lease, cursor);
      lease.from = cursor;
      lease.state = 'waiting';
      this.#waiting.push(lease);
      this.#wake(1);
    });
  }

  /** As the statement chooses that claims a look: see hint-store.ts. */
  #mostLeft(): Lease | null {
    const { now } = this.#agenda;
    let best: Lease | null = null;
    let most = this.#least();
    for (const lease of this.#held.keys()) {
      if (lease.lookedAtUntil > now || lease.began > now) continue;
      const left = this.#leftOf(lease);
      if (left > most) [best, most] = [lease, left];
    }
    return best;
  }

  /** The cursor as it would be at the mean speed: near enough to choose by, and much quicker to compute. */
  #leftOf(lease: Lease): number {
    if (lease.hint === null) return Number.MAX_SAFE_INTEGER;
    const passed = lease.from - lease.first + (this.#agenda.now - lease.began) / this.#costs.mean;
    return leftOf(lease.hint, passed);
  }

  #least(): number {
    return leastSeconds(this.#agenda.now) / this.#costs.mean;
  }

  #steal(worker: number, lease: Lease, pickiness: number): void {
    const ways = waysFor(1 + this.#sleepers.size + this.#looking, this.#held.size);
    const steps = stealSteps(this.#victim(lease), { ways, least: this.#least(), picky: pickiness > 0 });
    const { result, seconds } = this.#look(steps);
    if (result.passedOver) {
      lease.hint = result.hints[0]!;
      const other = this.#mostLeft();
      if (other !== null) return this.#steal(worker, other, other === lease ? 0 : pickiness - 1);
    }
    this.#looking++;
    lease.lookedAtUntil = this.#agenda.now + LOOK_S;
    this.#agenda.after(seconds + 2 * QUERY_S, () => {
      this.#looking--;
      if (this.#crashed.has(worker)) return; // the look ends by itself, later
      this.#endLook(lease, result);
      this.#next(worker, 0);
    });
  }

  #victim(lease: Lease) {
    const position = lease.at(this.#agenda.now, this.#costs);
    return {
      range: { after: lease.after, upTo: lease.upTo },
      cursor: lease.keyBefore(position.cursor, this.#bucket),
      reserved: lease.keyBefore(position.reserved, this.#bucket),
      listed: position.cursor - lease.first,
      page: this.#options.pageNotes ? lease.pageAt(position, this.#bucket) : null,
      hint: lease.hint,
      left: this.#leftOf(lease),
    };
  }

  #endLook(lease: Lease, { cuts, hints }: Theft): void {
    const split = this.#split(lease, { cuts, hints });
    lease.failures = split ? 0 : lease.failures + 1;
    lease.lookedAtUntil = split ? 0 : this.#agenda.now + backOffMs(lease.failures) / 1000;
    if (!split && lease.state === 'held')
      lease.hint = { ...hints[0]!, expected: sum(hints), exact: hints.every(isExact) };
  }

  /** The guarded statement: cuts that are no longer free are left out. */
  #split(lease: Lease, { cuts, hints }: Cuts): boolean {
    if (lease.state === 'done') return false;
    const position = lease.at(this.#agenda.now, this.#costs);
    const limit = lease.keyBefore(position.reserved, this.#bucket);
    const free = cuts.filter((cut) => cut > limit && (lease.upTo === null || cut < lease.upTo));
    if (free.length === 0) return false;
    const { upTo } = lease;
    const first = cuts.indexOf(free[0]!);
    const kept = hints.slice(0, first + 1);
    lease.hint = kept.includes(null)
      ? null
      : { ...kept.at(-1)!, expected: sum(kept), exact: kept.every(isExact) };
    lease.cutTo(free[0]!, this.#bucket.countUpTo(free[0]!), position);
    for (const [i, after] of free.entries())
      this.#add({ after, upTo: free[i + 1] ?? upTo }, hints[first + 1 + i] ?? null);
    const worker = this.#held.get(lease);
    if (worker !== undefined && lease.diedAt > this.#agenda.now) this.#expectEnd(worker, lease);
    this.#splits += free.length;
    this.#wake(free.length);
    return true;
  }

  #plan(plan: Looking<Cuts>): void {
    const lease = this.#waiting[0] ?? [...this.#held.keys()][0];
    if (lease === undefined) return;
    const { result, seconds } = this.#look(plan);
    lease.lookedAtUntil = seconds + 2 * QUERY_S;
    this.#agenda.after(lease.lookedAtUntil, () => this.#split(lease, result));
  }

  /** All the looks at once: the bucket doesn't change while somebody looks. */
  #look<T>(steps: Looking<T>): { result: T; seconds: number } {
    const { result, rounds, calls } = lookThrough(this.#bucket, steps);
    this.#looks += calls;
    return { result, seconds: rounds * LIST_S };
  }

  #outcome(): ClusterOutcome {
    const { count } = this.#bucket;
    const extraLists = this.#looks + this.#pages - Math.max(1, Math.ceil(count / PAGE));
    return {
      seconds: this.#ended,
      ideal: this.#costs.upTo(count) / this.#options.workers,
      extraLists,
      splits: this.#splits,
      crashes: this.#crashes,
      redone: this.#redone,
      ...account(this.#done, count),
    };
  }
}

function sum(hints: readonly (Hint | null)[]): number {
  return hints.reduce((total, hint) => total + (hint?.expected ?? 0), 0);
}

function isExact(hint: Hint | null): boolean {
  return hint?.exact === true;
}
