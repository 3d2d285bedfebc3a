/**
 * What one of the workers does for all: removes workers that are gone, sends jobs that are lost, raises alerts, forgets what is old.
 * No scan waits for it. Every write stands in a transaction that makes sure that this worker still leads.
 */
import type { App } from '../app.ts';
import { messageOf } from '../base/errors.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { type Leader, startLeader } from '../engine/leader/leader.ts';
import { removeStaleWorkers } from '../engine/workers/worker-store.ts';
import { endStranded } from '../scans/finalize.ts';
import { forgetOld } from '../scans/forget-old.ts';
import { removeUnusedQueues, resendHooks } from '../scans/hooks/lost-hooks.ts';
import { Watchman } from '../scans/monitor/watchman.ts';
import { RetentionRounds } from '../workflows/archive/retention.ts';
import { RejectedWatch } from '../workflows/look/health.ts';
import { UnservedWatch } from '../workflows/look/unserved.ts';
import { StallWatch } from '../workflows/stall/stall-watch.ts';

const EVERY_MS = 5000;
/** Of each round, for what is old: the other duties come in time. */
const FORGET_FOR_MS = 2000;
/** A hook whose job is lost waits this much longer, at most. */
const RESEND_EVERY_MS = 60_000;
/** A worker that is stale is an alert first; after so many times as long nobody expects it back. */
const FORGOTTEN_AFTER = 10;

export function startHousekeeping(
  app: App,
  jobs: Jobs,
  worker: string,
  warn: (message: string) => void,
): Leader {
  const { db, config } = app;
  const watchman = new Watchman(db, config.alerts, (scan, { what, advice }) =>
    warn(`scan ${scan}: ${what} ${advice}`),
  );
  const unserved = new UnservedWatch(db);
  const rejected = new RejectedWatch(db, config.alerts.rejectedMessagesPerHour);
  const stall = new StallWatch(db, { workflows: null });
  const retention = new RetentionRounds(db, config.retention);
  let resentAt = performance.now(); // this process has just done it when it began to work on jobs
  return startLeader(db, {
    worker,
    ttlMs: config.leaseMs,
    everyMs: EVERY_MS,
    onError: (error) => warn(`housekeeping: ${messageOf(error)}`),
    duties: async (lead) => {
      const gone = await lead((tx) => removeStaleWorkers(tx, FORGOTTEN_AFTER * config.staleMs));
      if (gone?.length) warn(`${gone.length} workers gave no sign of life and were removed from the list`);
      await lead((tx) => endStranded(tx, jobs));
      if (performance.now() - resentAt > RESEND_EVERY_MS) {
        resentAt = performance.now();
        await lead((tx) => resendHooks(tx, jobs.send));
        await lead(removeUnusedQueues);
      }
      await watchman.look();
      const sentences = [...(await unserved.look()), ...(await rejected.look()), await stall.look()];
      for (const said of sentences) if (said !== null) warn(said);
      await forgetOld(config.retention, lead, FORGET_FOR_MS);
      await retention.round(lead, FORGET_FOR_MS);
    },
  });
}
