/** The moving state of one running shard: what has begun, what has ended, how far the cursor may follow, and when. */

import type { Key } from '../../base/key.ts';
import { withRetry } from '../../base/retry.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Database, Tx } from '../../db/database.ts';
import { isRejectedData } from '../../db/rejected-data.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import { type HeldLease, unsealLease } from '../../engine/leases/lease.ts';
import { completeLease, releaseLease, renewLease } from '../../engine/leases/lease-store.ts';
import type { ObjectError, Source, SourceObject } from '../../sources/source.ts';
import { type CheckpointUpdate, checkpoint } from '../checkpoint/checkpoint.ts';
import { CheckpointBatch, type ObjectEnd, wasInspected } from '../checkpoint/checkpoint-batch.ts';
import { CheckpointPacer, type Pacer, type PacerState } from '../checkpoint/checkpoint-pacer.ts';
import { InOrderTracker } from '../checkpoint/in-order-tracker.ts';
import type { InspectionQueue } from '../detect/scan-queue.ts';
import type { InventoryHash } from '../inventory/inventory.ts';
import { startFinalizing } from '../lifecycle/finalize-scan.ts';
import { type AppendScanEvent, withScanEvents } from '../lifecycle/scan-events.ts';
import type { Names } from '../names/name-masker.ts';
import { endSegment } from '../segments/end-segment.ts';
import type { OpenSegment } from '../segments/open-segment.ts';
import type { SegmentBatch } from '../segments/segment-batch.ts';
import type { SuppressionChange } from '../suppressions/stale-rows.ts';
import type { LiveCounters } from './live-counters.ts';

export interface ShardDeps {
  readonly db: Database;
  readonly source: Source;
  readonly queue: InspectionQueue;
  readonly hash: InventoryHash;
  readonly base: number | null;
  /** Of the scan's rules, by the versions of this process: see inventoryKey in start.ts. */
  readonly inventoryKey: string;
  /** Of the suppressions, since the base. */
  readonly change?: SuppressionChange | null;
  readonly ttlMs: number;
  readonly live: LiveCounters;
  readonly jobs: Jobs;
  /** Objects that are looked at once more: what is written about them replaces what there was. */
  readonly retrying?: boolean;
  /** Called with its first object, if it has any. */
  readonly onStart?: () => void;
  /** Of earlier shards of the scan. */
  readonly pacerState?: PacerState;
  /** How much is taken between two checkpoints, if not as much as time allows. */
  readonly pacer?: (careful: boolean) => Pacer;
  /** From this size on an object is read by parts, if not from the usual one. */
  readonly minSegmentedBytes?: number | undefined;
  /** Somebody has told that the scan has begun. */
  readonly started?: boolean;
  /** The shard is a part of a huge object. */
  readonly segment?: OpenSegment;
  /** How names are stored. */
  readonly names?: Names;
}

/** A failover may take minutes and is waited for; the lease may be lost meanwhile, which the next checkpoint tells. */
export const DATABASE_RETRY_TIMEOUT_MS = 600_000;
/** Once the process is to end: a restart of the database must not cost what was found, and nobody waits for minutes. */
const GRACE_MS = 5000;
const MAX_UNWRITTEN_FINDINGS = 5000;
const RELEASE_TIMEOUT_MS = 1500;

/** What is written with a checkpoint. False: the lease is lost. */
type TransactionStep = (
  tx: Tx,
  held: HeldLease,
  appendEvent: AppendScanEvent,
  isolated: boolean,
) => Promise<boolean>;

export class ShardProgress {
  readonly pacer: Pacer;
  readonly #deps: ShardDeps;
  readonly #tracker = new InOrderTracker<SourceObject | ObjectError, ObjectEnd>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #stop: AbortSignal;
  #held: HeldLease;
  #batch: CheckpointBatch | SegmentBatch;
  #cursor: Key;
  #reserved: Key;
  #unwritten = 0; // findings
  #started = false;
  #closed = false;
  #stopping = false;
  #wakeOnEnd = () => {};

  /** `stop`: the process is to end, and waits for the database no longer than a moment. */
  constructor(held: HeldLease, tools: ShardDeps, stop: AbortSignal) {
    this.#stop = stop;
    this.#held = held;
    this.#deps = tools;
    this.#batch = tools.segment?.batch ?? new CheckpointBatch(tools.hash, tools.names);
    this.#cursor = held.cursor;
    this.#reserved = held.cursor;
    const careful = held.claimsSinceProgress > 1;
    this.pacer = tools.pacer?.(careful) ?? new CheckpointPacer(careful, tools.pacerState);
    this.#heartbeat = setInterval(() => void this.#renew(), tools.ttlMs / 3).unref();
  }

  get held(): HeldLease {
    return this.#held;
  }

  /** The scan was paused since: give the shard back, even if it goes on meanwhile, for objects were left out. */
  get stopping(): boolean {
    return this.#stopping;
  }

  covers(key: Key): boolean {
    return this.#held.upTo === null || key <= this.#held.upTo;
  }

