import { groupDigits, humanBytes, pluralize, threeDigits } from '../quantities.ts';
import { ellipsis, paint, type TerminalStyle } from '../terminal-style.ts';
import { truncateEnd, widthOf } from '../text-width.ts';
import { describeEta, type EtaRange } from './eta.ts';

export interface ProgressState {
  readonly phase: 'starting' | 'listing' | 'scanning' | 'finishing';
  readonly objects: number;
  /** Bytes read. */
  readonly bytes: number;
  readonly findings: number;
  /** Null while unknown. */
  readonly totalBytes: number | null;
  readonly totalObjects: number | null;
  /** The listing is complete: the totals no longer grow. */
  readonly totalIsFinal: boolean;
  /** The totals are estimates: the real ones may be lower or higher. */
  readonly totalIsEstimated?: boolean;
  /** Bytes of unchanged objects. They are excluded from done and total, or they would inflate the rate. */
  readonly unchangedBytes?: number;
}

export interface ProgressRate {
  readonly objectsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly eta: EtaRange | null;
}

const BAR = 20;

/** The progress line for a terminal, never wrapped. `tick` animates the indicator. */
export function progressLine(
  state: ProgressState,
  rate: ProgressRate,
  style: TerminalStyle,
  tick: number,
): string {
  const share = shareOf(state);
  const gauge = share === null ? moving(tick, style) : filled(share, style);
  const room = style.width - 1 - widthOf(gauge) - 1;
  return `${paint(style, 'cyan', gauge)} ${fitted(progressParts(state, rate), room, style)}`;
}

/** The same for logs, without a bar. */
export function progressSentence(state: ProgressState, rate: ProgressRate): string {
  return `seine: ${progressParts(state, rate)
    .map(({ text }) => text)
    .join(', ')}`;
}

/** `rank` 0 is the most important. */
interface LinePart {
  readonly text: string;
  readonly rank: number;
}

/** In a narrow terminal the parts with the highest rank are dropped first; the time left is dropped last. */
function fitted(parts: readonly LinePart[], room: number, style: TerminalStyle): string {
  const text = parts.map((part) => part.text).join(style.unicode ? ' · ' : ', ');
  const min = Math.max(...parts.map(({ rank }) => rank));
  if (min === 0 || widthOf(text) <= room) return truncateEnd(text, room, ellipsis(style));
  return fitted(
    parts.filter(({ rank }) => rank < min),
    room,
    style,
  );
}

function progressParts(state: ProgressState, rate: ProgressRate): LinePart[] {
  if (state.phase === 'starting') return [{ text: 'starting', rank: 0 }];
  const parts = [
    { text: state.phase, rank: state.phase === 'scanning' ? 3 : 0 },
    { text: extent(state), rank: 0 },
    { text: pluralize(state.findings, 'finding'), rank: 2 },
  ];
  if (state.phase !== 'scanning') return parts;
  if (rate.objectsPerSecond > 0) {
    parts.push({ text: `${threeDigits(rate.objectsPerSecond)} objects/s`, rank: 4 });
    parts.push({ text: `${humanBytes(rate.bytesPerSecond)}/s`, rank: 5 });
  }
  if (rate.eta !== null)
    parts.push({ text: describeEta(rate.eta, !state.totalIsFinal && !state.totalIsEstimated), rank: 1 });
  return parts;
}

/** "34 %, 410 MB of 1.2 GB", or without a total what was done so far. */
function extent(state: ProgressState): string {
  const { done, total, unit } = workOf(state);
  const amount = unit === 'bytes' ? humanBytes(done) : groupDigits(done);
  if (total === null) return `${pluralize(state.objects, 'object')}, ${humanBytes(state.bytes)}`;
  const all = unit === 'bytes' ? humanBytes(total) : pluralize(total, 'object');
  if (state.totalIsEstimated) return `about ${percent(done / total)}, ${amount} of about ${all}`;
  // While listing continues the total can only grow, so the share is an upper bound.
  return state.totalIsFinal
    ? `${percent(done / total)}, ${amount} of ${all}`
    : `at most ${percent(Math.max(0.01, done / total))}, ${amount} of at least ${all}`;
}

/** Never 0 (it has started) and never 100 (then the line is gone). */
export function percent(share: number): string {
  return share < 0.01 ? '<1 %' : `${Math.min(99, Math.floor(share * 100))} %`;
}

/** Measures progress in bytes; in objects where the bytes are unknown or zero. */
export function workOf(state: ProgressState): {
  done: number;
  total: number | null;
  unit: 'bytes' | 'objects';
} {
  if (exceedsEstimate(state)) return { done: state.objects, total: null, unit: 'objects' };
  const toRead = state.totalBytes === null ? 0 : state.totalBytes - (state.unchangedBytes ?? 0);
  // Files can grow while they are read, so the total is at least what was read.
  if (toRead > 0) return { done: state.bytes, total: Math.max(toRead, state.bytes), unit: 'bytes' };
  const total = state.totalObjects === null || state.totalObjects === 0 ? null : state.totalObjects;
  return {
    done: state.objects,
    total: total === null ? null : Math.max(total, state.objects),
    unit: 'objects',
  };
}

/** An estimate that turned out too small is dropped: a bar that stays at its end would be misleading. */
function exceedsEstimate(state: ProgressState): boolean {
  const { totalIsEstimated, totalBytes, totalObjects, unchangedBytes = 0 } = state;
  if (!totalIsEstimated) return false;
  const read = state.bytes + unchangedBytes;
  return (totalObjects !== null && state.objects >= totalObjects) || (!!totalBytes && read >= totalBytes);
}

function shareOf(state: ProgressState): number | null {
  const { done, total } = workOf(state);
  return state.phase !== 'scanning' || total === null ? null : Math.min(0.99, done / total);
}

function filled(share: number, style: TerminalStyle): string {
  const cells = Math.max(1, Math.min(BAR - 1, Math.round(share * BAR)));
  return (style.unicode ? '━' : '=').repeat(cells) + (style.unicode ? '╌' : '-').repeat(BAR - cells);
}

/** An indeterminate bar: a block that moves back and forth. */
function moving(tick: number, style: TerminalStyle): string {
  const way = BAR - 3;
  const at = way - Math.abs((tick % (2 * way)) - way);
  const rail = style.unicode ? '╌' : '-';
  return rail.repeat(at) + (style.unicode ? '━━━' : '===') + rail.repeat(way - at);
}
