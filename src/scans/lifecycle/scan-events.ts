/**
 * A scan's life, told in the event log: the workflow `scan`, its id the scan's number. What happens to a scan is told in the
 * transaction that does it, so the log says what the tables say: a crash leaves both or neither.
 *
 * Locks: leases, then their work, then the scan, and last of all the head of its story. Whoever changes a scan collects what there is
 * to tell, and `telling` writes it when everything else is done: who holds a head has nothing left to wait for but the heads of later
 * scans, so nobody waits in a circle, and a head is held for no longer than its own statement and the commit. Those who end or split
 * shards of one scan have queued at its work's row before; at the head they meet only those who did without: a plan, a first checkpoint,
 * the end of the scan.
 */
import type { Database, Tx } from '../../db/database.ts';
import { hasStarted, insertScanEvents, lockHistory, type ScanEventInput } from './scan-event-store.ts';

export type AppendScanEvent = (scan: number, event: ScanEventInput) => void;

/** A transaction and what is to be told of it. If it is rolled back, nothing is. */
export function withScanEvents<T>(
  db: Database,
  fn: (tx: Tx, appendEvent: AppendScanEvent) => Promise<T>,
): Promise<T> {
  return db.tx(async (tx) => {
    const events: [scan: number, event: ScanEventInput][] = [];
    const answer = await fn(tx, (...one) => void events.push(one));
    const byScan = Map.groupBy(events, ([scan]) => scan);
    for (const scan of [...byScan.keys()].sort((a, b) => a - b))
      await appendScanEvents(
        tx,
        scan,
        byScan.get(scan)!.map(([, event]) => event),
      );
    return answer;
  });
}

/** Right before the commit: nothing may be locked after it. */
async function appendScanEvents(tx: Tx, scan: number, inputs: readonly ScanEventInput[]): Promise<void> {
  const repeats = inputs.some(isStart) && (await hasStartedBefore(tx, scan));
  const events = repeats ? inputs.filter((event) => !isStart(event)) : inputs;
  if (events.length > 0) await insertScanEvents(tx, scan, events, statusAfter(events));
}

const isStart = ({ type }: ScanEventInput) => type === 'started';

/** Two may believe that they are the first. The second waits at the head, and then sees that it isn't. */
async function hasStartedBefore(tx: Tx, scan: number): Promise<boolean> {
  await lockHistory(tx, scan);
  return hasStarted(tx, scan);
}

/** How the workflow of a scan stands after these, for whoever lists workflows; null: as before. */
function statusAfter(events: readonly ScanEventInput[]): string | null {
  return events.map(statusOf).findLast((status) => status !== null) ?? null;
}

function statusOf(event: ScanEventInput): string | null {
  switch (event.type) {
    // Not while a scan is paused: then nobody would react to what happens to it.
    case 'requested':
    case 'resumed':
    case 'reopened':
    case 'finalizing':
      return 'running';
    case 'finalized':
      return event.status === 'cancelled' ? 'cancelled' : 'completed';
    case 'failed':
      return 'completed';
    default:
      return null;
  }
}
