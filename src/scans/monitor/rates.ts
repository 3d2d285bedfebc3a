/** Speeds from successive snapshots: of the scan, of each worker, and the remaining time from those. */
import { timeLeft } from './eta.ts';
import { waitingShare } from './read-snapshot.ts';
import type { Amount, Snapshot, WorkerStatus } from './snapshot.ts';

const SPEED_SECONDS = 10;
/** Time span of the speeds, divided into intervals: the fastest and the slowest bound the remaining time. */
const HISTORY_SECONDS = 60;
const INTERVALS = 5;
const MIN_SECONDS = 3;
/** Snapshots at shorter intervals are too inaccurate to measure speed. */
const MIN_INTERVAL_SECONDS = 0.5;

/** The recorded part of a snapshot. */
interface Point extends Amount {
  readonly at: number;
  readonly workers: ReadonlyMap<string, Pick<WorkerStatus, 'objects' | 'bytes' | 'waitedSeconds'>>;
}

export class Rates {
  #points: Point[] = [];

  /** Returns the snapshot with current speeds, as far as earlier ones allow. */
  add(snapshot: Snapshot): Snapshot {
    if (snapshot.scan.status !== 'running') {
      this.#points = [];
      return snapshot;
    }
    const now = pointOf(snapshot);
    const before = this.#remember(now);
    if (before === null) return snapshot;
    const { workers, done, estimate } = snapshot;
    return {
      ...snapshot,
      rate: { ...speed(before, now), overSeconds: now.at - before.at },
      eta: timeLeft(done, estimate, intervalRates(this.#points)) ?? snapshot.eta,
      workers: { ...workers, list: workers.list.map((worker) => withSpeed(worker, before, now)) },
    };
  }

  /** Returns the point to measure from, about ten seconds ago; null for the first. */
  #remember(now: Point): Point | null {
    const last = this.#points.at(-1);
    const before = this.#points.findLast((point) => now.at - point.at >= SPEED_SECONDS) ?? this.#points[0];
    if (last === undefined || now.at - last.at >= MIN_INTERVAL_SECONDS) {
      this.#points = [...this.#points.filter((point) => now.at - point.at <= HISTORY_SECONDS), now];
    }
    return before !== undefined && now.at - before.at >= MIN_INTERVAL_SECONDS ? before : null;
  }
}

function pointOf({ at, done, workers }: Snapshot): Point {
  return {
    at: Date.parse(at) / 1000,
    objects: done.objects,
    bytes: done.bytes,
    workers: new Map(workers.list.map((worker) => [worker.id, worker])),
  };
}

function speed(before: Amount & { readonly at: number }, now: Amount & { readonly at: number }) {
  const seconds = now.at - before.at;
  return {
    objectsPerSecond: Math.max(0, now.objects - before.objects) / seconds,
    bytesPerSecond: Math.max(0, now.bytes - before.bytes) / seconds,
  };
}

/** A worker that was not listed before keeps its average. */
function withSpeed(worker: WorkerStatus, before: Point, now: Point): WorkerStatus {
  const then = before.workers.get(worker.id);
  if (then === undefined) return worker;
  const seconds = now.at - before.at;
  const waited = Math.max(0, worker.waitedSeconds - then.waitedSeconds);
  return {
    ...worker,
    ...speed({ ...then, at: before.at }, { ...worker, at: now.at }),
    waiting: waitingShare(waited, seconds, worker.hands),
  };
}

/** The speeds of equally long intervals of the recorded time; none while that is short. */
function intervalRates(points: readonly Point[]) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < MIN_SECONDS) return [];
  const length = (last.at - first.at) / INTERVALS;
  const marks = Array.from({ length: INTERVALS + 1 }, (_, i) => doneAt(points, first.at + length * i));
  return marks.slice(1).map((mark, i) => speed(marks[i]!, mark));
}

function doneAt(points: readonly Point[], at: number): Amount & { readonly at: number } {
  const next = points.findIndex((point) => point.at >= at);
  const after = points[next] ?? points.at(-1)!;
  const before = points[next - 1] ?? after;
  const part = after.at === before.at ? 0 : (at - before.at) / (after.at - before.at);
  const of = (amount: 'objects' | 'bytes') => before[amount] + part * (after[amount] - before[amount]);
  return { at, objects: of('objects'), bytes: of('bytes') };
}
