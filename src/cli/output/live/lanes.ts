/** A lane for each worker: who, what it holds, how fast, and what keeps it from working. */
import type { HeldShard, Surroundings, WorkerNow } from '../../../scans/monitor/snapshot.ts';
import { ellipsis, type Look } from '../look.ts';
import { counted, grouped, humanBytes, threeDigits } from '../quantities.ts';
import { padEnd, truncateMiddle, widthOf } from '../text-width.ts';
import { visible } from '../visible.ts';
import { age } from './age.ts';
import { BLANK, cell, dotted, type Line, type Style, span } from './line.ts';

/** From here on a worker visibly waits. */
const WAITS = 0.2;
const STILL_SECONDS = 60;

interface Mood {
  readonly unicode: string;
  readonly ascii: string;
  readonly style: Style;
  readonly note: (worker: WorkerNow) => string;
}

const MOODS = {
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
  still: {
    unicode: '◌',
    ascii: '?',
    style: 'yellow',
    note: (worker) => `still ${age(worker.progressSeconds)}`,
  },
  idle: { unicode: '○', ascii: 'o', style: 'gray', note: () => 'idle' },
  working: { unicode: '●', ascii: '*', style: 'cyan', note: () => '' },
} as const satisfies Record<string, Mood>;

export function workerLine({ workers, leader, connections }: Surroundings, look: Look): Line {
  const part = (n: number, word: string, style?: Style): Line =>
    n > 0 ? [span(`${grouped(n)} ${word}`, style)] : BLANK;
  const leads = leader?.worker
    ? `leader ${leader.host === null ? leader.worker.slice(0, 8) : `${visible(leader.host)}:${leader.pid}`}, ${age(leader.sinceSeconds ?? 0)}`
    : 'no leader';
  return dotted(
    [
      [span(counted(workers.total, 'worker'), 'bold')],
      part(workers.holding, 'at work'),
      part(workers.draining, 'draining'),
      part(workers.stale, 'stale', 'red'),
      [span(leads)],
      [span(`database ${grouped(connections.used)}/${grouped(connections.most)}`)],
    ],
    look,
  );
}

/** At most `most` lines; those for whom there is no room are counted in the last. */
export function lanes({ workers }: Surroundings, most: number, width: number, look: Look): Line[] {
  if (most <= 0 || workers.total === 0) return [];
  const all = workers.total <= most && workers.list.length === workers.total;
  const shown = workers.list.slice(0, all ? most : most - 1);
  const columns = columnsOf(shown, width);
  const lines = shown.map((worker) => lane(worker, columns, look));
  if (all) return lines;
  return [...lines, [span(`${ellipsis(look)} and ${grouped(workers.total - shown.length)} more`, 'gray')]];
}

interface Columns {
  readonly name: number;
  readonly range: number;
  readonly objects: number;
  readonly bytes: number;
  readonly note: number;
}

const LEAST_RANGE = 16;

/** What there is no room for goes: first the bytes, then the objects, then the note, which the mark tells as well. */
function columnsOf(shown: readonly WorkerNow[], width: number): Columns {
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
    if (range >= LEAST_RANGE || choice.note === 0) return { name, range: Math.max(0, range), ...choice };
  }
  return { name, range: 0, ...choices.at(-1)! };
}

function lane(worker: WorkerNow, columns: Columns, look: Look): Line {
  const mood: Mood = MOODS[moodOf(worker)];
  const optional = (width: number, text: string) =>
    width === 0 ? '' : cell(` ${text}`, width, look, 'right');
  const note = columns.note === 0 ? '' : mood.note(worker);
  return [
    span(look.unicode ? mood.unicode : mood.ascii, mood.style),
    span(` ${padEnd(truncateMiddle(nameOf(worker), columns.name, ellipsis(look)), columns.name)} `),
    span(cell(heldText(worker, columns.range, look), columns.range, look)),
    span(optional(columns.objects, `${threeDigits(worker.objectsPerSecond)}/s`)),
    span(optional(columns.bytes, `${humanBytes(worker.bytesPerSecond).replace(' ', '')}/s`)),
    ...(note === '' ? [] : [span(`  ${note}`, mood.style)]),
  ];
}

function moodOf(worker: WorkerNow): keyof typeof MOODS {
  if (worker.stale) return 'stale';
  if (worker.waiting >= WAITS && worker.holding > 0) return 'waiting';
  if (worker.draining) return 'draining';
  if (worker.holding === 0) return 'idle';
  return worker.progressSeconds > STILL_SECONDS ? 'still' : 'working';
}

function nameOf(worker: WorkerNow): string {
  return `${visible(worker.host)}:${worker.pid}`;
}

function heldText(worker: WorkerNow, width: number, look: Look): string {
  const [first] = worker.holds;
  if (first === undefined) return worker.holding > 0 ? counted(worker.holding, 'shard') : '';
  const more = worker.holding > 1 ? ` +${worker.holding - 1}` : '';
  if (first.kind === 'retry') return `objects once more${more}`;
  return rangeText(first, width - widthOf(more), look) + more;
}

/** What is left of it: from the cursor to its end. */
function rangeText(shard: Pick<HeldShard, 'cursor' | 'upTo'>, width: number, look: Look): string {
  const arrow = look.unicode ? ' → ' : ' > ';
  const from = shard.cursor === '' ? 'the start' : shard.cursor;
  const to = shard.upTo ?? 'the end';
  const room = width - widthOf(arrow);
  // Each gets half, and what the other does not need.
  const half = Math.floor(room / 2);
  const head = truncateMiddle(from, Math.max(half, room - widthOf(to)), ellipsis(look));
  return truncateMiddle(
    `${head}${arrow}${truncateMiddle(to, room - widthOf(head), ellipsis(look))}`,
    Math.max(0, width),
    ellipsis(look),
  );
}
