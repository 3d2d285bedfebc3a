import { groupDigits, pluralize } from '../quantities.ts';

/** Amount done at a time (milliseconds). */
export interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Seconds; `longest` is null if there was no progress in one of the recent intervals. */
export interface EtaRange {
  readonly shortest: number;
  readonly longest: number | null;
}

const INTERVALS = 5;
const MIN_MS = 3000;

/**
 * The time left at the fastest and at the slowest recent rate. The samples are divided into intervals of equal duration, long
 * enough that one large object does not look like a stall. Returns null if there are too few samples yet.
 */
export function etaRange(samples: readonly Sample[], left: number): EtaRange | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return null;
  const duration = last.at - first.at;
  if (duration < MIN_MS || last.done <= first.done) return null;
  const marks = Array.from({ length: INTERVALS + 1 }, (_, i) =>
    doneAt(samples, first.at + (duration * i) / INTERVALS),
  );
  const speeds = marks.slice(1).map((done, i) => ((done - marks[i]!) * INTERVALS * 1000) / duration);
  const slowest = Math.min(...speeds);
  return { shortest: left / Math.max(...speeds), longest: slowest > 0 ? left / slowest : null };
}

function doneAt(samples: readonly Sample[], at: number): number {
  const next = samples.findIndex((sample) => sample.at >= at);
  const after = samples[next] ?? samples.at(-1)!;
  const before = samples[next - 1] ?? after;
  const span = after.at - before.at;
  return span === 0 ? after.done : before.done + ((after.done - before.done) * (at - before.at)) / span;
}

/** "2–4 min left". `more`: the total may still grow, so the result is a lower bound. */
export function describeEta({ shortest, longest }: EtaRange, more = false): string {
  if (more || longest === null) return `at least ${describe(shortest)} left`;
  if (longest < 5) return 'a few seconds left';
  const [size, unit] = unitOf(longest);
  const low = Math.max(1, Math.floor(shortest / size));
  const high = Math.ceil(longest / size);
  return low === high
    ? `about ${describe(longest)} left`
    : `${groupDigits(low)}–${groupDigits(high)} ${unit} left`;
}

function describe(seconds: number): string {
  const [size, unit] = unitOf(seconds);
  const count = Math.max(1, Math.round(seconds / size));
  return unit === 'days' ? pluralize(count, 'day') : `${groupDigits(count)} ${unit}`;
}

/** Seconds up to 90 s, then minutes up to 90 min, then hours, then days. */
function unitOf(seconds: number): readonly [seconds: number, name: string] {
  if (seconds <= 90) return [1, 's'];
  if (seconds <= 90 * 60) return [60, 'min'];
  return seconds <= 48 * 3600 ? [3600, 'h'] : [86_400, 'days'];
}
