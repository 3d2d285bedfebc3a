/**
 * Which parts of a workflow's events this runner holds: its share of the slots, or its one partition. Runners don't talk to each other: each
 * counts who is there, keeps no more than its share, gives back what is above it and takes what is free. So a runner that joins is given
 * slots by the others at their next look, and only as many as its share; what a dead one held is free when its leases expire. Parts that
 * need newer code go to runners that have it (assignment.ts).
 */
import { SeineError } from '../../base/errors.ts';
import type { Database, Tx } from '../../db/database.ts';
import { claimLeases, claimPartition, claimPartitions } from '../../engine/leases/claim-store.ts';
import {
  crashedLeases,
  declareSafe,
  moveCursors,
  releaseLeases,
  renewLeases,
  rereadLeases,
} from '../../engine/leases/cursor-store.ts';
import type { Held } from '../../engine/leases/lease.ts';
import { runnerVersions } from '../../engine/workers/worker-store.ts';
import { type Offset, offsetFromKey, offsetKey } from '../../events/offset.ts';
import type { Place } from '../../events/read-store.ts';
import type { Mine } from '../messages/message-store.ts';
import { KIND_OF, openLayout, type WantedLayout } from '../partitions/layout.ts';
import { type Layout, type ReaderAtWork, readersOf } from '../partitions/layout-store.ts';
import type { Partition } from '../partitions/partition.ts';
import { needsOfDue, raisePartNeeds, readPartNeeds } from '../versions/deferred-store.ts';
import { Assignment } from './assignment.ts';

export interface HoldingOptions {
  readonly workflow: string;
  /** Of its code here. */
  readonly version: number;
  readonly holder: string;
  readonly ttlMs: number;
  /** Null: slots. */
  readonly partition: Partition | null;
}

/** For parts that others are taking at the same time. */
const MOST_LOOKS = 3;

export class Holdings {
  readonly #db: Database;
  readonly #options: HoldingOptions;
  readonly #held = new Map<number, Held>();
  /** Leases whose last holder's process ended. */
  readonly #crashed = new Set<number>();
  #layout: Layout | null = null;
  #partOf = new Map<number, number>();

  constructor(db: Database, options: HoldingOptions) {
    this.#db = db;
    this.#options = options;
  }

