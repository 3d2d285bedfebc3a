/**
 * Which partitions of a workflow type this runner holds: its share of the slots, or its one static partition. There is no coordinator: each runner
 * counts the live runners, keeps at most its share, releases the excess and claims free slots. A new runner gets slots when the others next sync; the
 * slots of a crashed runner are free when its leases expire. Partitions that need newer code go to runners that have it (assignment-plan.ts).
 */
import { SeineError } from '../../base/errors.ts';
import type { Database, Tx } from '../../db/database.ts';
import { claimLeaseById, claimLeases, claimLeasesById } from '../../engine/leases/claim-store.ts';
import {
  checkpointLeases,
  crashedLeases,
  declareSafe,
  releaseLeases,
  renewLeases,
  rereadLeases,
} from '../../engine/leases/cursor-store.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { runnerVersions } from '../../engine/workers/worker-store.ts';
import { type Offset, offsetFromKey, offsetKey } from '../../events/offset.ts';
import type { PartitionOffset } from '../../events/read-store.ts';
import type { AssignedPartitions } from '../messages/message-store.ts';
import {
  dueRequiredVersions,
  raisePartitionVersions,
  readPartitionVersions,
} from '../versions/deferred-store.ts';
import { AssignmentPlan } from './assignment-plan.ts';
import type { Partition } from './partition.ts';
import { LEASE_GROUP_TYPE, openPartitioning, type PartitioningRequest } from './partitioning.ts';
import { type ActiveReader, type Partitioning, readersOf } from './partitioning-store.ts';

export interface PartitionAssignmentOptions {
  readonly workflow: string;
  /** Version of the workflow's code in this process. */
  readonly version: number;
  readonly holder: string;
  readonly ttlMs: number;
  /** Null: slots. */
  readonly partition: Partition | null;
}

/** Retries for partitions that other runners claim at the same time. */
const MAX_ASSIGN_ATTEMPTS = 3;

export class PartitionAssignment {
  readonly #db: Database;
  readonly #options: PartitionAssignmentOptions;
  readonly #held = new Map<number, HeldLease>();
  /** Leases whose previous holder crashed. */
  readonly #crashed = new Set<number>();
  #partitioning: Partitioning | null = null;
  #partOf = new Map<number, number>();

  constructor(db: Database, options: PartitionAssignmentOptions) {
    this.#db = db;
    this.#options = options;
  }

