/**
 * The life of a scan in the event log: a workflow of kind `scan`, its id the scan's number. Events are
 * recorded in the transaction that makes the change, so log and tables agree: a crash leaves both or
 * neither.
 *
 * Lock order: leases, then their group, then the scan, and last the head of its history. A transaction
 * collects its events, and `withScanEvents` appends them when everything else is done: a holder of a head
 * only waits for the heads of later scans, so there is no deadlock, and a head is held only for its own
 * statement and the commit. Transactions that end or split shards of one scan have queued at the group's
 * row before; at the head they only meet those without that lock: a plan, a first checkpoint, the end of
 * the scan.
 */
import type { Database, Tx } from '../../db/database.ts';
import { hasStarted, insertScanEvents, lockHistory, type ScanEventInput } from './scan-event-store.ts';

export type AppendScanEvent = (scan: number, event: ScanEventInput) => void;

/** Runs a transaction and appends its events. If it is rolled back, none are recorded. */
export function withScanEvents<T>(
  db: Pick<Database, 'tx'>,
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

/** Runs right before the commit: nothing may be locked after it. */
async function appendScanEvents(tx: Tx, scan: number, inputs: readonly ScanEventInput[]): Promise<void> {
  const repeats = inputs.some(isStart) && (await hasStartedBefore(tx, scan));
  const events = repeats ? inputs.filter((event) => !isStart(event)) : inputs;
  if (events.length > 0) await insertScanEvents(tx, scan, events, statusAfter(events));
}

const isStart = ({ type }: ScanEventInput) => type === 'started';

/**
 * Two transactions may both find no start. The second waits for the head, and then sees the first one's
 * event.
 */
async function hasStartedBefore(tx: Tx, scan: number): Promise<boolean> {
  await lockHistory(tx, scan);
  return hasStarted(tx, scan);
}

/** The workflow status after these events; null: unchanged. */
function statusAfter(events: readonly ScanEventInput[]): string | null {
  return events.map(statusOf).findLast((status) => status !== null) ?? null;
}

function statusOf(event: ScanEventInput): string | null {
  switch (event.type) {
    // Not while a scan is paused: then reactions to its events would be suspended.
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
