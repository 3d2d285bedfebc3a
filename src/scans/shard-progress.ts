/** The moving state of one running shard: what has begun, what has ended, how far the cursor may follow, and when. */

import type { Key } from '../base/key.ts';
import { retrying } from '../base/retry.ts';
import { type KeyStorage, PLAIN_KEYS } from '../base/sealed-key.ts';
import type { Database, Tx } from '../db/database.ts';
import { isRefusedData } from '../db/refused-data.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { type Held, openHeld } from '../engine/leases/lease.ts';
import { completeLease, releaseLease, renewLease } from '../engine/leases/lease-store.ts';
import type { ObjectError, Source, SourceObject } from '../sources/source.ts';
import { type CheckpointTo, checkpoint } from './checkpoint.ts';
import type { ObjectInspectors } from './detect/lane.ts';
import { lastShardEnded } from './finalize.ts';
import type { InventoryHash } from './inventory.ts';
import type { LiveCounters } from './live-counters.ts';
import type { Names } from './names/name-masker.ts';
import { type AnyPace, type Experience, Pace } from './pace.ts';
import { endPart } from './parts/end-part.ts';
import type { OpenPart } from './parts/open-part.ts';
import type { PartTally } from './parts/part-tally.ts';
import { Prefix } from './prefix.ts';
import { type Tell, telling } from './scan-events.ts';
import type { SuppressionChange } from './suppressions/stale-rows.ts';
import { type Ending, StretchTally, wasInspected } from './tally.ts';

export interface ShardTools {
  readonly db: Database;
  readonly source: Source;
  readonly pool: ObjectInspectors;
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
  readonly onBegin?: () => void;
  /** Of earlier shards of the scan. */
  readonly experience?: Experience;
  /** How much is taken between two checkpoints, if not as much as time allows. */
  readonly pace?: (careful: boolean) => AnyPace;
  /** From this size on an object is read by parts, if not from the usual one. */
  readonly splitFrom?: number | undefined;
  /** Somebody has told that the scan has begun. */
  readonly started?: boolean;
  /** The shard is a part of a huge object. */
  readonly part?: OpenPart;
  /** How names are stored. */
  readonly names?: Names;
}

/** A failover may take minutes and is waited for; the lease may be lost meanwhile, which the next checkpoint tells. */
export const DATABASE_PATIENCE_MS = 600_000;
/** Once the process is to end: a restart of the database must not cost what was found, and nobody waits for minutes. */
const GRACE_MS = 5000;
const MANY_FINDINGS = 5000;
const RELEASE_PATIENCE_MS = 1500;

/** What is written with a checkpoint. False: the lease is lost. */
type Also = (tx: Tx, held: Held, tell: Tell, isolated: boolean) => Promise<boolean>;

export class ShardProgress {
  readonly pace: AnyPace;
  readonly #tools: ShardTools;
  readonly #prefix = new Prefix<SourceObject | ObjectError, Ending>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #stop: AbortSignal;
  #held: Held;
  #tally: StretchTally | PartTally;
  #cursor: Key;
  #reserved: Key;
  #unwritten = 0; // findings
  #begun = false;
  #closed = false;
  #stopping = false;
  #somethingEnded = () => {};

  /** `stop`: the process is to end, and waits for the database no longer than a moment. */
  constructor(held: Held, tools: ShardTools, stop: AbortSignal) {
    this.#stop = stop;
    this.#held = held;
    this.#tools = tools;
    this.#tally = tools.part?.tally ?? new StretchTally(tools.hash, tools.names);
    this.#cursor = held.cursor;
    this.#reserved = held.cursor;
    const careful = held.attempts > 1;
    this.pace = tools.pace?.(careful) ?? new Pace(careful, tools.experience);
    this.#heartbeat = setInterval(() => void this.#renew(), tools.ttlMs / 3).unref();
  }

