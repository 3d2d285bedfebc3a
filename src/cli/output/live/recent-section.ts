/** Recent events of the scan, latest last. Uses only the rows that no other section needs. */

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

/** Events written by a newer version may have an unknown type; then the type is shown. */
function sentenceOf({ type, data }: StoredScanEvent): string {
  return SENTENCES[type]?.(data) ?? type;
}

const because = (why: unknown) => (why === null || why === undefined ? '' : `: ${why}`);
const number = (value: unknown) => (typeof value === 'number' ? value : 0);

const SENTENCES: Readonly<Record<string, (data: Data) => string>> = {
  requested: () => 'requested',
  planned: ({ cuts, objects }) =>
    `planned: about ${pluralize(Math.round(number(objects)), 'object')}, ${pluralize(number(cuts), 'split point')}`,
  started: ({ shard }) => `started with shard ${shard}`,
  split: ({ shard, into }) =>
    `shard ${shard} split: ${pluralize(Array.isArray(into) ? into.length : 0, 'new shard')}`,
  parted: ({ objects, shards }) =>
    `${pluralize(number(objects), 'huge object')} split into ${pluralize(number(shards), 'shard')}`,
  shardCompleted: ({ shard, listed }) => `shard ${shard} completed, ${pluralize(number(listed), 'object')}`,
  shardFailed: ({ shard, cause }) => `shard ${shard} failed${because(cause)}`,
  paused: ({ why }) => `paused${because(why)}`,
  interrupted: ({ why }) => `interrupted${because(why)}`,
  resumed: ({ rules }) => (rules === 'changed' ? 'resumed with other rules' : 'resumed'),
  cancelled: ({ shards }) => `cancelled, ${pluralize(number(shards), 'shard')} not processed`,
  finalizing: () => 'all shards have ended',
  finalized: ({ status, why }) => `${status}${because(why)}`,
  failed: ({ cause }) => `finalizing failed${because(cause)}`,
  reopened: () => 'reopened',
  retried: ({ objects, shards }) =>
    `dead letters retried: ${pluralize(number(objects), 'object')}, ${pluralize(number(shards), 'shard')}`,
};
