/**
 * Which parts of a workflow's events this runner holds: its share of the slots, or its one partition. Runners don't talk to each other: each
 * counts who is there, keeps no more than its share, gives back what is above it and takes what is free. So a runner that joins is given
 * slots by the others at their next look, and only as many as its share; what a dead one held is free when its leases expire. Parts that
 * need newer code go to runners that have it (assignment.ts).
 */
import { SeineError } from '../../base/errors.ts';
import type { Database, Tx } from '../../db/database.ts';
import { claimLeases, claimPartition } from '../../engine/leases/claim-store.ts';
import { moveCursors, releaseLeases, renewLeases, rereadLeases } from '../../engine/leases/cursor-store.ts';
import type { Held } from '../../engine/leases/lease.ts';
import { runnerVersions } from '../../engine/workers/worker-store.ts';
import { type Offset, offsetFromKey, offsetKey } from '../../events/offset.ts';
import type { Place } from '../../events/read-store.ts';
import type { Mine } from '../messages/message-store.ts';
import { KIND_OF, openLayout, type WantedLayout } from '../partitions/layout.ts';
import { type Layout, readersOf } from '../partitions/layout-store.ts';
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

export class Holdings {
  readonly #db: Database;
  readonly #options: HoldingOptions;
  readonly #held = new Map<number, Held>();
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

  get isStatic(): boolean {
    return this.#options.partition !== null;
  }

  /** Keeps what it has, takes its share, gives back what is too much and what is for newer code. */
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
    this.moved(held);
  }

  /** One by one, because not every part is for this runner: those that need the newest code first, also beyond its share of the others. */
  async #takeChosen(assignment: Assignment): Promise<void> {
    const { workflow, holder, ttlMs, partition } = this.#options;
    const isNewer = (part: number) => assignment.versionFor(part) > 1;
    const free = (await readersOf(this.#db, workflow)).filter(
      (reader) =>
        reader.holder === null &&
        assignment.mayHold(reader.part) &&
        (partition === null || partition.index === reader.part),
    );
    let newer = [...this.#held.keys()].filter(isNewer).length;
    for (const { part, lease } of assignment.inOrder(free)) {
      const hasRoom = this.#held.size < assignment.share || (isNewer(part) && newer < assignment.newerShare);
      if (!hasRoom || this.#partOf.get(lease) !== part) continue;
      const held = await claimPartition(this.#db, lease, holder, ttlMs);
      if (!held) continue;
      this.moved([held]);
      if (isNewer(part)) newer += 1;
    }
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
