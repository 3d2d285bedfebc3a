/** The snapshots of the last hour, one per minute: what alerts are compared with. */
import type { Snapshot, Surroundings } from './snapshot.ts';

const KEPT_MS = 3_600_000;
const MIN_INTERVAL_MS = 60_000;

export class SnapshotHistory<Seen extends Surroundings = Snapshot> {
  #kept: Seen[] = [];

  /** Records this snapshot, and returns the oldest that is at most an hour old; null for the first. */
  record(now: Seen): Seen | null {
    const at = Date.parse(now.at);
    this.#kept = this.#kept.filter((snapshot) => at - Date.parse(snapshot.at) <= KEPT_MS);
    const last = this.#kept.at(-1);
    const oldest = this.#kept[0] ?? null;
    if (last === undefined || at - Date.parse(last.at) >= MIN_INTERVAL_MS) this.#kept.push(now);
    return oldest;
  }
}
