/**
 * What one of the workers does for all: removes workers that are gone, sends jobs that are lost, raises alerts, forgets what is old.
 * No scan waits for it. Every write stands in a transaction that makes sure that this worker still leads.
 */
import type { App } from '../app.ts';
import { messageOf } from '../base/errors.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { type Leader, startLeader } from '../engine/leader/leader.ts';
import { removeStaleWorkers } from '../engine/workers/worker-store.ts';
import { removeUnusedQueues, resendHooks } from '../scans/hooks/lost-hooks.ts';
import { finalizeStranded } from '../scans/lifecycle/finalize-scan.ts';
import { AlertNotifier } from '../scans/monitor/alert-notifier.ts';
import { applyRetention } from '../scans/retention/apply-retention.ts';
import { RetentionJob } from '../workflows/archive/retention.ts';
import { RejectedWatch } from '../workflows/queries/health.ts';
import { UnservedMonitor } from '../workflows/queries/unserved.ts';
import { StallMonitor } from '../workflows/stall/stall-monitor.ts';

const INTERVAL_MS = 5000;
/** Of each round, for what is old: the other duties come in time. */
const RETENTION_BUDGET_MS = 2000;
/** A hook whose job is lost waits this much longer, at most. */
const RESEND_INTERVAL_MS = 60_000;
/** A worker that is stale is an alert first; after so many times as long nobody expects it back. */
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
  let resentAt = performance.now(); // this process has just done it when it began to work on jobs
  return startLeader(db, {
    worker,
    ttlMs: config.leaseMs,
    everyMs: INTERVAL_MS,
    onError: (error) => warn(`housekeeping: ${messageOf(error)}`),
    duties: async (lead) => {
      const gone = await lead((tx) => removeStaleWorkers(tx, REMOVE_AFTER_STALE_PERIODS * config.staleMs));
      if (gone?.length) warn(`${gone.length} workers gave no sign of life and were removed from the list`);
      await lead((tx) => finalizeStranded(tx, jobs));
      if (performance.now() - resentAt > RESEND_INTERVAL_MS) {
        resentAt = performance.now();
        await lead((tx) => resendHooks(tx, jobs.send));
        await lead(removeUnusedQueues);
      }
      await alertNotifier.check();
      const sentences = [...(await unserved.check()), ...(await rejected.look()), await stall.check()];
      for (const said of sentences) if (said !== null) warn(said);
      await applyRetention(config.retention, lead, RETENTION_BUDGET_MS);
      await retention.round(lead, RETENTION_BUDGET_MS);
    },
  });
}
