/** Work stealers and planner of a simulated cluster: the decisions are those of production, only probes take no real time. */
import type { ProbePlan } from '../../src/scans/planning/probing.ts';
import {
  MAX_SKIPPED_TARGETS,
  minSplitKeys,
  type SplitDecision,
  splitCountFor,
  stealProbes,
  targetBackoffMs,
} from '../../src/scans/planning/steal-decision.ts';
import type { Lease } from './lease.ts';
import { type LeaseTable, together } from './lease-table.ts';
import { type Cuts, LIST_S, QUERY_S, type World } from './options.ts';
import { probeAll } from './probes.ts';
import type { SimulatedWorkers } from './workers.ts';

const PROBE_SECONDS = 10;

/** What happens to the others when a lease was split. */
type OnSplit = (lease: Lease, parts: number) => void;

export class WorkStealers {
  /** Listing requests. */
  probes = 0;
  readonly #world: World;
  readonly #table: LeaseTable;
  readonly #workers: SimulatedWorkers;
  readonly #onSplit: OnSplit;
  #probing = 0;

  constructor(world: World, table: LeaseTable, workers: SimulatedWorkers, onSplit: OnSplit) {
    this.#world = world;
    this.#table = table;
    this.#workers = workers;
    this.#onSplit = onSplit;
  }

  /** Splits off a part of the remaining range; then the worker continues. */
  steal(worker: number, lease: Lease, then: () => void): void {
    const { target, decision, seconds } = this.#decide(lease);
    this.#probing++;
    target.lookedAtUntil = this.#world.queue.now + PROBE_SECONDS;
    this.#world.queue.after(seconds, () => {
      this.#probing--;
      if (this.#workers.isDead(worker)) return; // the split lock expires by itself
      this.#endProbe(target, decision);
      then();
    });
  }

  /** Shards that turn out to have little are passed over, each at the price of a few statements. */
  #decide(first: Lease): { target: Lease; decision: SplitDecision; seconds: number } {
    const splitCount = splitCountFor(1 + this.#workers.asleep + this.#probing, this.#table.held.size);
    let target = first;
    let spent = 2 * QUERY_S;
    for (let skipsLeft = MAX_SKIPPED_TARGETS; ; skipsLeft--) {
      const terms = { splitCount, minKeys: this.#minKeys(target), selective: skipsLeft > 0 };
      const { result: decision, seconds } = this.#probe(stealProbes(this.#target(target), terms));
      if (decision.skippedTarget) target.hint = decision.hints[0]!;
      const other = decision.skippedTarget ? this.#table.maxRemaining() : null;
      if (other === null) return { target, decision, seconds: spent + seconds };
      target = other;
      spent += 2 * QUERY_S;
    }
  }

  #minKeys(lease: Lease): number {
    const rate = this.#table.secondsPerKey(lease);
    return minSplitKeys(this.#world.queue.now, Number.isFinite(rate) ? rate : null);
  }

  #target(lease: Lease) {
    const { bucket, queue, costs } = this.#world;
    const position = lease.at(queue.now, costs);
    return {
      range: { after: lease.after, upTo: lease.upTo },
      cursor: lease.keyBefore(position.cursor, bucket),
      reserved: lease.keyBefore(position.reserved, bucket),
      listed: position.cursor - lease.first,
      page: lease.pageAt(position, bucket),
      hint: lease.hint,
      left: this.#table.leftOf(lease),
    };
  }

  #endProbe(lease: Lease, { splitPoints, hints, skippedTarget }: SplitDecision): void {
    const parts = this.#table.split(lease, { splitPoints, hints });
    const failed = parts === 0 && !skippedTarget;
    lease.failures = failed ? lease.failures + 1 : 0;
    lease.lookedAtUntil = failed ? this.#world.queue.now + targetBackoffMs(lease.failures) / 1000 : 0;
    if (parts > 0) this.#onSplit(lease, parts);
    else if (lease.state === 'held') lease.hint = together(hints);
  }

  /** Runs beside the first worker. */
  plan(lease: Lease, plan: ProbePlan<Cuts>): void {
    const { result, seconds } = this.#probe(plan);
    lease.lookedAtUntil = seconds + 2 * QUERY_S;
    this.#world.queue.after(lease.lookedAtUntil, () => {
      const parts = this.#table.split(lease, result);
      if (parts > 0) this.#onSplit(lease, parts);
    });
  }

  /** Answers all probes at once: the bucket doesn't change meanwhile. */
  #probe<T>(steps: ProbePlan<T>): { result: T; seconds: number } {
    const { result, rounds, calls } = probeAll(this.#world.bucket, steps);
    this.probes += calls;
    return { result, seconds: rounds * LIST_S };
  }
}
