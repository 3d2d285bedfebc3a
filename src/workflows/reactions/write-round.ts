/**
 * Writes one round of reactions in one transaction: the partitions (fence), the progress of each workflow, failures, and effects.
 */
import { messageOf } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { sanitizeText } from '../../db/sanitize.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import type { Offset } from '../../events/offset.ts';
import type { PartitionEvent } from '../../events/read-store.ts';
import { saveAttributes } from '../attributes/attribute-store.ts';
import type { AnyWorkflow } from '../define.ts';
import type { PartitionAssignment } from '../partitions/partition-assignment.ts';
import { takeSnapshots } from '../state/snapshots.ts';
import { formatReport, UserCodeError, userCodeError } from '../user-code/code-error.ts';
import {
  clearDeferred,
  type Deferred,
  deferReactions,
  raisePartitionVersions,
} from '../versions/deferred-store.ts';
import { NewerVersionRequired } from '../versions/newer-version.ts';
import type { AssignedTask } from './fetch-events.ts';
import type { ReactionResult } from './react.ts';
import {
  advanceReactions,
  type ReactionFailure,
  recordReactionFailures,
  settleReactions,
} from './reaction-store.ts';
import { type WrittenEffects, writeEffects } from './write-effects.ts';

/** It failed too often. */
interface ParkedWorkflow {
  readonly id: string;
  readonly error: string;
}

interface WrittenRound {
  readonly written: WrittenEffects;
  readonly parked: readonly ParkedWorkflow[];
  /** Partitions that need newer code than this runner has. */
  readonly needNewer: number;
}

/** A reaction found to need newer code only when its events were folded is retried until a runner with that code holds the partition. */
const NEWER_RETRY_MS = 5000;

export class RoundWriter {
  readonly #db: Database;
  readonly #workflow: AnyWorkflow;
  readonly #partitions: PartitionAssignment;
  readonly #parkAfter: number;

  constructor(db: Database, workflow: AnyWorkflow, partitions: PartitionAssignment, parkAfter: number) {
    this.#db = db;
    this.#workflow = workflow;
    this.#partitions = partitions;
    this.#parkAfter = parkAfter;
  }

  /** Atomic: all or nothing. */
  async write(
    found: readonly PartitionEvent[],
    reacted: readonly ReactionResult<AssignedTask>[],
    deferred: readonly Deferred[],
  ): Promise<WrittenRound> {
    const offsets = this.#offsetsOf(found, reacted);
    if (offsets.size === 0 && reacted.length === 0) return { written: NO_EFFECTS, parked: [], needNewer: 0 };
    const failures = reacted.flatMap((one) => this.#failureOf(one) ?? []);
    const { held, written, needNewer } = await this.#db.tx(async (tx) => ({
      ...(await this.#writeIn(tx, offsets, reacted, failures)),
      needNewer: await this.#deferToNewer(tx, deferred),
    }));
    this.#partitions.moved(held);
    const passed = reacted.map(({ task, folded }) => ({ key: task.key, from: task.from.version, folded }));
    await takeSnapshots(this.#db, this.#workflow, passed);
    return { written, parked: failures.filter(({ delayMs }) => delayMs === null), needNewer };
  }

  /**
   * The last event read, per partition; a partition with only retried workflows keeps its offset. The lease must still be held: a runner that took
   * over skips the retried workflows and relies on this one.
   */
  #offsetsOf(
    found: readonly PartitionEvent[],
    reacted: readonly ReactionResult<AssignedTask>[],
  ): Map<number, Offset> {
    const parts = new Set(reacted.map(({ task }) => task.part));
    const stay = this.#partitions.partitionOffsets.filter(({ part }) => parts.has(part));
    return new Map([...stay, ...found].map(({ part, offset }) => [part, offset]));
  }

  /** Partitions first, as the fence. Reactions last: `resume` and `retry` lock them after workflows and messages, too. */
  async #writeIn(
    tx: Tx,
    offsets: ReadonlyMap<number, Offset>,
    reacted: readonly ReactionResult<AssignedTask>[],
    failures: readonly ReactionFailure[],
  ): Promise<{ held: HeldLease[]; written: WrittenEffects }> {
    const held = await this.#partitions.move(tx, offsets);
    const moved = reacted
      .filter(({ reactedEvents }) => reactedEvents.length > 0)
      .map(({ task, folded }) => ({
        key: task.key,
        was: task.from.version,
        version: folded.version,
        more: task.more,
      }));
    const written = await writeEffects(tx, this.#workflow, reacted);
    if (moved.length > 0) await advanceReactions(tx, moved);
    if (failures.length > 0) await recordReactionFailures(tx, failures);
    const idle = reacted.flatMap(({ task: { key, from, events } }) =>
      events.length === 0 ? { key, reacted: from.version } : [],
    );
    if (idle.length > 0) await settleReactions(tx, idle);
    const left = reacted.flatMap(({ task }) => (task.deferred ? task.key : []));
    if (left.length > 0) await clearDeferred(tx, left);
    const shown = reacted.flatMap(({ task: { key }, folded: { version }, attributes }) =>
      attributes === null ? [] : { key, version, attributes },
    );
    if (shown.length > 0) await saveAttributes(tx, shown); // last: an append locks them after its workflow, too
    return { held, written };
  }

  /** With the offset that passes their events, or they would be lost. */
  async #deferToNewer(tx: Tx, deferred: readonly Deferred[]): Promise<number> {
    if (deferred.length === 0) return 0;
    await deferReactions(tx, deferred);
    const needs = new Map<number, number>();
    for (const { part, needsVersion } of deferred)
      needs.set(part, Math.max(needsVersion, needs.get(part) ?? 1));
    return raisePartitionVersions(tx, this.#workflow.name, needs);
  }

  #failureOf({
    task,
    folded,
    reactedEvents,
    failure,
  }: ReactionResult): (ReactionFailure & ParkedWorkflow) | null {
    if (failure === null) return null;
    if (failure.error instanceof NewerVersionRequired) {
      const error = sanitizeText(messageOf(failure.error));
      return {
        id: task.id,
        key: task.key,
        version: folded.version,
        attempts: 0,
        error,
        delayMs: NEWER_RETRY_MS,
      };
    }
    const attempts = reactedEvents.length > 0 ? 1 : task.attempts + 1;
    const isParked = attempts >= this.#parkAfter;
    const parked = isParked ? { workflow: this.#workflow.name, id: task.id } : null;
    const error = sanitizeText(formatReport(this.#named(task.id, failure), parked));
    const delayMs = isParked ? null : 50 + backoff(attempts, { firstMs: 100, maxMs: 60_000 });
    return { id: task.id, key: task.key, version: folded.version, attempts, error, delayMs };
  }

  /** An error of user code names the workflow and event it concerns; any other error concerns the event that was reacted to. */
  #named(id: string, { error, event }: NonNullable<ReactionResult['failure']>): unknown {
    if (error instanceof UserCodeError) return error;
    const subject = `event ${event.version} (${event.type})`;
    return userCodeError({ callback: 'react', workflow: this.#workflow.name, id, subject }, error);
  }
}

const NO_EFFECTS: WrittenEffects = { actions: 0, ended: 0, messagedWorkflows: new Set() };
