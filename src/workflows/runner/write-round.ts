/**
 * Writes one round of reactions in one transaction: the parts (the fence), how far each workflow was reacted to, what failed, and what the
 * reactions ask for.
 */
import { messageOf } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { storable } from '../../db/storable.ts';
import type { Held } from '../../engine/leases/lease.ts';
import type { Offset } from '../../events/offset.ts';
import type { Found } from '../../events/read-store.ts';
import { saveAttributes } from '../attributes/attribute-store.ts';
import type { AnyWorkflow } from '../define.ts';
import { takeSnapshots } from '../snapshots.ts';
import { CodeError, codeError, reportOf } from '../user-code/code-error.ts';
import {
  type Deferred,
  deferReactions,
  raisePartNeeds,
  undeferReactions,
} from '../versions/deferred-store.ts';
import { NewerVersion } from '../versions/newer-version.ts';
import type { OwnTask } from './gather.ts';
import type { Holdings } from './holdings.ts';
import type { Reacted } from './react.ts';
import { moveReactions, putOffReactions, type Setback, settleReactions } from './reaction-store.ts';
import { type Written, writeEffects } from './write-effects.ts';

/** It failed too often. */
interface ParkedWorkflow {
  readonly id: string;
  readonly error: string;
}

interface WrittenRound {
  readonly written: Written;
  readonly parked: readonly ParkedWorkflow[];
  /** Parts that were found to need newer code than this. */
  readonly needNewer: number;
}

/** A reaction that was only found to need newer code when its events were folded is tried again until that code has the part. */
const NEWER_AGAIN_MS = 5000;

export class RoundWriter {
  readonly #db: Database;
  readonly #workflow: AnyWorkflow;
  readonly #holdings: Holdings;
  readonly #parkAfter: number;

  constructor(db: Database, workflow: AnyWorkflow, holdings: Holdings, parkAfter: number) {
    this.#db = db;
    this.#workflow = workflow;
    this.#holdings = holdings;
    this.#parkAfter = parkAfter;
  }

  /** All of it or nothing. */
  async write(
    found: readonly Found[],
    reacted: readonly Reacted<OwnTask>[],
    deferred: readonly Deferred[],
  ): Promise<WrittenRound> {
    const offsets = this.#offsetsOf(found, reacted);
    if (offsets.size === 0 && reacted.length === 0) return { written: NOTHING, parked: [], needNewer: 0 };
    const setbacks = reacted.flatMap((one) => this.#setbackOf(one) ?? []);
    const { held, written, needNewer } = await this.#db.tx(async (tx) => ({
      ...(await this.#writeIn(tx, offsets, reacted, setbacks)),
      needNewer: await this.#leaveToNewer(tx, deferred),
    }));
    this.#holdings.moved(held);
    const passed = reacted.map(({ task, folded }) => ({ key: task.key, from: task.from.version, folded }));
    await takeSnapshots(this.#db, this.#workflow, passed);
    return { written, parked: setbacks.filter(({ delayMs }) => delayMs === null), needNewer };
  }

  /**
   * Of each part, the last event that was read; a part of which only a workflow comes again stays where it is. It must still be ours: whoever
   * took it over passes by what comes again, and counts on nobody else.
   */
  #offsetsOf(found: readonly Found[], reacted: readonly Reacted<OwnTask>[]): Map<number, Offset> {
    const parts = new Set(reacted.map(({ task }) => task.part));
    const stay = this.#holdings.places.filter(({ part }) => parts.has(part));
    return new Map([...stay, ...found].map(({ part, offset }) => [part, offset]));
  }

  /** The parts first: they are the fence. The reactions last: `resume` and `retry` lock them behind workflows and messages, too. */
  async #writeIn(
    tx: Tx,
    offsets: ReadonlyMap<number, Offset>,
    reacted: readonly Reacted<OwnTask>[],
    setbacks: readonly Setback[],
  ): Promise<{ held: Held[]; written: Written }> {
    const held = await this.#holdings.move(tx, offsets);
    const moved = reacted
      .filter(({ asked }) => asked.length > 0)
      .map(({ task, folded }) => ({
        key: task.key,
        was: task.from.version,
        version: folded.version,
        more: task.more,
      }));
    const written = await writeEffects(tx, this.#workflow, reacted);
    if (moved.length > 0) await moveReactions(tx, moved);
    if (setbacks.length > 0) await putOffReactions(tx, setbacks);
    const idle = reacted.flatMap(({ task: { key, from, events } }) =>
      events.length === 0 ? { key, reacted: from.version } : [],
    );
    if (idle.length > 0) await settleReactions(tx, idle);
    const left = reacted.flatMap(({ task }) => (task.deferred ? task.key : []));
    if (left.length > 0) await undeferReactions(tx, left);
    const shown = reacted.flatMap(({ task: { key }, folded: { version }, attributes }) =>
      attributes === null ? [] : { key, version, attributes },
    );
    if (shown.length > 0) await saveAttributes(tx, shown); // last: an append locks them behind its workflow, too
    return { held, written };
  }

  /** With the offset that passes their events, or they would be forgotten. */
  async #leaveToNewer(tx: Tx, deferred: readonly Deferred[]): Promise<number> {
    if (deferred.length === 0) return 0;
    await deferReactions(tx, deferred);
    const needs = new Map<number, number>();
    for (const { part, needsVersion } of deferred)
      needs.set(part, Math.max(needsVersion, needs.get(part) ?? 1));
    return raisePartNeeds(tx, this.#workflow.name, needs);
  }

  #setbackOf({ task, folded, asked, failure }: Reacted): (Setback & ParkedWorkflow) | null {
    if (failure === null) return null;
    if (failure.error instanceof NewerVersion) {
      const error = storable(messageOf(failure.error));
      return {
        id: task.id,
        key: task.key,
        version: folded.version,
        attempts: 0,
        error,
        delayMs: NEWER_AGAIN_MS,
      };
    }
    const attempts = asked.length > 0 ? 1 : task.attempts + 1;
    const isParked = attempts >= this.#parkAfter;
    const parked = isParked ? { workflow: this.#workflow.name, id: task.id } : null;
    const error = storable(reportOf(this.#named(task.id, failure), parked));
    const delayMs = isParked ? null : 50 + backoff(attempts, { firstMs: 100, mostMs: 60_000 });
    return { id: task.id, key: task.key, version: folded.version, attempts, error, delayMs };
  }

  /** An error of user code names the workflow and the event that it is about; any other is about the event that was reacted to. */
  #named(id: string, { error, event }: NonNullable<Reacted['failure']>): unknown {
    if (error instanceof CodeError) return error;
    const subject = `event ${event.version} (${event.type})`;
    return codeError({ callback: 'react', workflow: this.#workflow.name, id, subject }, error);
  }
}

const NOTHING: Written = { actions: 0, ended: 0, told: new Set() };
