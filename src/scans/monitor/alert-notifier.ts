/**
 * Evaluates the alerts of all running scans, and of waiting hooks of ended ones, and sends each once until
 * it was resolved and occurs again.
 */
import type { Database } from '../../db/database.ts';
import { many } from '../../db/database.ts';
import { listWaitingHooks } from '../hooks/waiting-store.ts';
import type { Alert, AlertId, AlertThresholds } from './alert.ts';
import { evaluateAlerts } from './alerts.ts';
import { readSnapshot } from './read-snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { SnapshotHistory } from './snapshot-history.ts';

/** The largest scans first: an alert about the cluster shows in every one of them. */
const SCANS_AT_ONCE = 8;

/** The leader and the runners report these without a scan. */
const OF_WORKFLOWS: ReadonlySet<AlertId> = new Set([
  'log-stalled',
  'messages-unserved',
  'workflows-parked',
  'messages-rejected',
]);

export class AlertNotifier {
  readonly #db: Database;
  readonly #thresholds: AlertThresholds;
  readonly #notify: (scan: number, alert: Alert) => void;
  readonly #histories = new Map<number, SnapshotHistory>();
  #active = new Set<string>();

  constructor(db: Database, thresholds: AlertThresholds, notify: (scan: number, alert: Alert) => void) {
    this.#db = db;
    this.#thresholds = thresholds;
    this.#notify = notify;
  }

  async check(): Promise<void> {
    const scans = await runningScans(this.#db);
    for (const scan of this.#histories.keys()) if (!scans.includes(scan)) this.#histories.delete(scan);
    const now = new Set<string>();
    const staleMs = this.#thresholds.staleWorkerMs;
    for (const scan of scans) {
      const snapshot = await readSnapshot(this.#db, scan, { staleMs });
      if (snapshot)
        for (const alert of this.#evaluate(scan, snapshot)) now.add(this.#notifyOnce(scan, alert));
    }
    for (const scan of await this.#scansOfHooks(staleMs)) {
      const snapshot = await readSnapshot(this.#db, scan, { staleMs });
      const alerts = snapshot ? evaluateAlerts(null, snapshot, this.#thresholds) : [];
      // Problems of workers are only reported for running scans.
      for (const alert of alerts) if (alert.id === 'hook-waiting') now.add(this.#notifyOnce(scan, alert));
    }
    this.#active = now;
  }

  async #scansOfHooks(staleMs: number): Promise<Set<number>> {
    const hooks = await listWaitingHooks(this.#db, { staleMs, limit: SCANS_AT_ONCE });
    return new Set(hooks.map(({ scan }) => scan));
  }

  #evaluate(scan: number, snapshot: Snapshot): Alert[] {
    const recent = this.#histories.get(scan) ?? new SnapshotHistory();
    this.#histories.set(scan, recent);
    const alerts = evaluateAlerts(recent.record(snapshot), snapshot, this.#thresholds);
    return alerts.filter(({ id }) => !OF_WORKFLOWS.has(id));
  }

  #notifyOnce(scan: number, alert: Alert): string {
    const name = `${scan} ${alert.id}`;
    if (!this.#active.has(name)) this.#notify(scan, alert);
    return name;
  }
}

async function runningScans(db: Database): Promise<number[]> {
  const rows = await many<{ id: number }>(
    db,
    `select scan.id from scan join lease_group on lease_group.id = scan.id
     where scan.status = 'running' order by lease_group.remaining desc, scan.id limit ${SCANS_AT_ONCE}`,
  );
  return rows.map((row) => row.id);
}
