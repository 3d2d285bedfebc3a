/**
 * A runner: one process that reacts to the events of its workflows, delivers their messages and runs their actions, together with as many
 * others as there are.
 *
 *   reactions   read the parts it holds (holdings.ts), react (reactor.ts)
 *   messages    commands on their way to workflows of these parts (messages/deliver.ts)
 *   projections read models made of the events (projections/projection.ts): one runner each
 *   actions     of any part: whoever has room takes the next (actions/run-actions.ts)
 *
 * Everything it knows it can lose: what it has not committed is done again by whoever takes over. A NOTIFY is only a hint; the look that
 * comes anyway is what counts.
 */
import { startLoop } from '../../base/service.ts';
import type { Database } from '../../db/database.ts';
import { joinWorkers, type Worker } from '../../engine/workers/worker.ts';
import { removeStaleWorkers } from '../../engine/workers/worker-store.ts';
import { expireActionsOf } from '../actions/action-store.ts';
import type { Actions } from '../actions/actions-options.ts';
import { absolveSuspects } from '../actions/claim-store.ts';
import { startActions } from '../actions/run-actions.ts';
import { refuseForeignLog } from '../archive/rebase.ts';
import type { WorkflowRetention } from '../archive/retention.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Mine } from '../messages/message-store.ts';
import type { Partition } from '../partitions/partition.ts';
import type { Projection } from '../projections/projection.ts';
import { type Projections, startProjections } from '../projections/run-projections.ts';
import { CodeLock } from '../user-code/code-lock.ts';
import { staleSnapshot } from '../versions/check-snapshots.ts';
import { checkRunnerOptions } from './check-options.ts';
import { type Crew, startCrew } from './crew.ts';
import { Holdings } from './holdings.ts';
import { type MaintenanceOptions, startMaintenance } from './maintenance.ts';
import { Reactor } from './reactor.ts';
import { Switchboard } from './switchboard.ts';
import { startWatchdog } from './watchdog.ts';

export interface RunnerOptions {
  readonly workflows: readonly AnyWorkflow[];
  /** Read models that are updated from the log, by one of the runners that know them. */
  readonly projections?: readonly Projection[];
  /** One of a fixed number of partitions; slots if it isn't given. */
  readonly partition?: Partition | null;
  /** How long a part stays with a runner that gives no sign of life (10 s). */
  readonly leaseMs?: number;
  /** Actions at a time (32). */
  readonly actionsAtOnce?: number;
  /** How often it looks although nobody said that there is news (1 s). */
  readonly pollMs?: number;
  /** Events in one round (1,000). */
  readonly eventsAtOnce?: number;
  /** Failures at one event until its workflow is parked (5). */
  readonly parkAfter?: number;
  /** After how long a blocked event loop ends the process, so that others go on; null: never (null). */
  readonly endWhenBlockedMs?: number | null;
  readonly version?: string;
  /** How long what has ended is kept (for ever). */
  readonly retention?: WorkflowRetention;
  readonly say?: (sentence: string) => void;
}

/** What it has done since it started. */
export interface RunnerCounts {
  events: number;
  messages: number;
  actions: number;
}

export interface Runner {
  readonly id: string;
  readonly counts: Readonly<RunnerCounts>;
  /** How many parts of each of its workflows it holds now. */
  holds(): { readonly workflow: string; readonly parts: number; readonly total: number }[];
  /** The names of the projections that it can update: not of those that need newer code or another definition. */
  projections(): string[];
  /** Rejects when it can't go on: the layout was changed under its hands. */
  readonly broken: Promise<never>;
  /** Ends in order: what is under way is finished, or given back after `drainMs`. */
  stop(drainMs?: number): Promise<void>;
}

const DRAIN_MS = 30_000;
const KEPT_FOR_EVER: WorkflowRetention = { endedWorkflowsMs: null, commandIdsMs: null };
const STATES_KEPT = 20_000;
/** Without a word for so many leases a runner is forgotten; its parts were taken over long before. */
const FORGOTTEN_AFTER = 30;

