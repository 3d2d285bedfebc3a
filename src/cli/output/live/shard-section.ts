/** The shards by state, and what went not quite straight with them. */
import type { Snapshot } from '../../../scans/monitor/snapshot.ts';
import type { Look } from '../look.ts';
import { counted, grouped } from '../quantities.ts';
import { visible } from '../visible.ts';
import { shardBar, shardLegend } from './bars.ts';
import { BLANK, dotted, type Line, span } from './line.ts';

const WIDEST_BAR = 100;

export function shardSection(snapshot: Snapshot, width: number, look: Look): Line[] {
  const { shards } = snapshot;
  const label = 'shards  ';
  const bar = shardBar(shards, Math.max(5, Math.min(WIDEST_BAR, width - label.length)), look);
  const legend = shardLegend(shards, look).flatMap((part, i) =>
    i === 0 ? [...part] : [span('  '), ...part],
  );
  return [
    [span(label), ...(bar.length > 0 ? bar : [span('none yet', 'gray')])],
    ...(bar.length > 0 ? [[span(' '.repeat(label.length)), ...legend]] : []),
    troubleLine(snapshot, look),
    ...deadLetterLine(snapshot.deadLetters),
  ];
}

function troubleLine({ shards, workers }: Snapshot, look: Look): Line {
  return dotted(
    [
      [span(counted(shards.splits, 'split'))],
      [span(counted(shards.retries, 'retry', 'retries'))],
      shards.expired > 0 ? [span(`${grouped(shards.expired)} lost`, 'yellow')] : BLANK,
      shards.delayed > 0 ? [span(`${grouped(shards.delayed)} back off`, 'yellow')] : BLANK,
      workers.refused > 0 ? [span(counted(workers.refused, 'refused checkpoint'), 'yellow')] : BLANK,
    ],
    look,
  );
}

function deadLetterLine({ total, signatures }: Snapshot['deadLetters']): Line[] {
  if (total === 0) return [];
  const top = signatures
    .slice(0, 3)
    .map(({ signature, count }) => `${visible(signature)} (${grouped(count)})`);
  return [[span(`${counted(total, 'dead letter')}: ${top.join(', ')}`, 'red')]];
}
