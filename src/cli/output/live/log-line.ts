/** A snapshot as one log line. */
import type { Alert } from '../../../scans/monitor/alert.ts';
import type { ScanlessSnapshot, Snapshot } from '../../../scans/monitor/snapshot.ts';
import { describeEta } from '../progress/eta.ts';
import { humanBytes, pluralize, threeDigits } from '../quantities.ts';
import { visible } from '../visible.ts';

export function progressSentence(snapshot: Snapshot | ScanlessSnapshot): string {
  if (snapshot.scan === null) {
    const { workers, workflows } = snapshot;
    return `seine: no scans yet, ${pluralize(workers.total, 'worker')}, ${pluralize(workflows.runners.total, 'runner')}`;
  }
  const { scan, done, rate, eta, shards, workers, deadLetters } = snapshot;
  const speed = [
    `${threeDigits(rate.objectsPerSecond)} objects/s`,
    `${humanBytes(rate.bytesPerSecond)}/s`,
    ...(eta === null ? [] : [describeEta(eta)]),
  ];
  const parts = [
    `scan ${scan.id} ${scan.paused && scan.status === 'running' ? 'paused' : scan.status}`,
    pluralize(done.objects, 'object'),
    humanBytes(done.bytes),
    ...(scan.status === 'running' ? speed : []),
    shardText(shards),
    pluralize(workers.total, 'worker'),
    ...(deadLetters.total > 0 ? [pluralize(deadLetters.total, 'dead letter')] : []),
    ...(scan.error === null ? [] : [visible(scan.error)]),
  ];
  return `seine: ${parts.join(', ')}`;
}

export function alertSentence({ severity, what, advice }: Alert): string {
  return `seine: ${severity}: ${visible(what)} ${visible(advice)}`;
}

function shardText(shards: Snapshot['shards']): string {
  const states = (['done', 'held', 'waiting', 'failed', 'cancelled'] as const).filter(
    (state) => shards[state] > 0,
  );
  return states.length === 0
    ? 'no shards yet'
    : `shards ${states.map((state) => `${shards[state]} ${state}`).join(' ')}`;
}
