/**
 * The state of one running shard: which objects were started, which have ended, how far the cursor may
 * move, and when.
 */

import type { Key } from '../../base/key.ts';
import { withRetry } from '../../base/retry.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Tx } from '../../db/database.ts';
import { isRejectedData } from '../../db/rejected-data.ts';
import { type HeldLease, unsealLease } from '../../engine/leases/lease.ts';
import { completeLease, releaseLease, renewLease } from '../../engine/leases/lease-store.ts';
import type { ObjectError, SourceObject } from '../../sources/source.ts';
import { type CheckpointUpdate, checkpoint } from '../checkpoint/checkpoint.ts';
import { CheckpointBatch, type ObjectEnd, wasInspected } from '../checkpoint/checkpoint-batch.ts';
import { CheckpointPacer, type Pacer } from '../checkpoint/checkpoint-pacer.ts';
import { InOrderTracker } from '../checkpoint/in-order-tracker.ts';
import { startFinalizing } from '../lifecycle/finalize-scan.ts';
import { type AppendScanEvent, withScanEvents } from '../lifecycle/scan-events.ts';
import { endSegment } from '../segments/end-segment.ts';
import type { SegmentBatch } from '../segments/segment-batch.ts';
import { DATABASE_RETRY_TIMEOUT_MS } from './database-outage.ts';
import type { ShardContext } from './shard-context.ts';

/**
 * The limit while the process is stopping: a restart of the database should not cost results, but the stop
 * must not take minutes.
 */
const GRACE_MS = 5000;
const MAX_UNWRITTEN_FINDINGS = 5000;
const RELEASE_TIMEOUT_MS = 1500;

/** Written with a checkpoint. Returns false if the lease is lost. */
type TransactionStep = (
  tx: Tx,
  held: HeldLease,
  appendEvent: AppendScanEvent,
  isolated: boolean,
) => Promise<boolean>;

export class ShardProgress {
  readonly pacer: Pacer;
  readonly #context: ShardContext;
  readonly #tracker = new InOrderTracker<SourceObject | ObjectError, ObjectEnd>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #stop: AbortSignal;
  #held: HeldLease;
  #batch: CheckpointBatch | SegmentBatch;
  #cursor: Key;
  #reserved: Key;
  #unwritten = 0; // number of findings
  #started = false;
  #closed = false;
  #stopping = false;
  #wakeOnEnd = () => {};

  /** `stop`: aborted when the process stops; database retries are short from then on. */
  constructor(held: HeldLease, context: ShardContext, stop: AbortSignal) {
    this.#stop = stop;
    this.#held = held;
    this.#context = context;
    this.#batch = context.segment?.batch ?? new CheckpointBatch(context.hash, context.names);
    this.#cursor = held.cursor;
    this.#reserved = held.cursor;
    const careful = held.claimsSinceProgress > 1;
    this.pacer = context.pacer?.(careful) ?? new CheckpointPacer(careful, context.pacerState);
    this.#heartbeat = setInterval(() => void this.#renew(), context.ttlMs / 3).unref();
  }

  get held(): HeldLease {
    return this.#held;
  }

  /**
   * The scan was paused: the shard must be released even if the scan is resumed meanwhile, because objects
   * were left out.
   */
  get stopping(): boolean {
    return this.#stopping;
  }

  covers(key: Key): boolean {
    return this.#held.upTo === null || key <= this.#held.upTo;
  }

  begin(item: SourceObject | ObjectError): number {
    if (!this.#started) this.#context.onStart?.();
    this.#started = true;
    return this.#tracker.add(item);
  }

  end(position: number, ending: ObjectEnd): void {
    if (this.#closed) return; // the shard was lost or released meanwhile
    this.#context.live.recordEnd(this.#tracker.finish(position, ending), ending);
    const findings = wasInspected(ending) ? ending.findings.length : 0;
    this.#unwritten += findings;
    this.#context.queue.addUnwritten(findings);
    this.#wakeOnEnd();
  }

  /** Whether the batch is full, or its time is up. */
  get due(): boolean {
    return this.#unwritten > MAX_UNWRITTEN_FINDINGS || this.pacer.due;
  }

  /** Reserves the range up to `key`, and writes what has ended. Returns false if the lease is lost. */
  reserve(key: Key): Promise<boolean> {
    this.#reserved = key;
    return this.checkpoint();
  }

  checkpoint(): Promise<boolean> {
    return this.#write(async () => true);
  }

  /** Waits for objects in progress, unless the stop was requested. Returns false if the lease is lost. */
  async drain(signal: AbortSignal): Promise<boolean> {
    while (this.#tracker.unfinished > 0 && !signal.aborted && !this.stopping) {
      await this.#nextEnd(250);
      if (this.due && !(await this.checkpoint())) return false;
    }
    return true;
  }

  /** Ends the shard and, with the last one, the scan. All objects must have ended. */
  async complete(): Promise<boolean> {
    const ended = await this.#write(async (tx, held, appendEvent, isolated) => {
      await this.#endSegment(tx, held, isolated);
      const remaining = await completeLease(tx, held);
      if (remaining !== null) appendEvent(held.groupId, { type: 'shardCompleted', shard: held.id });
      if (remaining === 0) await startFinalizing(this.#context.jobs, tx, held.groupId, appendEvent);
      return remaining !== null;
    });
    this.#context.jobs.wake();
    return ended;
  }

  async #endSegment(tx: Tx, held: HeldLease, isolated: boolean): Promise<void> {
    const { segment, hash, live, inventoryKey, names } = this.#context;
    if (segment && (await endSegment(tx, held, segment, hash, inventoryKey, isolated, names))) live.objects++;
  }

