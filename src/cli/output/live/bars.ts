/** Bars: the progress of the scan with its uncertainty, and its shards by state. */
import type { ShardCounts } from '../../../scans/monitor/snapshot.ts';
import { groupDigits } from '../quantities.ts';
import type { TerminalStyle } from '../terminal-style.ts';
import { type StyledLine, type StyledText, span, type TextStyle } from './styled-line.ts';

type State = 'done' | 'held' | 'waiting' | 'failed' | 'cancelled';

/** Each state has its own character, for readers who cannot distinguish the colours. */
export const STATES: readonly {
  readonly state: State;
  readonly unicode: string;
  readonly ascii: string;
  readonly style: TextStyle;
}[] = [
  { state: 'done', unicode: '█', ascii: '#', style: 'cyan' },
  { state: 'held', unicode: '▓', ascii: '>', style: 'bold' },
  { state: 'waiting', unicode: '░', ascii: '.', style: 'gray' },
  { state: 'cancelled', unicode: '-', ascii: '-', style: 'yellow' },
  { state: 'failed', unicode: '!', ascii: '!', style: 'red' },
];

/** Every state with at least one shard gets a cell, as far as the width allows. */
export function shardBar(shards: ShardCounts, width: number, terminalStyle: TerminalStyle): StyledLine {
  const present = STATES.filter(({ state }) => shards[state] > 0);
  const cells = apportion(
    present.map(({ state }) => shards[state]),
    width,
  );
  return present.map(({ unicode, ascii, style }, i) =>
    span((terminalStyle.unicode ? unicode : ascii).repeat(cells[i]!), style),
  );
}

export function shardLegend(shards: ShardCounts, terminalStyle: TerminalStyle): StyledLine[] {
  return STATES.filter(({ state }) => shards[state] > 0 || state === 'done').map(
    ({ state, unicode, ascii, style }): StyledLine => [
      span(terminalStyle.unicode ? unicode : ascii, style),
      span(` ${state} ${groupDigits(shards[state])}`),
    ],
  );
}

/** Solid up to the lower bound of the share, thin up to the upper bound. */
export function shareBar(min: number, max: number, width: number, style: TerminalStyle): StyledLine {
  const solid = Math.min(width - 1, Math.floor(min * width));
  const thin = Math.max(0, Math.min(width - 1, Math.floor(max * width)) - solid);
  const [full, perhaps, rest] = style.unicode ? ['━', '─', '╌'] : ['=', '~', '-'];
  const parts: StyledText[] = [
    span(full!.repeat(solid), 'cyan'),
    span(perhaps!.repeat(thin), 'cyan'),
    span(rest!.repeat(width - solid - thin), 'gray'),
  ];
  return parts.filter(({ text }) => text !== '');
}

/** Distributes `width` cells in proportion, at least one each; the largest count gives up cells for the small ones. */
function apportion(counts: readonly number[], width: number): number[] {
  const whole = counts.reduce((sum, count) => sum + count, 0);
  const cells = counts.map((count) => Math.max(1, Math.floor((count * width) / whole)));
  const over = () => cells.reduce((sum, n) => sum + n, 0) - width;
  while (cells.length > 0 && over() !== 0) {
    const largest = cells.indexOf(Math.max(...cells));
    if (over() > 0 && cells[largest]! <= 1) break;
    cells[largest]! -= Math.sign(over());
  }
  return cells;
}