export async function startRunner(db: Database, options: RunnerOptions): Promise<Runner> {
  const { workflows, leaseMs = 10_000, pollMs = 1000, endWhenBlockedMs = null } = options;
  await refuseForeignLog(
    db,
    workflows.map(({ name }) => name),
  );
  checkRunnerOptions(options);
  const worker = await join(db, options, leaseMs);
  const stopWatching = endWhenBlockedMs === null ? async () => {} : await startWatchdog(endWhenBlockedMs);
  const board = new Switchboard(db);
  const counts: RunnerCounts = { events: 0, messages: 0, actions: 0 };
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {}); // for whoever looks at it
  const shared = {
    ...options,
    leaseMs,
    pollMs,
    holder: worker.id,
    board,
    counts,
    lock: new CodeLock(),
    broken: broken.reject,
  };
  const actions = startActing(db, shared);
  const posts = workflows.map((workflow) => startPost(db, workflow, shared));
  const crews = posts.map(({ crew }) => crew);
  const projecting = startProjecting(db, shared);
  board.connect(actions, crews, projecting);
  const stopHearing = await board.hear();
  const forgetting = startLoop('forget dead runners', async () => {
    await removeStaleWorkers(db, FORGOTTEN_AFTER * leaseMs).catch(() => {});
    return FORGOTTEN_AFTER * leaseMs;
  });
  const maintenance = startMaintenance(db, maintenanceOf(options, worker.id));
  await board.tellOfLayout();
  const checking = checkSnapshots(db, options);
  return {
    id: worker.id,
    counts,
    holds: () => posts.map(({ crew, holdings: { mine } }) => holdingOf(crew.name, mine)),
    projections: () => projecting.own(),
    broken: broken.promise,
    async stop(drainMs = DRAIN_MS) {
      await stopHearing().catch(() => {});
      const others = [forgetting, maintenance, projecting, ...crews].map((part) => part.stop());
      await Promise.all([actions.stop(drainMs), checking, ...others]);
      await stopWatching();
      await worker.leave().catch(() => {});
      await board.tellOfLayout();
    },
  };
}

function maintenanceOf(
  { workflows, retention = KEPT_FOR_EVER, say = () => {} }: RunnerOptions,
  holder: string,
): MaintenanceOptions {
  return { holder, workflows: workflows.map(({ name }) => name), retention, say };
}

/** Beside the work: it is a hint for developers, and whatever fails there will fail where it matters. */
async function checkSnapshots(db: Database, { workflows, say = () => {} }: RunnerOptions): Promise<void> {
  for (const workflow of workflows) {
    const stale = await staleSnapshot(db, workflow).catch(() => null);
    if (stale !== null) say(stale);
  }
}

interface Shared extends RunnerOptions {
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly holder: string;
  readonly board: Switchboard;
  readonly counts: RunnerCounts;
  readonly lock: CodeLock;
  readonly broken: (error: unknown) => void;
}

function join(
  db: Database,
  { version, workflows, partition }: RunnerOptions,
  leaseMs: number,
): Promise<Worker> {
  return joinWorkers(db, {
    ...(version && { version }),
    role: 'workflows',
    workflows: workflows.map(({ name }) => name),
    workflowVersions: workflows.map((workflow) => workflow.version),
    partition: partition?.index ?? null,
    heartbeatMs: Math.min(2000, leaseMs / 4),
    bury: expireActionsOf,
  });
}

function startActing(db: Database, shared: Shared): Actions {
  const {
    workflows,
    holder,
    leaseMs,
    pollMs,
    actionsAtOnce = 32,
    say = () => {},
    board,
    counts,
    lock,
  } = shared;
  return startActions(db, workflows, {
    lock,
    holder,
    leaseMs,
    pollMs,
    atOnce: actionsAtOnce,
    onError: say,
    ended: (_, ended) => {
      counts.actions += ended;
      board.everybody(
        'events',
        workflows.map(({ name }) => name),
      );
    },
    freed: (workflow) => board.everybody('actions', [workflow]),
  });
}

function startProjecting(db: Database, shared: Shared): Projections {
  const { projections = [], holder, leaseMs, pollMs, say = () => {}, lock } = shared;
  return startProjections(db, projections, { holder, leaseMs, pollMs, say, lock });
}

/** What this runner does for one kind of workflow, and what it holds of it. */
function startPost(db: Database, workflow: AnyWorkflow, shared: Shared): { crew: Crew; holdings: Holdings } {
  const { name } = workflow;
  const { holder, leaseMs, pollMs, partition = null, say = () => {}, board, counts, lock, broken } = shared;
  const holdings = new Holdings(db, {
    workflow: name,
    version: workflow.version,
    holder,
    ttlMs: leaseMs,
    partition,
  });
  const names = shared.workflows.map((one) => one.name);
  const convicted = async () => {
    if ((await absolveSuspects(db, names).catch(() => 0)) > 0) board.everybody('actions', names);
  };
  const reactor = new Reactor(db, workflow, holdings, {
    most: shared.eventsAtOnce ?? 1000,
    parkAfter: shared.parkAfter ?? 5,
    states: STATES_KEPT,
    onConvicted: convicted,
    onParked: (id, error) => say(`${name} ${id} is parked: ${error}`),
  });
  const crew = startCrew(db, workflow, holdings, reactor, {
    leaseMs,
    pollMs,
    say,
    lock,
    convicted,
    reacted: (events) => {
      counts.events += events;
    },
    delivered: (messages) => {
      counts.messages += messages;
      board.here('events', name); // of parts that are held here
    },
    told: (others) => board.everybody('messages', others),
    ended: () => board.ended(name),
    acts: () => board.everybody('actions', [name]),
    broken,
  });
  return { crew, holdings };
}

function holdingOf(workflow: string, { parts, total }: Mine): ReturnType<Runner['holds']>[number] {
  return { workflow, parts: parts.length, total };
}
