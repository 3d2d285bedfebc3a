/** Shards and workers as tables. */
import type { ShardSummary } from '../../../scans/monitor/shard-summaries.ts';
import type { WorkerSummary } from '../../../scans/monitor/worker-summaries.ts';
import { groupDigits, humanBytes, threeDigits } from '../quantities.ts';
import { table } from '../table.ts';
import { ellipsis, paint, type TerminalStyle } from '../terminal-style.ts';
import { truncateEnd, truncateMiddle } from '../text-width.ts';
import { visible } from '../visible.ts';
import { age } from './age.ts';

const MAX_KEY_WIDTH = 40;
const MAX_ERROR_WIDTH = 60;

export function shardTable(shards: readonly ShardSummary[], style: TerminalStyle): string {
  const key = (text: string) => truncateMiddle(text, MAX_KEY_WIDTH, ellipsis(style));
  const rows = shards.map((shard) => [
    String(shard.shard),
    shard.expired ? 'held, lost' : shard.state,
    shard.kind === 'retry' ? 'object retries' : shard.after === '' ? 'the start' : key(shard.after),
    shard.kind === 'retry' ? '' : shard.upTo === null ? 'the end' : key(shard.upTo),
    shard.cursor === shard.after ? '' : key(shard.cursor),
    groupDigits(shard.listed),
    shard.claims > 0 ? `${shard.attempts} of ${shard.claims}` : '',
    holderOf(shard),
    truncateEnd(visible(shard.error ?? ''), MAX_ERROR_WIDTH, ellipsis(style)),
  ]);
  const head = ['SHARD', 'STATE', 'AFTER', 'UP TO', 'CURSOR', 'LISTED', 'TRIES', 'WORKER', 'ERROR'];
  return headed(
    table(['right', 'left', 'left', 'left', 'left', 'right', 'right', 'left', 'left'], [head, ...rows]),
    style,
  );
}

function holderOf({ worker, host, pid }: ShardSummary): string {
  if (worker === null) return '';
  return host === null ? `${worker.slice(0, 8)} (gone)` : `${visible(host)}:${pid}`;
}

export function workerTable(workers: readonly WorkerSummary[], style: TerminalStyle): string {
  const rows = workers.map((worker) => [
    worker.id.slice(0, 8),
    `${visible(worker.host)}:${worker.pid}`,
    workerStatus(worker),
    age(worker.seenSeconds),
    heldText(worker),
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
    style,
  );
}

/** As words, so that the output can be searched. */
function workerStatus(worker: WorkerSummary): string {
  if (worker.stale) return 'STALE';
  const words = [
    worker.draining ? 'draining' : worker.holding > 0 ? 'working' : 'idle',
    worker.leads ? 'leader' : '',
  ];
  return words.filter((word) => word !== '').join(', ');
}

function heldText({ holding, scans }: WorkerSummary): string {
  if (holding === 0) return '';
  const of = scans.length === 0 ? '' : ` of ${scans.length === 1 ? 'scan' : 'scans'} ${scans.join(', ')}`;
  return `${groupDigits(holding)}${of}`;
}

function perSecond(amount: number, { startedSeconds, seenSeconds }: WorkerSummary): number {
  const uptime = startedSeconds - seenSeconds;
  return uptime > 0 ? amount / uptime : 0;
}

function waitingPercent(worker: WorkerSummary): number {
  return Math.min(100, (100 * perSecond(worker.waitedSeconds, worker)) / Math.max(1, worker.hands));
}

function headed(text: string, style: TerminalStyle): string {
  const [head, ...rows] = text.split('\n');
  return [paint(style, 'gray', head!), ...rows].join('\n');
}
