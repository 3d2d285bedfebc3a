/**
 * Stealing: whoever has nothing to do takes a part of what another holder has left. The holder is not asked and does
 * not wait; it finds its shard shorter at its next checkpoint. Where to cut is found by looking around (planning/), in a folder by
 * its own structure. What was seen is remembered, so that no place is looked at twice by one process.
 */
import type { Key } from '../base/key.ts';
import type { Database } from '../db/database.ts';
import {
  claimLook,
  endLook,
  handsOf,
  hasWaiting,
  type Splittable,
  splitLeaseAt,
  splittableLeases,
} from '../engine/leases/split-store.ts';
import { tellWorkers } from '../engine/workers/work-channel.ts';
import type { Source } from '../sources/source.ts';
import { Explorer } from './planning/explorer.ts';
import { type Known, withNewer } from './planning/known.ts';
import { look } from './planning/looking.ts';
import { splitSteps } from './planning/splitting.ts';
import { addShards } from './shard-store.ts';

/** After nothing was found to take: wait before the next look, longer each time. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;
const LOOK_MS = 10_000;
/** Fewer keys are not worth a cut. */
const LEAST = 300;
const ROUNDS = 3;
const MOST_WAYS = 32;
const MOST_KNOWNS = 2000;

export class Thief {
  readonly #db: Database;
  readonly #scan: number;
  readonly #source: Source;
  #knowns: Known[] = [];
  #failures = 0;
  #notBefore: number;

  constructor(db: Database, scan: number, source: Source, firstPauseMs = FIRST_PAUSE_MS) {
    this.#db = db;
    this.#scan = scan;
    this.#source = source;
    this.#notBefore = performance.now() + firstPauseMs;
  }

  /** Splits one shard, whose other parts then wait to be claimed. False: nothing is worth splitting now. */
  async steal(signal: AbortSignal): Promise<boolean> {
    if (performance.now() < this.#notBefore) return false;
    this.#notBefore = Number.POSITIVE_INFINITY; // one look at a time
    // Whatever goes wrong here, the shard is still its holder's: then there is just nothing to take.
    const taken = await this.#look(signal).catch(() => false);
    this.#failures = taken ? 0 : this.#failures + 1;
    this.#notBefore =
      performance.now() + (taken ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures));
    return taken;
  }

  async #look(signal: AbortSignal): Promise<boolean> {
    if (await hasWaiting(this.#db, this.#scan)) return false; // there is something to claim, for somebody
    for (const lease of this.#mostLeftFirst(await splittableLeases(this.#db, this.#scan))) {
      if (!(await claimLook(this.#db, lease.id, LOOK_MS))) continue;
      try {
        if (await this.#split(lease.id, await this.#cuts(lease, signal))) return true;
      } finally {
        await endLook(this.#db, lease.id);
      }
    }
    return false;
  }

  /** What nobody knows anything of may be the most. */
  #mostLeftFirst(leases: readonly Splittable[]): Splittable[] {
    if (!this.#source.page || leases.length < 2) return [...leases];
    const left = new Map(leases.map(({ id, free }) => [id, new Explorer(free, this.#knowns).total]));
    return leases
      .filter(({ id }) => left.get(id)! >= LEAST)
      .sort((a, b) => left.get(b.id)! - left.get(a.id)!);
  }

  async #cuts({ free }: Splittable, signal: AbortSignal): Promise<readonly Key[]> {
    if (!this.#source.page) {
      const mid = await this.#source.midpoint?.(free, signal);
      return mid ? [mid] : [];
    }
    const { idle, busy } = await handsOf(this.#db, this.#scan);
    const ways = Math.min(MOST_WAYS, Math.max(2, 1 + Math.ceil(idle / Math.max(1, busy))));
    const steps = splitSteps(free, this.#knowns, { ways, rounds: ROUNDS, least: LEAST });
    const { result, knowns } = await look(this.#source, steps, signal);
    for (const known of knowns) this.#knowns = withNewer(this.#knowns, known);
    if (this.#knowns.length > MOST_KNOWNS) this.#knowns = [...knowns];
    return result.cuts;
  }

  #split(lease: number, cuts: readonly Key[]): Promise<boolean> {
    if (cuts.length === 0) return Promise.resolve(false);
    return this.#db.tx(async (tx) => {
      const added = await splitLeaseAt(tx, lease, cuts);
      await addShards(tx, this.#scan, added);
      if (added.length > 1) await tellWorkers(tx);
      return added.length > 0;
    });
  }
}