  get places(): (Place & { readonly attempts: number })[] {
    return [...this.#held].map(([part, { cursor, attempts }]) => ({
      part,
      offset: offsetFromKey(cursor),
      attempts,
    }));
  }

  /** As conditions in statements: a remainder of the id's hash. */
  get mine(): Mine {
    return { parts: [...this.#held.keys()], total: this.#layout?.total ?? 1 };
  }

  /** Parts whose last holder's process ended: what was being done for them may be the cause. */
  get crashed(): Mine {
    const { total } = this.mine;
    const parts = [...this.#held].flatMap(([part, { id }]) => (this.#crashed.has(id) ? part : []));
    return { parts, total };
  }

  /** What may have ended the process was gone through, in all parts that have crashed. */
  async declareSafe({ parts }: Mine): Promise<void> {
    const held = parts.flatMap((part) => this.#held.get(part) ?? []);
    await declareSafe(this.#db, held);
    for (const { id } of held) this.#crashed.delete(id);
  }

  get isStatic(): boolean {
    return this.#options.partition !== null;
  }

  /** Keeps what it has, takes its share, releases what is too much and what is for newer code. */
  async tend(): Promise<{ readonly released: number }> {
    await this.#renew();
    if (this.#held.size === 0) this.#layout = null; // who holds nothing learns of a change only by looking
    const layout = await this.#openLayout();
    const assignment = await this.#assignment(layout);
    const held = assignment.inOrder([...this.#held].map(([part, lease]) => ({ part, lease })));
    const kept = held.filter(({ part }) => assignment.mayHold(part)).slice(0, assignment.share);
    const surplus = held.filter((one) => !kept.includes(one)).map(({ lease }) => lease);
    if (surplus.length > 0) await this.#release(surplus);
    if (assignment.isMixed) await this.#takeChosen(assignment);
    else await this.#take(layout, assignment.share - this.#held.size);
    return { released: surplus.length };
  }

  /** In the transaction that writes what was made of the events. Throws if one of them is lost: then nothing may be written. */
  async move(tx: Tx, to: ReadonlyMap<number, Offset>): Promise<Held[]> {
    const moves = [...to].map(([part, offset]) => ({
      held: this.#held.get(part)!,
      cursor: offsetKey(offset),
    }));
    const moved = await moveCursors(tx, moves, this.#options.ttlMs);
    if (moved.length !== moves.length) throw new PartLost();
    return moved;
  }

  /** After that transaction has committed. */
  moved(held: readonly Held[]): void {
    for (const one of held) this.#held.set(this.#partOf.get(one.id)!, one);
  }

  /** When it is not certain where they stand: a commit whose answer was lost, or somebody who took over. */
  async reread(): Promise<void> {
    const still = await rereadLeases(this.#db, [...this.#held.values()]);
    this.#held.clear();
    this.moved(still);
  }

  /** `failed`: nothing could be written until the end. Then the claims count as attempts, see `releaseLeases`. */
  async letGo({ failed = false } = {}): Promise<void> {
    const all = [...this.#held.values()];
    if (all.length > 0) await this.#release(all, failed);
  }

  async #openLayout(): Promise<Layout> {
    if (this.#layout) return this.#layout;
    const { workflow, partition } = this.#options;
    const wanted: WantedLayout = partition ? { mode: 'static', total: partition.total } : { mode: 'slots' };
    const layout = await openLayout(this.#db, workflow, wanted);
    this.#partOf = new Map(layout.readers.map(({ lease, part }) => [lease, part]));
    this.#layout = layout;
    return layout;
  }

  async #assignment(layout: Layout): Promise<Assignment> {
    const { workflow, version, ttlMs, partition } = this.#options;
    const runners = await runnerVersions(this.#db, workflow, ttlMs);
    // What old code leaves alone without reading an event of it shows only here, and counts only if newer code could do it.
    if (this.#held.size > 0 && runners.some((other) => other.version > version)) {
      const needs = await needsOfDue(this.#db, { name: workflow, version }, this.mine);
      if (needs.size > 0) await raisePartNeeds(this.#db, workflow, needs);
    }
    const needs = await readPartNeeds(this.#db, workflow, layout.total);
    return new Assignment({ version, partition: partition?.index ?? null }, runners, needs, layout.total);
  }

  async #renew(): Promise<void> {
    if (this.#held.size === 0) return;
    const still = await renewLeases(this.#db, [...this.#held.values()], this.#options.ttlMs);
    for (const [part, { id }] of this.#held) {
      if (still.has(id)) continue;
      this.#held.delete(part);
      this.#layout = null; // perhaps it was changed: the next look tells
    }
  }

  async #take(layout: Layout, most: number): Promise<void> {
    if (most <= 0) return;
    const { holder, ttlMs, partition } = this.#options;
    const wanted = { kind: KIND_OF.slots, work: layout.work, holder, ttlMs };
    const taken = partition
      ? await claimPartition(this.#db, layout.readers[partition.index]!.lease, holder, ttlMs)
      : await claimLeases(this.#db, wanted, most);
    const held = Array.isArray(taken) ? taken : taken ? [taken] : [];
    await this.#taken(held);
  }

  async #taken(held: readonly Held[]): Promise<void> {
    if (held.length === 0) return;
    for (const { id } of held) this.#crashed.add(id); // until it is known
    this.moved(held);
    const crashed = await crashedLeases(this.#db, held);
    for (const { id } of held) if (!crashed.has(id)) this.#crashed.delete(id);
  }

  /** Certain ones, because not every part is for this runner. If others were faster, it looks again for what they left. */
  async #takeChosen(assignment: Assignment): Promise<void> {
    const { workflow, holder, ttlMs } = this.#options;
    for (let look = 0; look < MOST_LOOKS; look++) {
      const chosen = this.#choose(assignment, await readersOf(this.#db, workflow));
      if (chosen.length === 0) return;
      const taken = await claimPartitions(this.#db, chosen, holder, ttlMs);
      await this.#taken(taken);
      if (taken.length === chosen.length) return;
    }
  }

  /** Leases that are free and for this runner: first those that need the newest code, of these also beyond its share of the others. */
  #choose(assignment: Assignment, readers: readonly ReaderAtWork[]): number[] {
    const { partition } = this.#options;
    const isNewer = (part: number) => assignment.versionFor(part) > 1;
    const free = readers.filter(
      ({ holder, part, lease }) =>
        holder === null &&
        assignment.mayHold(part) &&
        (partition === null || partition.index === part) &&
        this.#partOf.get(lease) === part, // otherwise the layout has changed
    );
    let room = assignment.share - this.#held.size;
    let newerRoom = assignment.newerShare - [...this.#held.keys()].filter(isNewer).length;
    const chosen = assignment.inOrder(free).filter(({ part }) => {
      if (room <= 0 && !(isNewer(part) && newerRoom > 0)) return false;
      room -= 1;
      if (isNewer(part)) newerRoom -= 1;
      return true;
    });
    return chosen.map(({ lease }) => lease);
  }

  async #release(held: readonly Held[], failed = false): Promise<void> {
    await this.#db.tx((tx) => releaseLeases(tx, held, { failed }));
    for (const { id } of held) this.#held.delete(this.#partOf.get(id)!);
  }
}

/** Somebody else has taken over a part that we thought we held. */
export class PartLost extends SeineError {
  constructor() {
    super('conflict', 'Another runner has taken over a part of the events.', { retry: true });
  }
}