  /** Writes what has ended and releases the lease. Objects that take longer are left to the next holder. */
  async release(): Promise<boolean> {
    const deadline = performance.now() + RELEASE_TIMEOUT_MS;
    while (this.#tracker.unfinished > 0 && performance.now() < deadline) await this.#nextEnd(100);
    return this.#write(releaseLease);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    this.#markWritten(this.#unwritten); // results of a lost shard are discarded
  }

  #markWritten(findings: number): void {
    this.#unwritten -= findings;
    this.#context.queue.markWritten(findings);
  }

  /**
   * Writes a checkpoint and `also` in one transaction. Returns false, with nothing written, if the lease is
   * lost.
   */
  async #write(also: TransactionStep): Promise<boolean> {
    const to = this.#collectFinished();
    const held = await this.#writeInTransaction(to, also, false).catch((error) => {
      if (!isRejectedData(error)) throw error;
      return this.#writeInTransaction(to, also, true);
    });
    if (held === null) {
      this.#context.live.refused++;
      return false;
    }
    this.#held = unsealLease(held, this.#storage);
    this.#stopping ||= held.paused;
    if (this.#batch.findings === 0 && this.#unwritten > 0) this.#context.queue.forceDispatch();
    this.#markWritten(this.#batch.findings);
    this.pacer.passed(this.#batch.listed);
    this.#batch = this.#batch.next();
    return true;
  }

  /** `isolated`: a row that PostgreSQL rejects only affects its own object. */
  #writeInTransaction(
    to: CheckpointUpdate,
    also: TransactionStep,
    isolated: boolean,
  ): Promise<HeldLease | null> {
    return withRetry(
      // Each attempt writes the same data: if an earlier one was committed after all, it is recognised by
      // its sequence number.
      () =>
        withScanEvents(this.#context.db, async (tx, appendEvent) => {
          const moved = await checkpoint(tx, this.#held, to, appendEvent, isolated);
          return moved && (await also(tx, moved, appendEvent, isolated)) ? moved : null;
        }),
      { forMs: DATABASE_RETRY_TIMEOUT_MS, signal: this.#stop, graceMs: GRACE_MS },
    );
  }

  /** Collects the contiguous finished objects and the new cursor. */
  #collectFinished(): CheckpointUpdate {
    for (const { item, result } of this.#tracker.takeFinished()) {
      this.#batch.add(item, result);
      this.#cursor = item.key;
    }
    if (this.#reserved < this.#cursor) this.#reserved = this.#cursor;
    return {
      cursor: this.#storage.seal(this.#cursor),
      // A segment can't be split: its keys mean nothing to work stealers.
      reserved: this.#context.segment ? this.#held.upTo! : this.#storage.seal(this.#reserved),
      ttlMs: this.#context.ttlMs,
      tally: this.#batch,
      base: this.#context.base,
      inventoryKey: this.#context.inventoryKey,
      retrying: this.#context.retrying ?? false,
      started: this.#context.started ?? false,
      storage: this.#storage,
    };
  }

  /** Keys of a segment are positions and never sealed. */
  get #storage(): KeyCodec {
    return this.#context.segment ? PLAIN_KEYS : (this.#context.names ?? PLAIN_KEYS);
  }

  #nextEnd(maxMs: number): Promise<void> {
    this.#context.queue.flush();
    if (this.#context.queue.fault) throw this.#context.queue.fault;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      this.#wakeOnEnd = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * Renews while one object takes long. A lost lease is detected at the next checkpoint; so is an outage of
   * the database.
   */
  async #renew(): Promise<void> {
    if (this.pacer.sinceLastMs < this.#context.ttlMs / 3) return;
    await renewLease(this.#context.db, this.#held, this.#context.ttlMs).catch(() => false);
  }
}
