/** The shards by state, with splits, retries, lost and delayed shards. */
import type { Snapshot } from '../../../scans/monitor/snapshot.ts';
import { groupDigits, pluralize } from '../quantities.ts';
import type { TerminalStyle } from '../terminal-style.ts';
import { visible } from '../visible.ts';
import { shardBar, shardLegend } from './bars.ts';
import { EMPTY_LINE, joinWithDots, type StyledLine, span } from './styled-line.ts';

const MAX_BAR_WIDTH = 100;

export function shardSection(snapshot: Snapshot, width: number, style: TerminalStyle): StyledLine[] {
  const { shards } = snapshot;
  const label = 'shards  ';
  const bar = shardBar(shards, Math.max(5, Math.min(MAX_BAR_WIDTH, width - label.length)), style);
  const legend = shardLegend(shards, style).flatMap((part, i) =>
    i === 0 ? [...part] : [span('  '), ...part],
  );
  return [
    [span(label), ...(bar.length > 0 ? bar : [span('none yet', 'gray')])],
    ...(bar.length > 0 ? [[span(' '.repeat(label.length)), ...legend]] : []),
    problemLine(snapshot, style),
    ...deadLetterLine(snapshot.deadLetters),
  ];
}

function problemLine({ shards, workers }: Snapshot, style: TerminalStyle): StyledLine {
  return joinWithDots(
    [
      [span(pluralize(shards.splits, 'split'))],
      [span(pluralize(shards.retries, 'retry', 'retries'))],
      shards.expired > 0 ? [span(`${groupDigits(shards.expired)} lost`, 'yellow')] : EMPTY_LINE,
      shards.delayed > 0 ? [span(`${groupDigits(shards.delayed)} backing off`, 'yellow')] : EMPTY_LINE,
      workers.refused > 0 ? [span(pluralize(workers.refused, 'fenced checkpoint'), 'yellow')] : EMPTY_LINE,
    ],
    style,
  );
}

function deadLetterLine({ total, signatures }: Snapshot['deadLetters']): StyledLine[] {
  if (total === 0) return [];
  const top = signatures
    .slice(0, 3)
    .map(({ signature, count }) => `${visible(signature)} (${groupDigits(count)})`);
  return [[span(`${pluralize(total, 'dead letter')}: ${top.join(', ')}`, 'red')]];
}
