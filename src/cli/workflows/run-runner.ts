/** `seine runner`: joins, announces its assignment, and drains when it is interrupted, or with `untilIdle` when nothing is left to do. */
import packageJson from '../../../package.json' with { type: 'json' };
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { catchUncaughtErrors } from '../../workflows/actions/uncaught-errors.ts';
import type { AnyWorkflow } from '../../workflows/define.ts';
import { openWorkflowDatabase } from '../../workflows/open-database.ts';
import type { Partition } from '../../workflows/partitions/partition.ts';
import type { Projection } from '../../workflows/projections/projection.ts';
import { haveLag } from '../../workflows/projections/projection-store.ts';
import { readRemainingWork } from '../../workflows/queries/partition-store.ts';
import { type Runner, startRunner } from '../../workflows/runner/runner.ts';
import { interruptible } from '../interrupt.ts';
import { announce, statusOf } from './announce.ts';
import { supervisorGone } from './supervisor-gone.ts';

export interface RunnerCliOptions {
  readonly workflows: readonly AnyWorkflow[];
  readonly projections: readonly Projection[];
  readonly partition: Partition | null;
  readonly actionsAtOnce: number;
  readonly untilIdle: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}

const POLL_INTERVAL_MS = 250;

export async function runRunner(config: Config, options: RunnerCliOptions): Promise<void> {
  const { workflows, projections, partition, actionsAtOnce } = options;
  const log = (sentence: string) => void (options.quiet || process.stderr.write(`${sentence}\n`));
  const { databaseUrl, directDatabaseUrl: directUrl, dataFolder, pool: connections } = config;
  const urls = { ...(databaseUrl && { databaseUrl }), ...(directUrl && { directUrl }) };
  const db = await openWorkflowDatabase({ dataFolder, connections, ...urls });
  const stopCatching = catchUncaughtErrors((sentence) => log(`seine: ${sentence}`));
  try {
    const counts = await interruptible(async (asked) => {
      const runner = await startRunner(db, {
        workflows,
        projections,
        partition,
        actionsAtOnce,
        leaseMs: config.leaseMs,
        endWhenBlockedMs: config.blockedMs,
        version: packageJson.version,
        retention: config.retention,
        say: (sentence) => log(`seine: ${sentence}`),
      });
      const announcing = announce(db, runner, { partition, actionsAtOnce, log });
      try {
        const ends = [aborted(asked), aborted(supervisorGone()), runner.broken];
        if (options.untilIdle) ends.push(idle(db, workflows, runner, partition, asked));
        await Promise.race(ends);
      } finally {
        await announcing.stop();
        await runner.stop();
      }
      return runner.counts;
    }, options);
    log(`Runner stopped. ${statusOf(counts)}`);
    if (options.json) process.stdout.write(`${JSON.stringify(counts)}\n`);
  } finally {
    stopCatching();
    await db.close();
  }
}

/** Resolves when nothing is left to react to, to deliver now, to run, or to apply to projections that are not parked. */
async function idle(
  db: Database,
  workflows: readonly AnyWorkflow[],
  runner: Runner,
  partition: Partition | null,
  signal: AbortSignal,
): Promise<void> {
  const names = workflows.map(({ name }) => name);
  const versions = workflows.map(({ version }) => version);
  while (!signal.aborted) {
    const left = await readRemainingWork(db, names, partition, versions).catch(() => ({ unknown: true }));
    const isProjecting = await haveLag(db, runner.projections()).catch(() => true);
    if (!isProjecting && !Object.values(left).some(Boolean)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
