/**
 * A runner: one process that reacts to the events of its workflows, delivers their messages and runs their actions, together with as many
 * others as there are.
 *
 *   reactions   read the parts it holds (holdings.ts), react (reactor.ts)
 *   messages    commands on their way to workflows of these parts (messages/deliver.ts)
 *   actions     of any part: whoever has room takes the next (actions/run-actions.ts)
 *
 * Everything it knows it can lose: what it has not committed is done again by whoever takes over. A NOTIFY is only a hint; the look that
 * comes anyway is what counts.
 */
import type { Database } from '../../db/database.ts';
import { joinWorkers } from '../../engine/workers/worker.ts';
import {
  Herald,
  hintOf,
  LAYOUT_PREFIX,
  type News,
  tellRunners,
  WORKFLOW_CHANNEL,
} from '../../events/herald.ts';
import { expireActionsOf } from '../actions/action-store.ts';
import { startActions } from '../actions/run-actions.ts';
import { refuseForeignLog } from '../archive/rebase.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Partition } from '../partitions/partition.ts';
import { type Crew, startCrew } from './crew.ts';
import { Holdings } from './holdings.ts';
import { Reactor } from './reactor.ts';

export interface RunnerOptions {
  readonly workflows: readonly AnyWorkflow[];
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
  readonly version?: string;
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
  /** Rejects when it can't go on: the layout was changed under its hands. */
  readonly broken: Promise<never>;
  /** Ends in order: what is under way is finished, or given back after `drainMs`. */
  stop(drainMs?: number): Promise<void>;
}

const DRAIN_MS = 30_000;
const STATES_KEPT = 20_000;

export async function startRunner(db: Database, options: RunnerOptions): Promise<Runner> {
  const { workflows, leaseMs = 10_000, pollMs = 1000, actionsAtOnce = 32, say = () => {} } = options;
  const names = workflows.map(({ name }) => name);
  await refuseForeignLog(db, names);
  const counts: RunnerCounts = { events: 0, messages: 0, actions: 0 };
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {}); // for whoever looks at it
  const worker = await joinWorkers(db, {
    ...(options.version && { version: options.version }),
    role: 'workflows',
    workflows: names,
    heartbeatMs: Math.min(2000, leaseMs / 4),
    bury: expireActionsOf,
  });
  const herald = new Herald(db);
  const held = new Map<string, Holdings>();
  const crews: Crew[] = [];
  /** Others hold parts of these workflows too. */
  const wake = (news: News, some: Iterable<string>) => {
    for (const name of some) {
      herald.tell(news, name);
      for (const crew of crews) if (crew.name === name) crew.wake(news);
    }
  };
  const actions = startActions(db, workflows, {
    holder: worker.id,
    leaseMs,
    atOnce: actionsAtOnce,
    pollMs,
    onError: say,
    ended: (_, ended) => {
      counts.actions += ended;
      wake('events', names);
    },
  });
  for (const workflow of workflows) {
    const { name } = workflow;
    const { partition = null } = options;
    const holdings = new Holdings(db, { workflow: name, holder: worker.id, ttlMs: leaseMs, partition });
    held.set(name, holdings);
    const reactor = new Reactor(db, workflow, holdings, {
      most: options.eventsAtOnce ?? 1000,
      parkAfter: options.parkAfter ?? 5,
      states: STATES_KEPT,
      onParked: (id, error) => say(`${name} ${id} is parked: ${error}`),
    });
    const crew = startCrew(db, workflow, holdings, reactor, {
      leaseMs,
      pollMs,
      say,
      reacted: (events) => {
        counts.events += events;
      },
      delivered: (messages) => {
        counts.messages += messages;
        for (const one of crews) if (one.name === name) one.wake('events'); // of parts that are held here
      },
      told: (some) => wake('messages', some),
      acts: () => {
        actions.wake();
        herald.tell('actions', name);
      },
      broken: broken.reject,
    });
    crews.push(crew);
  }
  const stopHearing = await db.listen(WORKFLOW_CHANNEL, (said) => {
    const { news, workflow } = hintOf(said);
    if (workflow !== null && !names.includes(workflow)) return;
    if (news === null || news === 'actions') actions.wake();
    if (news === 'actions') return;
    for (const crew of crews)
      if (workflow === null || crew.name === workflow) crew.wake(workflow === null ? 'layout' : news);
  });
  const tellOthers = () =>
    Promise.all(names.map((name) => tellRunners(db, `${LAYOUT_PREFIX}${name}`).catch(() => {})));
  await tellOthers();
  return {
    id: worker.id,
    counts,
    holds: () =>
      [...held].map(([workflow, { mine }]) => ({ workflow, parts: mine.parts.length, total: mine.total })),
    broken: broken.promise,
    async stop(drainMs = DRAIN_MS) {
      await stopHearing().catch(() => {});
      await Promise.all([actions.stop(drainMs), ...crews.map((crew) => crew.stop())]);
      await worker.leave().catch(() => {});
      await tellOthers();
    },
  };
}