  get held(): Held {
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
    if (!this.#begun) this.#tools.onBegin?.();
    this.#begun = true;
    return this.#prefix.add(item);
  }

  end(place: number, ending: Ending): void {
    if (this.#closed) return; // the shard was lost or given back meanwhile
    this.#tools.live.ended(this.#prefix.close(place, ending), ending);
    const findings = wasInspected(ending) ? ending.findings.length : 0;
    this.#unwritten += findings;
    this.#tools.pool.found(findings);
    this.#somethingEnded();
  }

  /** Whether enough has come together, or enough time has passed. */
  get due(): boolean {
    return this.#unwritten > MANY_FINDINGS || this.pace.due;
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
  async settled(signal: AbortSignal): Promise<boolean> {
    while (this.#prefix.unfinished > 0 && !signal.aborted && !this.stopping) {
      await this.#anEnding(250);
      if (this.due && !(await this.checkpoint())) return false;
    }
    return true;
  }

  /** Ends the shard and, with the last one, the scan. Everything must be settled. */
  async complete(): Promise<boolean> {
    const ended = await this.#write(async (tx, held, tell, isolated) => {
      await this.#endPart(tx, held, isolated);
      const remaining = await completeLease(tx, held);
      if (remaining !== null) tell(held.work, { type: 'shardCompleted', shard: held.id });
      if (remaining === 0) await lastShardEnded(this.#tools.jobs, tx, held.work, tell);
      return remaining !== null;
    });
    this.#tools.jobs.wake();
    return ended;
  }

  async #endPart(tx: Tx, held: Held, isolated: boolean): Promise<void> {
    const { part, hash, live, inventoryKey, names } = this.#tools;
    if (part && (await endPart(tx, held, part, hash, inventoryKey, isolated, names))) live.objects++;
  }

  /** Writes what has ended and gives the lease back. What takes longer than a moment is left for the next holder. */
  async release(): Promise<boolean> {
    const patience = performance.now() + RELEASE_PATIENCE_MS;
    while (this.#prefix.unfinished > 0 && performance.now() < patience) await this.#anEnding(100);
    return this.#write(releaseLease);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    this.#written(this.#unwritten); // of a lost shard nothing will be written
  }

  #written(findings: number): void {
    this.#unwritten -= findings;
    this.#tools.pool.wrote(findings);
  }

  /** A checkpoint and what belongs to it in one transaction. False: the lease is lost, and nothing was written. */
  async #write(also: Also): Promise<boolean> {
    const to = this.#gather();
    const held = await this.#transact(to, also, false).catch((error) => {
      if (!isRefusedData(error)) throw error;
      return this.#transact(to, also, true);
    });
    if (held === null) {
      this.#tools.live.refused++;
      return false;
    }
    this.#held = openHeld(held, this.#storage);
    this.#stopping ||= held.paused;
    if (this.#tally.findings === 0 && this.#unwritten > 0) this.#tools.pool.push();
    this.#written(this.#tally.findings);
    this.pace.passed(this.#tally.listed);
    this.#tally = this.#tally.next();
    return true;
  }

  /** `isolated`: so that a row which PostgreSQL refuses costs its own object and no other. */
  #transact(to: CheckpointTo, also: Also, isolated: boolean): Promise<Held | null> {
    return retrying(
      // Every try writes the very same: if an earlier one was committed after all, it is recognised by its step.
      () =>
        telling(this.#tools.db, async (tx, tell) => {
          const moved = await checkpoint(tx, this.#held, to, tell, isolated);
          return moved && (await also(tx, moved, tell, isolated)) ? moved : null;
        }),
      { forMs: DATABASE_PATIENCE_MS, signal: this.#stop, graceMs: GRACE_MS },
    );
  }

  /** Moves the cursor behind what has ended without holes. */
  #gather(): CheckpointTo {
    for (const { item, result } of this.#prefix.take()) {
      this.#tally.add(item, result);
      this.#cursor = item.key;
    }
    if (this.#reserved < this.#cursor) this.#reserved = this.#cursor;
    return {
      cursor: this.#storage.seal(this.#cursor),
      // Of a part nothing is taken away: its keys mean nothing to whoever looks for a place to split.
      reserved: this.#tools.part ? this.#held.upTo! : this.#storage.seal(this.#reserved),
      ttlMs: this.#tools.ttlMs,
      tally: this.#tally,
      base: this.#tools.base,
      inventoryKey: this.#tools.inventoryKey,
      retrying: this.#tools.retrying ?? false,
      started: this.#tools.started ?? false,
      storage: this.#storage,
    };
  }

  /** The keys of a part are positions. */
  get #storage(): KeyStorage {
    return this.#tools.part ? PLAIN_KEYS : (this.#tools.names ?? PLAIN_KEYS);
  }

  #anEnding(mostMs: number): Promise<void> {
    this.#tools.pool.flush();
    if (this.#tools.pool.fault) throw this.#tools.pool.fault;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.#somethingEnded = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** While one object takes long. A lost lease shows at the next checkpoint; a database that is away, too. */
  async #renew(): Promise<void> {
    if (this.pace.sinceLastMs < this.#tools.ttlMs / 3) return;
    await renewLease(this.#tools.db, this.#held, this.#tools.ttlMs).catch(() => false);
  }
}
