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
  /** Null: nobody knows yet. */
  readonly totalBytes: number | null;
  readonly totalObjects: number | null;
  /** The listing is at its end: the totals will not grow any more. */
  readonly totalIsFinal: boolean;
  /** Nothing was counted: there may be fewer or more. */
  readonly totalIsEstimated?: boolean;
  /** Bytes of objects that need no reading; they count on neither side, or they would make the speed a lie. */
  readonly unchangedBytes?: number;
}

export interface ProgressRate {
  readonly objectsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly eta: EtaRange | null;
}

const BAR = 20;

/** The line a terminal shows, without wrapping. `tick` turns the indicator. */
export function progressLine(
  state: ProgressState,
  pace: ProgressRate,
  style: TerminalStyle,
  tick: number,
): string {
  const share = shareOf(state);
  const gauge = share === null ? moving(tick, style) : filled(share, style);
  const room = style.width - 1 - widthOf(gauge) - 1;
  return `${paint(style, 'cyan', gauge)} ${fitted(progressParts(state, pace), room, style)}`;
}

/** The same for logs: a whole sentence without a bar. */
export function progressSentence(state: ProgressState, pace: ProgressRate): string {
  return `seine: ${progressParts(state, pace)
    .map(({ text }) => text)
    .join(', ')}`;
}

/** `rank` 0 is what people look for first. */
interface LinePart {
  readonly text: string;
  readonly rank: number;
}

/** In a narrow terminal the least important goes first; the time left goes last. */
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

function progressParts(state: ProgressState, pace: ProgressRate): LinePart[] {
  if (state.phase === 'starting') return [{ text: 'starting', rank: 0 }];
  const parts = [
    { text: state.phase, rank: state.phase === 'scanning' ? 3 : 0 },
    { text: extent(state), rank: 0 },
    { text: pluralize(state.findings, 'finding'), rank: 2 },
  ];
  if (state.phase !== 'scanning') return parts;
  if (pace.objectsPerSecond > 0) {
    parts.push({ text: `${threeDigits(pace.objectsPerSecond)} objects/s`, rank: 4 });
    parts.push({ text: `${humanBytes(pace.bytesPerSecond)}/s`, rank: 5 });
  }
  if (pace.eta !== null)
    parts.push({ text: describeEta(pace.eta, !state.totalIsFinal && !state.totalIsEstimated), rank: 1 });
  return parts;
}

/** "34 %, 410 MB of 1.2 GB", or without a total what was done so far. */
function extent(state: ProgressState): string {
  const { done, total, unit } = workOf(state);
  const so = unit === 'bytes' ? humanBytes(done) : groupDigits(done);
  if (total === null) return `${pluralize(state.objects, 'object')}, ${humanBytes(state.bytes)}`;
  const all = unit === 'bytes' ? humanBytes(total) : pluralize(total, 'object');
  if (state.totalIsEstimated) return `about ${percent(done / total)}, ${so} of about ${all}`;
  // While the listing goes on the share can only fall: it is the most, as the total is the least.
  return state.totalIsFinal
    ? `${percent(done / total)}, ${so} of ${all}`
    : `at most ${percent(Math.max(0.01, done / total))}, ${so} of at least ${all}`;
}

/** Never 0 (it did begin) and never 100 (then it would be over, and this line gone). */
export function percent(share: number): string {
  return share < 0.01 ? '<1 %' : `${Math.min(99, Math.floor(share * 100))} %`;
}

/** Bytes tell best how far it is; objects where bytes are not known or all are empty. */
export function workOf(state: ProgressState): {
  done: number;
  total: number | null;
  unit: 'bytes' | 'objects';
} {
  if (exceedsEstimate(state)) return { done: state.objects, total: null, unit: 'objects' };
  const toRead = state.totalBytes === null ? 0 : state.totalBytes - (state.unchangedBytes ?? 0);
  // Files can grow while they are read: the whole is never less than its part.
  if (toRead > 0) return { done: state.bytes, total: Math.max(toRead, state.bytes), unit: 'bytes' };
  const total = state.totalObjects === null || state.totalObjects === 0 ? null : state.totalObjects;
  return {
    done: state.objects,
    total: total === null ? null : Math.max(total, state.objects),
    unit: 'objects',
  };
}

/** A guess that turned out too small says nothing any more; a line that stays at its end would say something wrong. */
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

/** A block that goes to and fro: it works, and nobody knows how long. */
function moving(tick: number, style: TerminalStyle): string {
  const way = BAR - 3;
  const at = way - Math.abs((tick % (2 * way)) - way);
  const rail = style.unicode ? '╌' : '-';
  return rail.repeat(at) + (style.unicode ? '━━━' : '===') + rail.repeat(way - at);
}
