/** Thieves of a simulated cluster, and its plan: the decisions are those of production, only the looking takes no real time. */
import type { Looking } from '../../src/scans/planning/looking.ts';
import {
  backOffMs,
  leastKeys,
  MOST_PASSED_OVER,
  stealSteps,
  type Theft,
  waysFor,
} from '../../src/scans/planning/stealing.ts';
import type { Crew } from './crew.ts';
import type { Lease } from './lease.ts';
import { type LeaseTable, together } from './lease-table.ts';
import { lookThrough } from './looks.ts';
import { type Cuts, LIST_S, QUERY_S, type World } from './options.ts';

const LOOK_S = 10;

/** What happens to the others when a lease was split. */
type OnSplit = (lease: Lease, parts: number) => void;

export class Thieves {
  /** Listing requests. */
  looks = 0;
  readonly #world: World;
  readonly #table: LeaseTable;
  readonly #crew: Crew;
  readonly #onSplit: OnSplit;
  #looking = 0;

  constructor(world: World, table: LeaseTable, crew: Crew, onSplit: OnSplit) {
    this.#world = world;
    this.#table = table;
    this.#crew = crew;
    this.#onSplit = onSplit;
  }

  /** Takes a part of what the lease has left; then the worker goes on. */
  steal(worker: number, lease: Lease, then: () => void): void {
    const { victim, theft, seconds } = this.#decide(lease);
    this.#looking++;
    victim.lookedAtUntil = this.#world.agenda.now + LOOK_S;
    this.#world.agenda.after(seconds, () => {
      this.#looking--;
      if (this.#crew.isDead(worker)) return; // the look ends by itself, later
      this.#endLook(victim, theft);
      then();
    });
  }

  /** Shards that turn out to have little are passed over, each at the price of a few statements. */
  #decide(first: Lease): { victim: Lease; theft: Theft; seconds: number } {
    const ways = waysFor(1 + this.#crew.asleep + this.#looking, this.#table.held.size);
    let victim = first;
    let spent = 2 * QUERY_S;
    for (let pickiness = MOST_PASSED_OVER; ; pickiness--) {
      const terms = { ways, least: this.#leastKeys(victim), picky: pickiness > 0 };
      const { result: theft, seconds } = this.#look(stealSteps(this.#victim(victim), terms));
      if (theft.passedOver) victim.hint = theft.hints[0]!;
      const other = theft.passedOver ? this.#table.mostLeft() : null;
      if (other === null) return { victim, theft, seconds: spent + seconds };
      victim = other;
      spent += 2 * QUERY_S;
    }
  }

  #leastKeys(lease: Lease): number {
    const rate = this.#table.secondsPerKey(lease);
    return leastKeys(this.#world.agenda.now, Number.isFinite(rate) ? rate : null);
  }

  #victim(lease: Lease) {
    const { bucket, agenda, costs } = this.#world;
    const position = lease.at(agenda.now, costs);
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

  #endLook(lease: Lease, { cuts, hints, passedOver }: Theft): void {
    const parts = this.#table.split(lease, { cuts, hints });
    const failed = parts === 0 && !passedOver;
    lease.failures = failed ? lease.failures + 1 : 0;
    lease.lookedAtUntil = failed ? this.#world.agenda.now + backOffMs(lease.failures) / 1000 : 0;
    if (parts > 0) this.#onSplit(lease, parts);
    else if (lease.state === 'held') lease.hint = together(hints);
  }

  /** Runs beside the first worker. */
  plan(lease: Lease, plan: Looking<Cuts>): void {
    const { result, seconds } = this.#look(plan);
    lease.lookedAtUntil = seconds + 2 * QUERY_S;
    this.#world.agenda.after(lease.lookedAtUntil, () => {
      const parts = this.#table.split(lease, result);
      if (parts > 0) this.#onSplit(lease, parts);
    });
  }

  /** All the looks at once: the bucket doesn't change while somebody looks. */
  #look<T>(steps: Looking<T>): { result: T; seconds: number } {
    const { result, rounds, calls } = lookThrough(this.#world.bucket, steps);
    this.looks += calls;
    return { result, seconds: rounds * LIST_S };
  }
}
