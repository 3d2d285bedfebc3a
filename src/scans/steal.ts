/**
 * Stealing: whoever has nothing to do takes a part of what another holder has left. The holder is not asked and does
 * not wait; it finds its shard shorter at its next checkpoint.
 */
import type { Key } from '../base/key.ts';
import type { Database } from '../db/database.ts';
import { splitLease, splittableLeases } from '../engine/leases/split-store.ts';
import type { Source } from '../sources/source.ts';
import { addShards } from './shard-store.ts';

/** After nothing was found to take: wait before the next look, longer each time. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

export class Thief {
  readonly #db: Database;
  readonly #scan: number;
  readonly #source: Source;
  #failures = 0;
  #notBefore = performance.now() + FIRST_PAUSE_MS;

  constructor(db: Database, scan: number, source: Source) {
    this.#db = db;
    this.#scan = scan;
    this.#source = source;
  }

  /** Splits one shard, whose other part then waits to be claimed. False: nothing is worth splitting now. */
  async steal(signal: AbortSignal): Promise<boolean> {
    if (!this.#source.midpoint || performance.now() < this.#notBefore) return false;
    this.#notBefore = Number.POSITIVE_INFINITY; // one look at a time
    // Whatever goes wrong here, the shard is still its holder's: then there is just nothing to take.
    const taken = await this.#look(signal).catch(() => false);
    this.#failures = taken ? 0 : this.#failures + 1;
    this.#notBefore =
      performance.now() + (taken ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures));
    return taken;
  }

  async #look(signal: AbortSignal): Promise<boolean> {
    for (const lease of await splittableLeases(this.#db, this.#scan)) {
      const mid = await this.#source.midpoint!(lease.free, signal);
      if (mid !== null && (await this.#split(lease.id, mid))) return true;
    }
    return false;
  }

  #split(lease: number, mid: Key): Promise<boolean> {
    return this.#db.tx(async (tx) => {
      const added = await splitLease(tx, lease, mid);
      if (added !== null) await addShards(tx, this.#scan, [added]);
      return added !== null;
    });
  }
}
