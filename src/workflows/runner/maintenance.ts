/**
 * Background maintenance of each runner: reports stalls (an open transaction that blocks the log, messages that no runner serves), applies the
 * retention policy, cleans up after ended workflows, and exports metrics. Nothing depends on it, and several runners may do it concurrently.
 */
import { messageOf } from '../../base/errors.ts';
import { startPollingLoop } from '../../base/polling-loop.ts';
import type { Database } from '../../db/database.ts';
import type { TxRunner } from '../archive/purge.ts';
import { RetentionJob, type WorkflowRetention } from '../archive/retention.ts';
import { UnservedMonitor } from '../queries/unserved.ts';
import { StallMonitor } from '../stall/stall-monitor.ts';
import { observeWorkflows } from '../telemetry/gauges.ts';
import { EndedSweep } from './ended-sweep.ts';

export interface MaintenanceOptions {
  /** The runner, as holder of leases. */
  readonly holder: string;
  readonly workflows: readonly string[];
  readonly retention: WorkflowRetention;
  readonly say: (sentence: string) => void;
}

const CHECK_EVERY_MS = 2000;
const UNSERVED_EVERY_MS = 30_000;
const RETENTION_EVERY_MS = 60_000;
const RETENTION_FOR_MS = 2000;
const SWEEP_EVERY_MS = 60_000;

export function startMaintenance(
  db: Database,
  { holder, workflows, retention, say }: MaintenanceOptions,
): { stop(): Promise<void> } {
  const stall = new StallMonitor(db, { workflows });
  const unserved = new UnservedMonitor(db);
  const rounds = new RetentionJob(db, retention);
  const sweep = new EndedSweep(db);
  const gauges = observeWorkflows(db, workflows, holder);
  const within: TxRunner = (work) => db.tx(work);
  const loops = [
    // The main loops of the runner report outages of the database.
    startPollingLoop('watch for a stalled log', async () => {
      const said = await stall.check().catch(() => null);
      if (said !== null) say(said);
      return CHECK_EVERY_MS;
    }),
    startPollingLoop('watch for unserved messages', async () => {
      for (const said of await unserved.check().catch(() => [])) say(said);
      return UNSERVED_EVERY_MS;
    }),
    startPollingLoop('delete expired data', async () => {
      await rounds
        .round(within, RETENTION_FOR_MS)
        .catch((error) => say(`deleting expired data: ${messageOf(error)}`));
      return RETENTION_EVERY_MS * (0.75 + Math.random() / 2);
    }),
    startPollingLoop('clean up ended workflows', async () => {
      await sweep.round().catch((error) => say(`cleaning up ended workflows: ${messageOf(error)}`));
      return SWEEP_EVERY_MS * (0.75 + Math.random() / 2);
    }),
  ];
  return {
    async stop() {
      await Promise.all([...loops, gauges].map((part) => part.stop()));
    },
  };
}