  get partitionOffsets(): (PartitionOffset & { readonly claimsSinceProgress: number })[] {
    return [...this.#held].map(([part, { cursor, claimsSinceProgress }]) => ({
      part,
      offset: offsetFromKey(cursor),
      claimsSinceProgress,
    }));
  }

  /** As SQL conditions: remainders of the id's hash. */
  get assigned(): AssignedPartitions {
    return { parts: [...this.#held.keys()], total: this.#partitioning?.total ?? 1 };
  }

  /** Partitions whose previous holder crashed: its work on them may be the cause. */
  get crashed(): AssignedPartitions {
    const { total } = this.assigned;
    const parts = [...this.#held].flatMap(([part, { id }]) => (this.#crashed.has(id) ? part : []));
    return { parts, total };
  }

  /** All crashed partitions were checked for the cause of the crash. */
  async declareSafe({ parts }: AssignedPartitions): Promise<void> {
    const held = parts.flatMap((part) => this.#held.get(part) ?? []);
    await declareSafe(this.#db, held);
    for (const { id } of held) this.#crashed.delete(id);
  }

  get isStatic(): boolean {
    return this.#options.partition !== null;
  }

  /** Renews held leases, claims its share, and releases the excess and partitions that need newer code. */
  async sync(): Promise<{ readonly released: number }> {
    await this.#renew();
    if (this.#held.size === 0) this.#partitioning = null; // a runner without leases must query to learn of a change
    const layout = await this.#openPartitioning();
    const assignment = await this.#planAssignment(layout);
    const held = assignment.inOrder([...this.#held].map(([part, lease]) => ({ part, lease })));
    const kept = held.filter(({ part }) => assignment.mayHold(part)).slice(0, assignment.share);
    const surplus = held.filter((one) => !kept.includes(one)).map(({ lease }) => lease);
    if (surplus.length > 0) await this.#release(surplus);
    if (assignment.isMixed) await this.#takeChosen(assignment);
    else await this.#take(layout, assignment.share - this.#held.size);
    return { released: surplus.length };
  }

  /** In the transaction that writes the reactions. Throws if a lease is lost: then nothing may be written. */
  async move(tx: Tx, to: ReadonlyMap<number, Offset>): Promise<HeldLease[]> {
    const moves = [...to].map(([part, offset]) => ({
      held: this.#held.get(part)!,
      cursor: offsetKey(offset),
    }));
    const moved = await checkpointLeases(tx, moves, this.#options.ttlMs);
    if (moved.length !== moves.length) throw new PartitionLost();
    return moved;
  }

  /** After that transaction has committed. */
  moved(held: readonly HeldLease[]): void {
    for (const one of held) this.#held.set(this.#partOf.get(one.id)!, one);
  }

  /** Discards cached offsets when they are uncertain: the answer to a commit was lost, or another runner took over. */
  async reread(): Promise<void> {
    const still = await rereadLeases(this.#db, [...this.#held.values()]);
    this.#held.clear();
    this.moved(still);
  }

  /** `failed`: nothing could be written until the end, so the claims count as attempts, see `releaseLeases`. */
  async releaseAll({ failed = false } = {}): Promise<void> {
    const all = [...this.#held.values()];
    if (all.length > 0) await this.#release(all, failed);
  }

  async #openPartitioning(): Promise<Partitioning> {
    if (this.#partitioning) return this.#partitioning;
    const { workflow, partition } = this.#options;
    const wanted: PartitioningRequest = partition
      ? { mode: 'static', total: partition.total }
      : { mode: 'slots' };
    const layout = await openPartitioning(this.#db, workflow, wanted);
    this.#partOf = new Map(layout.readers.map(({ lease, part }) => [lease, part]));
    this.#partitioning = layout;
    return layout;
  }

  async #planAssignment(layout: Partitioning): Promise<AssignmentPlan> {
    const { workflow, version, ttlMs, partition } = this.#options;
    const runners = await runnerVersions(this.#db, workflow, ttlMs);
    // Checks messages and actions too: old code skips those without reading an event. Only if a live runner has newer code.
    if (this.#held.size > 0 && runners.some((other) => other.version > version)) {
      const needs = await dueRequiredVersions(this.#db, { name: workflow, version }, this.assigned);
      if (needs.size > 0) await raisePartitionVersions(this.#db, workflow, needs);
    }
    const needs = await readPartitionVersions(this.#db, workflow, layout.total);
    return new AssignmentPlan({ version, partition: partition?.index ?? null }, runners, needs, layout.total);
  }

  async #renew(): Promise<void> {
    if (this.#held.size === 0) return;
    const still = await renewLeases(this.#db, [...this.#held.values()], this.#options.ttlMs);
    for (const [part, { id }] of this.#held) {
      if (still.has(id)) continue;
      this.#held.delete(part);
      this.#partitioning = null; // the partitioning may have changed; re-read by the next sync
    }
  }

  async #take(layout: Partitioning, max: number): Promise<void> {
    if (max <= 0) return;
    const { holder, ttlMs, partition } = this.#options;
    const wanted = { kind: LEASE_GROUP_TYPE.slots, groupId: layout.groupId, holder, ttlMs };
    const taken = partition
      ? await claimLeaseById(this.#db, layout.readers[partition.index]!.lease, holder, ttlMs)
      : await claimLeases(this.#db, wanted, max);
    const held = Array.isArray(taken) ? taken : taken ? [taken] : [];
    await this.#taken(held);
  }

  async #taken(held: readonly HeldLease[]): Promise<void> {
    if (held.length === 0) return;
    for (const { id } of held) this.#crashed.add(id); // until the cause is known
    this.moved(held);
    const crashed = await crashedLeases(this.#db, held);
    for (const { id } of held) if (!crashed.has(id)) this.#crashed.delete(id);
  }

  /** Claims specific partitions, because some are not for this runner. Retries if other runners claimed them first. */
  async #takeChosen(assignment: AssignmentPlan): Promise<void> {
    const { workflow, holder, ttlMs } = this.#options;
    for (let attempt = 0; attempt < MAX_ASSIGN_ATTEMPTS; attempt++) {
      const chosen = this.#choose(assignment, await readersOf(this.#db, workflow));
      if (chosen.length === 0) return;
      const taken = await claimLeasesById(this.#db, chosen, holder, ttlMs);
      await this.#taken(taken);
      if (taken.length === chosen.length) return;
    }
  }

  /** Free leases that this runner may hold: first those that need the newest code, even beyond its share of the others. */
  #choose(assignment: AssignmentPlan, readers: readonly ActiveReader[]): number[] {
    const { partition } = this.#options;
    const isNewer = (part: number) => assignment.versionFor(part) > 1;
    const free = readers.filter(
      ({ holder, part, lease }) =>
        holder === null &&
        assignment.mayHold(part) &&
        (partition === null || partition.index === part) &&
        this.#partOf.get(lease) === part, // otherwise the partitioning has changed
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

  async #release(held: readonly HeldLease[], failed = false): Promise<void> {
    await this.#db.tx((tx) => releaseLeases(tx, held, { failed }));
    for (const { id } of held) this.#held.delete(this.#partOf.get(id)!);
  }
}

/** Another runner has taken over a partition that this one assumed it held. */
export class PartitionLost extends SeineError {
  constructor() {
    super('conflict', 'Another runner has taken over a partition.', { retry: true });
  }
}
