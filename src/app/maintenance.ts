/**
 * Maintenance by the leader: removes stale workers, resends lost jobs, raises alerts, applies retention. No scan waits for it. Every
 * write is in a transaction that checks that this worker is still the leader.
 */
import type { App } from '../app.ts';
import { messageOf } from '../base/errors.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { type Leader, startLeader } from '../engine/leader/leader.ts';
import { removeStaleWorkers } from '../engine/workers/worker-store.ts';
import { deleteJobsOfGoneHosts, resendHooks } from '../scans/hooks/lost-hooks.ts';
import { finalizeStranded } from '../scans/lifecycle/finalize-scan.ts';
import { AlertNotifier } from '../scans/monitor/alert-notifier.ts';
import { applyRetention } from '../scans/retention/apply-retention.ts';
import { RetentionJob } from '../workflows/archive/retention.ts';
import { RejectedWatch } from '../workflows/queries/health.ts';
import { UnservedMonitor } from '../workflows/queries/unserved.ts';
import { StallMonitor } from '../workflows/stall/stall-monitor.ts';

const INTERVAL_MS = 5000;
/** Time limit of retention in each round, so that the other duties are not delayed. */
const RETENTION_BUDGET_MS = 2000;
/** Maximum delay of a hook whose job was lost. */
const RESEND_INTERVAL_MS = 60_000;
/** A stale worker raises an alert first; after this multiple of the stale threshold it is removed. */
const REMOVE_AFTER_STALE_PERIODS = 10;

export function startMaintenance(
  app: App,
  jobs: Jobs,
  worker: string,
  warn: (message: string) => void,
): Leader {
  const { db, config } = app;
  const alertNotifier = new AlertNotifier(db, config.alerts, (scan, { what, advice }) =>
    warn(`scan ${scan}: ${what} ${advice}`),
  );
  const unserved = new UnservedMonitor(db);
  const rejected = new RejectedWatch(db, config.alerts.rejectedMessagesPerHour);
  const stall = new StallMonitor(db, { workflows: null });
  const retention = new RetentionJob(db, config.retention);
  let resentAt = performance.now(); // done at the start of this process
  return startLeader(db, {
    worker,
    ttlMs: config.leaseMs,
    everyMs: INTERVAL_MS,
    onError: (error) => warn(`maintenance: ${messageOf(error)}`),
    duties: async (lead) => {
      const gone = await lead((tx) => removeStaleWorkers(tx, REMOVE_AFTER_STALE_PERIODS * config.staleMs));
      if (gone?.length) warn(`removed stale workers from the list: ${gone.length}`);
      await lead((tx) => finalizeStranded(tx, jobs));
      if (performance.now() - resentAt > RESEND_INTERVAL_MS) {
        resentAt = performance.now();
        await lead((tx) => resendHooks(tx, jobs.send));
        await lead(deleteJobsOfGoneHosts);
      }
      await alertNotifier.check();
      const messages = [...(await unserved.check()), ...(await rejected.check()), await stall.check()];
      for (const message of messages) if (message !== null) warn(message);
      await applyRetention(config.retention, lead, RETENTION_BUDGET_MS);
      await retention.round(lead, RETENTION_BUDGET_MS);
    },
  });
}