  begin(item: SourceObject | ObjectError): number {
    if (!this.#started) this.#deps.onStart?.();
    this.#started = true;
    return this.#tracker.add(item);
  }

  end(place: number, ending: ObjectEnd): void {
    if (this.#closed) return; // the shard was lost or given back meanwhile
    this.#deps.live.recordEnd(this.#tracker.finish(place, ending), ending);
    const findings = wasInspected(ending) ? ending.findings.length : 0;
    this.#unwritten += findings;
    this.#deps.queue.addUnwritten(findings);
    this.#wakeOnEnd();
  }

  /** Whether enough has come together, or enough time has passed. */
  get due(): boolean {
    return this.#unwritten > MAX_UNWRITTEN_FINDINGS || this.pacer.due;
  }

  /** Announces that everything up to `key` may be begun, and writes what has ended. False: the lease is lost. */
  reserve(key: Key): Promise<boolean> {
    this.#reserved = key;
    return this.checkpoint();
  }

  checkpoint(): Promise<boolean> {
    return this.#write(async () => true);
  }

  /** Waits for what is under way, but not once it was asked to stop. False: the lease is lost. */
  async drain(signal: AbortSignal): Promise<boolean> {
    while (this.#tracker.unfinished > 0 && !signal.aborted && !this.stopping) {
      await this.#nextEnd(250);
      if (this.due && !(await this.checkpoint())) return false;
    }
    return true;
  }

  /** Ends the shard and, with the last one, the scan. Everything must be settled. */
  async complete(): Promise<boolean> {
    const ended = await this.#write(async (tx, held, appendEvent, isolated) => {
      await this.#endSegment(tx, held, isolated);
      const remaining = await completeLease(tx, held);
      if (remaining !== null) appendEvent(held.work, { type: 'shardCompleted', shard: held.id });
      if (remaining === 0) await startFinalizing(this.#deps.jobs, tx, held.work, appendEvent);
      return remaining !== null;
    });
    this.#deps.jobs.wake();
    return ended;
  }

  async #endSegment(tx: Tx, held: HeldLease, isolated: boolean): Promise<void> {
    const { segment, hash, live, inventoryKey, names } = this.#deps;
    if (segment && (await endSegment(tx, held, segment, hash, inventoryKey, isolated, names))) live.objects++;
  }

  /** Writes what has ended and gives the lease back. What takes longer than a moment is left for the next holder. */
  async release(): Promise<boolean> {
    const patience = performance.now() + RELEASE_TIMEOUT_MS;
    while (this.#tracker.unfinished > 0 && performance.now() < patience) await this.#nextEnd(100);
    return this.#write(releaseLease);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    this.#markWritten(this.#unwritten); // of a lost shard nothing will be written
  }

  #markWritten(findings: number): void {
    this.#unwritten -= findings;
    this.#deps.queue.markWritten(findings);
  }

  /** A checkpoint and what belongs to it in one transaction. False: the lease is lost, and nothing was written. */
  async #write(also: TransactionStep): Promise<boolean> {
    const to = this.#collectFinished();
    const held = await this.#writeInTransaction(to, also, false).catch((error) => {
      if (!isRejectedData(error)) throw error;
      return this.#writeInTransaction(to, also, true);
    });
    if (held === null) {
      this.#deps.live.refused++;
      return false;
    }
    this.#held = unsealLease(held, this.#storage);
    this.#stopping ||= held.paused;
    if (this.#batch.findings === 0 && this.#unwritten > 0) this.#deps.queue.forceDispatch();
    this.#markWritten(this.#batch.findings);
    this.pacer.passed(this.#batch.listed);
    this.#batch = this.#batch.next();
    return true;
  }

  /** `isolated`: so that a row which PostgreSQL refuses costs its own object and no other. */
  #writeInTransaction(
    to: CheckpointUpdate,
    also: TransactionStep,
    isolated: boolean,
  ): Promise<HeldLease | null> {
    return withRetry(
      // Every try writes the very same: if an earlier one was committed after all, it is recognised by its step.
      () =>
        withScanEvents(this.#deps.db, async (tx, appendEvent) => {
          const moved = await checkpoint(tx, this.#held, to, appendEvent, isolated);
          return moved && (await also(tx, moved, appendEvent, isolated)) ? moved : null;
        }),
      { forMs: DATABASE_RETRY_TIMEOUT_MS, signal: this.#stop, graceMs: GRACE_MS },
    );
  }

  /** Moves the cursor behind what has ended without holes. */
  #collectFinished(): CheckpointUpdate {
    for (const { item, result } of this.#tracker.takeFinished()) {
      this.#batch.add(item, result);
      this.#cursor = item.key;
    }
    if (this.#reserved < this.#cursor) this.#reserved = this.#cursor;
    return {
      cursor: this.#storage.seal(this.#cursor),
      // Of a part nothing is taken away: its keys mean nothing to whoever looks for a place to split.
      reserved: this.#deps.segment ? this.#held.upTo! : this.#storage.seal(this.#reserved),
      ttlMs: this.#deps.ttlMs,
      tally: this.#batch,
      base: this.#deps.base,
      inventoryKey: this.#deps.inventoryKey,
      retrying: this.#deps.retrying ?? false,
      started: this.#deps.started ?? false,
      storage: this.#storage,
    };
  }

  /** The keys of a part are positions. */
  get #storage(): KeyCodec {
    return this.#deps.segment ? PLAIN_KEYS : (this.#deps.names ?? PLAIN_KEYS);
  }

  #nextEnd(maxMs: number): Promise<void> {
    this.#deps.queue.flush();
    if (this.#deps.queue.fault) throw this.#deps.queue.fault;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      this.#wakeOnEnd = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** While one object takes long. A lost lease shows at the next checkpoint; a database that is away, too. */
  async #renew(): Promise<void> {
    if (this.pacer.sinceLastMs < this.#deps.ttlMs / 3) return;
    await renewLease(this.#deps.db, this.#held, this.#deps.ttlMs).catch(() => false);
  }
}
