/** What happened to the scan lately: a line each, the latest last. It takes only the room that nothing else needs. */

import type { StoredScanEvent } from '../../../scans/lifecycle/scan-event-store.ts';
import type { Snapshot } from '../../../scans/monitor/snapshot.ts';
import { pluralize } from '../quantities.ts';
import { visible } from '../visible.ts';
import { age } from './age.ts';
import { type StyledLine, span } from './styled-line.ts';

const LABEL = 'recent  ';
const AGE = 8;

export function recentSection({ events }: Snapshot, max: number): StyledLine[] {
  const shown = max > 0 ? events.slice(-max) : [];
  return shown.map((event, n) => [
    span(n === 0 ? LABEL : ' '.repeat(LABEL.length)),
    span(age(event.secondsAgo).padEnd(AGE), 'gray'),
    span(visible(sentenceOf(event))),
  ]);
}

type Data = StoredScanEvent['data'];

/** Events of a newer version may say what this one has no words for. */
function sentenceOf({ type, data }: StoredScanEvent): string {
  return SENTENCES[type]?.(data) ?? type;
}

const because = (why: unknown) => (why === null || why === undefined ? '' : `: ${why}`);
const number = (value: unknown) => (typeof value === 'number' ? value : 0);

const SENTENCES: Readonly<Record<string, (data: Data) => string>> = {
  requested: () => 'asked for',
  planned: ({ cuts, objects }) =>
    `planned: about ${pluralize(Math.round(number(objects)), 'object')}, ${pluralize(number(cuts), 'cut')}`,
  started: ({ shard }) => `started with shard ${shard}`,
  split: ({ shard, into }) =>
    `shard ${shard} split: ${pluralize(Array.isArray(into) ? into.length : 0, 'new shard')}`,
  parted: ({ objects, shards }) =>
    `${pluralize(number(objects), 'huge object')} cut into ${pluralize(number(shards), 'shard')}`,
  shardCompleted: ({ shard, listed }) => `shard ${shard} completed, ${pluralize(number(listed), 'object')}`,
  shardFailed: ({ shard, cause }) => `shard ${shard} given up${because(cause)}`,
  paused: ({ why }) => `paused${because(why)}`,
  interrupted: ({ why }) => `interrupted${because(why)}`,
  resumed: ({ rules }) => (rules === 'changed' ? 'resumed under other rules' : 'resumed'),
  cancelled: ({ shards }) => `cancelled, ${pluralize(number(shards), 'shard')} left out`,
  finalizing: () => 'all shards have ended',
  finalized: ({ status, why }) => `${status}${because(why)}`,
  failed: ({ cause }) => `could not be ended${because(cause)}`,
  reopened: () => 'opened again',
  retried: ({ objects, shards }) =>
    `dead letters tried again: ${pluralize(number(objects), 'object')}, ${pluralize(number(shards), 'shard')}`,
};
