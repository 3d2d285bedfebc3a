/** Faults of workflow runners. Afterwards: each effect once, no event skipped, each workflow's in order. */
import { one } from '../../src/db/database.ts';
import { peakMemory } from '../../test/support/processes.ts';
import { killRunnersInTurn } from '../../test/support/workflows/kill-runners.ts';
import { mixVersions } from '../../test/support/workflows/mixed-versions.ts';
import { type Audit, faultsOf, openRunners, type Runners } from '../../test/support/workflows/runners.ts';
import { scaled } from '../benchmark.ts';
import { count } from '../figures.ts';
import type { Result, Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';

const LEASE_MS = 1000;
const KILLS = 100;
const MIXED_MS = 10 * 60_000;
const EVENTS = 1_000_000;
const AT_ONCE = 1000;

export function runnerScenarios(): Scenario[] {
  return [
    {
      name: 'runners-slots',
      about: 'kill -9 of runners under load, 100 times, in slots that move',
      play: (stage) => kill(stage, 'runners-slots', [null, null, null, null]),
    },
    {
      name: 'runners-static',
      about: 'kill -9 of runners under load, 100 times, in static partitions',
      play: (stage) => kill(stage, 'runners-static', ['0/4', '1/4', '2/4', '3/4']),
    },
    {
      name: 'workflow-versions',
      about:
        'runners and clients of two versions of a workflow for ten minutes, with kills and returns to the old version',
      play: mixedVersions,
    },
    {
      name: 'long-story',
      about: 'one workflow with a million events: reacted to, then folded again by a new runner',
      play: longHistory,
    },
  ];
}

async function kill(stage: Stage, name: string, partitions: readonly (string | null)[]): Promise<Result> {
  const { bench } = stage;
  return withRunners(async (runners) => {
    const wanted = scaled(bench, KILLS, 4);
    const { audit, kills } = await killRunnersInTurn(runners, {
      kills: wanted,
      partitions,
      seed: bench.seed,
    });
    const { events, effects, again } = audit;
    const done = `${kills} kills; ${count(events)} events, ${count(effects)} effects, ${again} calls of the dead repeated`;
    return { done, scans: [], also: [whole(name, audit)] };
  });
}

/** Half of the time in slots, half in static partitions. */
async function mixedVersions({ bench }: Stage): Promise<Result> {
  const forMs = scaled(bench, MIXED_MS, 40_000) / 2;
  const { seed } = bench;
  const mixed = [
    await mixVersions({ forMs, partitions: [null, null], seed }),
    await mixVersions({ forMs, partitions: ['0/2', '1/2'], seed }),
  ];
  const sum = (of: 'kills' | 'rollbacks' | 'events' | 'eventsOfVersion2' | 'refused') =>
    count(mixed.reduce((all, one) => all + one[of], 0));
  const waited = Math.max(...mixed.map((one) => one.waited));
  const faults = mixed.flatMap((one) => one.faults);
  const faultText = faults.length > 0 ? ` (${faults.join('; ')})` : '';
  return {
    done:
      `${sum('kills')} kills, ${sum('rollbacks')} times without version 2; ${sum('events')} events, ${sum('eventsOfVersion2')} of version 2; ` +
      `${sum('refused')} commands of old clients refused; up to ${waited} workflows waited`,
    scans: [],
    also: [
      {
        holds: faults.length === 0,
        what: `workflow-versions: nothing was processed by code that does not know it, everything once and in order${faultText}`,
      },
    ],
  };
}

async function longHistory({ bench }: Stage): Promise<Result> {
  return withRunners(async (runners) => {
    const walks = scaled(bench, EVENTS / AT_ONCE, 20);
    const runner = await runners.start();
    await runners.send(['short']);
    await runners.settled();
    const before = peakMemory(runner.pid)!;
    for (let n = 0; n < walks; n++) await runners.send(['long'], { type: 'walk', steps: AT_ONCE });
    await caughtUp(runners);
    const audit = await runners.settled();
    const peak = peakMemory(runner.pid)!;
    await runners.start();
    runner.kill('SIGTERM');
    await runner.ended;
    await runners.send(['long']);
    const after = await runners.settled();
    const done = `${count(audit.events)} events; ${Math.round(before)} MB before, ${Math.round(peak)} MB at most`;
    const flat = { holds: peak < before + 150, what: 'long-story: memory does not grow with the story' };
    return { done, scans: [], also: [whole('long-story', audit), whole('long-story', after), flat] };
  });
}

/** Waits without a time limit as long as there is progress. */
async function caughtUp({ db }: Runners): Promise<void> {
  for (let last = -1; ; ) {
    const { left, reacted } = await one<{ left: number; reacted: number }>(
      db,
      `select coalesce(sum(workflow.version - coalesce(reaction.version, 0)), 0)::bigint as left,
              coalesce(sum(reaction.version), 0)::bigint as reacted
       from workflow left join reaction on workflow_key = key`,
    );
    if (left === 0) return;
    if (reacted === last) throw new Error(`${left} events are left, and no runner reacts.`);
    last = reacted;
    await new Promise((resolve) => setTimeout(resolve, 10_000));
  }
}

function whole(name: string, audit: Audit) {
  const faults = faultsOf(audit);
  const faultText = faults.length > 0 ? ` (${faults.join('; ')})` : '';
  return {
    holds: faults.length === 0,
    what: `${name}: each effect once, no event skipped, all in order${faultText}`,
  };
}

async function withRunners<T>(work: (runners: Runners) => Promise<T>): Promise<T> {
  const runners = await openRunners(LEASE_MS);
  try {
    return await work(runners);
  } finally {
    await runners.close();
  }
}
