/** The leases of a simulated scan, as the database holds them: which wait, which are held, what of them is done. */
import type { Range } from '../../src/base/range.ts';
import { keysLeft, mergeHints, type SplitHint } from '../../src/scans/planning/split-hint.ts';
import { minSplitSeconds } from '../../src/scans/planning/steal-decision.ts';
import { Lease } from './lease.ts';
import type { Cuts, World } from './options.ts';

export class LeaseTable {
  readonly waiting: Lease[] = [];
  /** With the worker that holds each. */
  readonly held = new Map<Lease, number>();
  /** Objects from, and to (exclusive). */
  readonly done: [number, number][] = [];
  unfinished = 0;
  pages = 0;
  splits = 0;
  readonly #world: World;
  #leases = 0;

  constructor(world: World) {
    this.#world = world;
  }

  add(range: Range, hint: SplitHint | null): void {
    this.waiting.push(new Lease(this.#leases++, this.#world.bucket, range, hint));
    this.unfinished++;
  }

  /** The holder's work up to there is done. */
  leave(lease: Lease, upTo: number): void {
    this.held.delete(lease);
    this.done.push([lease.from, upTo]);
    this.pages += lease.pages();
  }

  complete(lease: Lease): void {
    this.leave(lease, lease.end);
    lease.state = 'done';
    this.unfinished--;
  }

  /** Its holder died: another worker continues at the cursor. */
  revoke(lease: Lease, cursor: number): void {
    this.leave(lease, cursor);
    lease.from = cursor;
    lease.state = 'waiting';
    this.waiting.push(lease);
  }

  /** The same choice as the statement that acquires a split lock: see split-hint-store.ts. */
  maxRemaining(): Lease | null {
    const { now } = this.#world.queue;
    const min = minSplitSeconds(now);
    let best: Lease | null = null;
    let max = Number.NEGATIVE_INFINITY;
    for (const lease of this.held.keys()) {
      if (lease.lookedAtUntil > now || lease.began > now) continue;
      const left = this.leftOf(lease);
      const isWorth =
        lease.hint?.exact !== true || (left + lease.hint.countError) * this.secondsPerKey(lease) >= min;
      if (left > max && isWorth) [best, max] = [lease, left];
    }
    return best;
  }

  leftOf(lease: Lease): number {
    return lease.hint === null ? Number.MAX_SAFE_INTEGER : keysLeft(lease.hint, this.#listed(lease));
  }

  /** At its holder's current rate; infinite before its first checkpoint. */
  secondsPerKey(lease: Lease): number {
    return (this.#world.queue.now - lease.began) / this.#listed(lease);
  }

  #listed(lease: Lease): number {
    return lease.at(this.#world.queue.now, this.#world.costs).cursor - lease.first;
  }

  /** The guarded statement: split points that are no longer free are skipped. Returns the number of parts that were split off. */
  split(lease: Lease, { splitPoints, hints }: Cuts): number {
    if (lease.state === 'done') return 0;
    const { bucket, queue, costs } = this.#world;
    const position = lease.at(queue.now, costs);
    const limit = lease.keyBefore(position.reserved, bucket);
    const { upTo } = lease;
    const free = splitPoints.filter((cut) => cut > limit && (upTo === null || cut < upTo));
    if (free.length === 0) return 0;
    const first = splitPoints.indexOf(free[0]!);
    lease.hint = together(hints.slice(0, first + 1));
    lease.cutTo(free[0]!, bucket.countUpTo(free[0]!), position);
    for (const [i, after] of free.entries())
      this.add({ after, upTo: free[i + 1] ?? upTo }, hints[first + 1 + i] ?? null);
    this.splits += free.length;
    return free.length;
  }
}

/** What is known of parts that stay together. */
export function together(hints: readonly (SplitHint | null)[]): SplitHint | null {
  const known = hints.filter((hint) => hint !== null);
  return known.length < hints.length ? null : mergeHints(known);
}
