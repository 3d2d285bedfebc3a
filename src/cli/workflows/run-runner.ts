/** The life of `seine runner`: joins, says what it holds, ends in order when it is asked to, or when nothing is left to do. */
import packageJson from '../../../package.json' with { type: 'json' };
import { startLoop } from '../../base/service.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { catchStrayErrors } from '../../workflows/actions/stray-errors.ts';
import type { AnyWorkflow } from '../../workflows/define.ts';
import { whatIsLeft } from '../../workflows/look/partition-store.ts';
import { openWorkflowDatabase } from '../../workflows/open-database.ts';
import { readersOf } from '../../workflows/partitions/layout-store.ts';
import type { Partition } from '../../workflows/partitions/partition.ts';
import { type Runner, startRunner } from '../../workflows/runner/runner.ts';
import { interruptible } from '../interrupt.ts';
import { counted } from '../output/quantities.ts';
import { supervisorGone } from './supervised.ts';

export interface RunnerCliOptions {
  readonly workflows: readonly AnyWorkflow[];
  readonly partition: Partition | null;
  readonly actionsAtOnce: number;
  readonly untilIdle: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}

const STATUS_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 250;

export async function runRunner(config: Config, options: RunnerCliOptions): Promise<void> {
  const { workflows, partition, actionsAtOnce } = options;
  const say = (sentence: string) => void (options.quiet || process.stderr.write(`${sentence}\n`));
  const names = workflows.map(({ name }) => name);
  const { databaseUrl, directDatabaseUrl: directUrl, dataFolder, pool: connections } = config;
  const urls = { ...(databaseUrl && { databaseUrl }), ...(directUrl && { directUrl }) };
  const db = await openWorkflowDatabase({ dataFolder, connections, ...urls });
  const letStrayErrorsEndIt = catchStrayErrors((sentence) => say(`seine: ${sentence}`));
  try {
    const counts = await interruptible(async (asked) => {
      const runner = await startRunner(db, {
        workflows,
        partition,
        actionsAtOnce,
        leaseMs: config.leaseMs,
        version: packageJson.version,
        say: (sentence) => say(`seine: ${sentence}`),
      });
      const id = runner.id.slice(0, 8);
      say(`Runner ${id} is ready: ${names.join(', ')}; ${counted(actionsAtOnce, 'action')} at a time.`);
      const telling = startTelling(db, runner, partition, say);
      try {
        const ends = [aborted(asked), aborted(supervisorGone()), runner.broken];
        if (options.untilIdle) ends.push(idle(db, names, partition, asked));
        await Promise.race(ends);
      } finally {
        await telling.stop();
        await runner.stop();
      }
      return runner.counts;
    }, options);
    say(`Runner ended. ${statusOf(counts)}`);
    if (options.json) process.stdout.write(`${JSON.stringify(counts)}\n`);
  } finally {
    letStrayErrorsEndIt();
    await db.close();
  }
}

/** What it holds whenever that changes, and now and then what it has done. */
function startTelling(
  db: Database,
  runner: Runner,
  partition: Partition | null,
  say: (sentence: string) => void,
) {
  const told = new Map<string, string>();
  let next = performance.now() + STATUS_EVERY_MS;
  return startLoop('tell', async () => {
    for (const held of runner.holds()) {
      const sentence = await holdingOf(db, runner.id, held, partition).catch(() => null);
      if (sentence === null || told.get(held.workflow) === sentence) continue;
      told.set(held.workflow, sentence);
      say(`${held.workflow}: ${sentence}`);
    }
    if (performance.now() >= next) {
      next = performance.now() + STATUS_EVERY_MS;
      say(statusOf(runner.counts));
    }
    return LOOK_EVERY_MS;
  });
}

/** Null: not known yet. */
async function holdingOf(
  db: Database,
  me: string,
  { workflow, parts, total }: ReturnType<Runner['holds']>[number],
  partition: Partition | null,
): Promise<string | null> {
  if (partition === null) return parts > 0 ? `holds ${parts} of ${total} slots.` : null;
  const which = `partition ${partition.index} of ${partition.total}`;
  if (parts > 0) return `holds ${which}.`;
  const reader = (await readersOf(db, workflow))[partition.index];
  if (!reader || reader.holder === null || reader.holder === me) return null;
  const who = reader.host === null ? `runner ${reader.holder}` : `${reader.host}, pid ${reader.pid}`;
  return `${which} is held by ${who}; standing by.`;
}

/** Resolves when nothing is left to react to, to deliver now, or to run. */
async function idle(
  db: Database,
  names: readonly string[],
  partition: Partition | null,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const left = await whatIsLeft(db, names, partition).catch(() => ({ unknown: true }));
    if (!Object.values(left).some(Boolean)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function statusOf({ events, messages, actions }: Runner['counts']): string {
  return `${counted(events, 'event')}, ${counted(messages, 'message')}, ${counted(actions, 'action')} so far.`;
}
