/** A row for each worker: host, shard, rates, and why it is not working. */
import type { HeldShard, Surroundings, WorkerStatus } from '../../../scans/monitor/snapshot.ts';
import { groupDigits, humanBytes, pluralize, threeDigits } from '../quantities.ts';
import { ellipsis, type TerminalStyle } from '../terminal-style.ts';
import { padEnd, truncateMiddle, widthOf } from '../text-width.ts';
import { visible } from '../visible.ts';
import { age } from './age.ts';
import { cell, EMPTY_LINE, joinWithDots, type StyledLine, span, type TextStyle } from './styled-line.ts';

/** Share of its time waiting for the rate limit from which a worker is shown as waiting. */
const WAITING_THRESHOLD = 0.2;
const STALLED_AFTER_SECONDS = 60;

interface WorkerStateStyle {
  readonly unicode: string;
  readonly ascii: string;
  readonly style: TextStyle;
  readonly note: (worker: WorkerStatus) => string;
}

const WORKER_STATES = {
  stale: {
    unicode: '✗',
    ascii: '!',
    style: 'red',
    note: (worker) => `stale ${age(worker.seenSeconds)}`,
  },
  waiting: {
    unicode: '◐',
    ascii: '~',
    style: 'yellow',
    note: (worker) => `waits ${Math.round(worker.waiting * 100)} %`,
  },
  draining: { unicode: '↓', ascii: 'v', style: 'gray', note: () => 'draining' },
  stalled: {
    unicode: '◌',
    ascii: '?',
    style: 'yellow',
    note: (worker) => `stall ${age(worker.progressSeconds)}`,
  },
  idle: { unicode: '○', ascii: 'o', style: 'gray', note: () => 'idle' },
  working: { unicode: '●', ascii: '*', style: 'cyan', note: () => '' },
} as const satisfies Record<string, WorkerStateStyle>;

export function workerLine(
  { workers, leader, connections }: Surroundings,
  terminalStyle: TerminalStyle,
): StyledLine {
  const part = (n: number, word: string, style?: TextStyle): StyledLine =>
    n > 0 ? [span(`${groupDigits(n)} ${word}`, style)] : EMPTY_LINE;
  const leads = leader?.worker
    ? `leader ${leader.host === null ? leader.worker.slice(0, 8) : `${visible(leader.host)}:${leader.pid}`}, ${age(leader.sinceSeconds ?? 0)}`
    : 'no leader';
  return joinWithDots(
    [
      [span(pluralize(workers.total, 'worker'), 'bold')],
      part(workers.holding, 'working'),
      part(workers.draining, 'draining'),
      part(workers.stale, 'stale', 'red'),
      [span(leads)],
      [span(`database ${groupDigits(connections.used)}/${groupDigits(connections.most)}`)],
    ],
    terminalStyle,
  );
}

/** At most `max` lines; the last one counts the workers that do not fit. */
export function workerRows(
  { workers }: Surroundings,
  max: number,
  width: number,
  style: TerminalStyle,
): StyledLine[] {
  if (max <= 0 || workers.total === 0) return [];
  const all = workers.total <= max && workers.list.length === workers.total;
  const shown = workers.list.slice(0, all ? max : max - 1);
  const columns = columnsOf(shown, width);
  const lines = shown.map((worker) => workerRow(worker, columns, style));
  if (all) return lines;
  return [
    ...lines,
    [span(`${ellipsis(style)} and ${groupDigits(workers.total - shown.length)} more`, 'gray')],
  ];
}

interface Columns {
  readonly name: number;
  readonly range: number;
  readonly objects: number;
  readonly bytes: number;
  readonly note: number;
}

const MIN_RANGE_WIDTH = 16;

/** In a narrow window columns are dropped: first the bytes, then the objects, then the note, which repeats the mark. */
function columnsOf(shown: readonly WorkerStatus[], width: number): Columns {
  const longest = Math.max(...shown.map((worker) => widthOf(nameOf(worker))), 1);
  const name = Math.min(longest, 26, Math.max(8, Math.floor(width * 0.3)));
  const choices = [
    { objects: 9, bytes: 9, note: 13 },
    { objects: 9, bytes: 0, note: 13 },
    { objects: 0, bytes: 0, note: 13 },
    { objects: 0, bytes: 0, note: 0 },
  ];
  for (const choice of choices) {
    const range = width - 3 - name - choice.objects - choice.bytes - choice.note;
    if (range >= MIN_RANGE_WIDTH || choice.note === 0) return { name, range: Math.max(0, range), ...choice };
  }
  return { name, range: 0, ...choices.at(-1)! };
}

function workerRow(worker: WorkerStatus, columns: Columns, style: TerminalStyle): StyledLine {
  const stateStyle: WorkerStateStyle = WORKER_STATES[workerState(worker)];
  const optional = (width: number, text: string) =>
    width === 0 ? '' : cell(` ${text}`, width, style, 'right');
  const note = columns.note === 0 ? '' : stateStyle.note(worker);
  return [
    span(style.unicode ? stateStyle.unicode : stateStyle.ascii, stateStyle.style),
    span(` ${padEnd(truncateMiddle(nameOf(worker), columns.name, ellipsis(style)), columns.name)} `),
    span(cell(heldText(worker, columns.range, style), columns.range, style)),
    span(optional(columns.objects, `${threeDigits(worker.objectsPerSecond)}/s`)),
    span(optional(columns.bytes, `${humanBytes(worker.bytesPerSecond).replace(' ', '')}/s`)),
    ...(note === '' ? [] : [span(`  ${note}`, stateStyle.style)]),
  ];
}

function workerState(worker: WorkerStatus): keyof typeof WORKER_STATES {
  if (worker.stale) return 'stale';
  if (worker.waiting >= WAITING_THRESHOLD && worker.holding > 0) return 'waiting';
  if (worker.draining) return 'draining';
  if (worker.holding === 0) return 'idle';
  return worker.progressSeconds > STALLED_AFTER_SECONDS ? 'stalled' : 'working';
}

function nameOf(worker: WorkerStatus): string {
  return `${visible(worker.host)}:${worker.pid}`;
}

function heldText(worker: WorkerStatus, width: number, style: TerminalStyle): string {
  const [first] = worker.holds;
  if (first === undefined) return worker.holding > 0 ? pluralize(worker.holding, 'shard') : '';
  const more = worker.holding > 1 ? ` +${worker.holding - 1}` : '';
  if (first.kind === 'retry') return `object retries${more}`;
  return rangeText(first, width - widthOf(more), style) + more;
}

/** The remaining range of the shard: from the cursor to its end. */
function rangeText(shard: Pick<HeldShard, 'cursor' | 'upTo'>, width: number, style: TerminalStyle): string {
  const arrow = style.unicode ? ' → ' : ' > ';
  const from = shard.cursor === '' ? 'the start' : shard.cursor;
  const to = shard.upTo ?? 'the end';
  const room = width - widthOf(arrow);
  // Each end gets half of the room, plus what the other does not need.
  const half = Math.floor(room / 2);
  const head = truncateMiddle(from, Math.max(half, room - widthOf(to)), ellipsis(style));
  return truncateMiddle(
    `${head}${arrow}${truncateMiddle(to, room - widthOf(head), ellipsis(style))}`,
    Math.max(0, width),
    ellipsis(style),
  );
}
