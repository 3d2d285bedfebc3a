/** Shards and workers as tables. */
import type { ShardLine } from '../../../scans/monitor/shard-lines.ts';
import type { WorkerLine } from '../../../scans/monitor/worker-lines.ts';
import { ellipsis, type Look, paint } from '../look.ts';
import { grouped, humanBytes, threeDigits } from '../quantities.ts';
import { table } from '../table.ts';
import { truncateEnd, truncateMiddle } from '../text-width.ts';
import { visible } from '../visible.ts';
import { age } from './age.ts';

const WIDEST_KEY = 40;
const WIDEST_ERROR = 60;

export function shardTable(shards: readonly ShardLine[], look: Look): string {
  const key = (text: string) => truncateMiddle(text, WIDEST_KEY, ellipsis(look));
  const rows = shards.map((shard) => [
    String(shard.shard),
    shard.expired ? 'held, lost' : shard.state,
    shard.kind === 'retry' ? 'objects once more' : shard.after === '' ? 'the start' : key(shard.after),
    shard.kind === 'retry' ? '' : shard.upTo === null ? 'the end' : key(shard.upTo),
    shard.cursor === shard.after ? '' : key(shard.cursor),
    grouped(shard.listed),
    shard.claims > 0 ? `${shard.attempts} of ${shard.claims}` : '',
    holderOf(shard),
    truncateEnd(visible(shard.error ?? ''), WIDEST_ERROR, ellipsis(look)),
  ]);
  const head = ['SHARD', 'STATE', 'AFTER', 'UP TO', 'CURSOR', 'LISTED', 'TRIES', 'WORKER', 'ERROR'];
  return headed(
    table(['right', 'left', 'left', 'left', 'left', 'right', 'right', 'left', 'left'], [head, ...rows]),
    look,
  );
}

function holderOf({ worker, host, pid }: ShardLine): string {
  if (worker === null) return '';
  return host === null ? `${worker.slice(0, 8)} (gone)` : `${visible(host)}:${pid}`;
}

export function workerTable(workers: readonly WorkerLine[], look: Look): string {
  const rows = workers.map((worker) => [
    worker.id.slice(0, 8),
    `${visible(worker.host)}:${worker.pid}`,
    standingOf(worker),
    age(worker.seenSeconds),
    holdingOf(worker),
    `${threeDigits(perSecond(worker.objects, worker))}/s`,
    `${humanBytes(perSecond(worker.bytes, worker))}/s`,
    `${Math.round(waitingPercent(worker))} %`,
    String(worker.threads),
    visible(worker.version),
  ]);
  const head = ['ID', 'WORKER', 'STATE', 'SEEN', 'HOLDS', 'OBJECTS', 'BYTES', 'WAITS', 'THREADS', 'VERSION'];
  return headed(
    table(
      ['left', 'left', 'left', 'right', 'left', 'right', 'right', 'right', 'right', 'left'],
      [head, ...rows],
    ),
    look,
  );
}

/** Told in words, so that it can be searched for. */
function standingOf(worker: WorkerLine): string {
  if (worker.stale) return 'STALE';
  const words = [
    worker.draining ? 'draining' : worker.holding > 0 ? 'working' : 'idle',
    worker.leads ? 'leader' : '',
  ];
  return words.filter((word) => word !== '').join(', ');
}

function holdingOf({ holding, scans }: WorkerLine): string {
  if (holding === 0) return '';
  const of = scans.length === 0 ? '' : ` of ${scans.length === 1 ? 'scan' : 'scans'} ${scans.join(', ')}`;
  return `${grouped(holding)}${of}`;
}

function perSecond(amount: number, { startedSeconds, seenSeconds }: WorkerLine): number {
  const lived = startedSeconds - seenSeconds;
  return lived > 0 ? amount / lived : 0;
}

function waitingPercent(worker: WorkerLine): number {
  return Math.min(100, (100 * perSecond(worker.waitedSeconds, worker)) / Math.max(1, worker.hands));
}

function headed(text: string, look: Look): string {
  const [head, ...rows] = text.split('\n');
  return [paint(look, 'gray', head!), ...rows].join('\n');
}
