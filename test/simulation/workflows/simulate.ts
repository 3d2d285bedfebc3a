/**
 * One run: a few runners on the real SQL, moved by a seed. Callers send commands; runners react, deliver, act, die, join and leave;
 * people pause, scale and retry; the clock only advances when the seed says so. It ends when no actor has anything left to do.
 */
import { messageOf } from '../../../src/base/errors.ts';
import { type Database, one } from '../../../src/db/database.ts';
import { expireLeasesOf } from '../../../src/engine/workers/worker-store.ts';
import { expireActionsOf } from '../../../src/workflows/actions/action-store.ts';
import type { Partition } from '../../../src/workflows/partitions/partition.ts';
import { type PartitionSpec, partitionSpecOf } from '../../../src/workflows/partitions/partitioning.ts';
import { readPartitioning } from '../../../src/workflows/partitions/partitioning-store.ts';
import type { Actor, Role, StatementFault } from '../actor.ts';
import { Choices } from '../random.ts';
import type { Run } from '../simulate.ts';
import { Turn } from '../turn.ts';
import { retryThroughOutage, uuidOf } from '../worker.ts';
import { failedWithoutCause, violatedInvariants } from './invariants.ts';
import { call, retry, roleFor } from './operators.ts';
import { NAME } from './relay.ts';
import { type Runner, startRunner } from './runner.ts';
import { drawScenario, type OperatorAction } from './scenario.ts';
import { type Stage, setStage, TTL_MS } from './stage.ts';
import type { World } from './world.ts';

export async function simulate(world: World, seed: number): Promise<Run> {
  await world.clear();
  const choices = new Choices(seed, 'workflows');
  const stage = setStage(world, seed, choices, drawScenario(choices));
  let broken: string[];
  try {
    await new SimulationRun(stage).run();
    broken = await violatedInvariants(stage);
  } catch (error) {
    broken = [...world.scheduler.failures, messageOf(error)];
  }
  return { seed, broken, counts: stage.counts, trace: [...world.scheduler.trace] };
}

const MAX_TURNS = 12_000;
const MAX_NIGHTS = 150;
/** The first number of actors that are not runners. */
const FIRST_OPERATOR_ID = 1000;
/** How often idle actors check for work while others are busy. */
const NAPPERS_TURN = 0.1;

class SimulationRun {
  readonly #stage: Stage;
  readonly #choices: Choices;
  readonly #scheduler;
  #runners: Runner[] = [];
  #expected: number;
  #born = 0;
  #faultsLeft: number;
  #operatorActions: Stage['scenario']['operatorActions'];
  #callers: Stage['scenario']['callers'];
  readonly #turn: Turn;
  #operators = 0;
  #nights = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#choices = stage.choices;
    this.#scheduler = stage.world.scheduler;
    const { repeatProbability } = stage.scenario;
    this.#turn = new Turn(stage.world.scheduler, stage.choices, {
      repeatProbability,
      nappersTurn: NAPPERS_TURN,
    });
    this.#faultsLeft = stage.scenario.maxFaults;
    this.#operatorActions = stage.scenario.operatorActions;
    this.#callers = stage.scenario.callers;
    this.#expected = stage.scenario.runners;
  }

  async run(): Promise<void> {
    while (this.#scheduler.failures.length === 0 && this.#stage.broken.length === 0) {
      if (this.#scheduler.turns > MAX_TURNS) throw new Error(`It has not ended after ${MAX_TURNS} turns.`);
      await this.#hire();
      await this.#runOperators();
      const actor = this.#turn.next();
      if (actor) await this.#move(actor);
      else if (!(await this.#scheduler.waitForLocks()) && (await this.#night()) === 'over') return;
    }
  }

  async #move(actor: Actor): Promise<void> {
    const fault = await this.#injectFault(actor);
    if (fault !== null) await this.#scheduler.turn(actor, fault);
    if (actor.alive) return;
    const process = this.#runners.find((runner) => runner.has(actor));
    if (process && (process.died || fault?.startsWith('dies'))) await process.kill();
  }

  /** As many as there shall be, and in the static way one for each partition at least. */
  async #hire(): Promise<void> {
    const before = this.#runners.length;
    this.#runners = this.#runners.filter(({ actors }) => actors.length > 0);
    if (before > 0 && this.#runners.length === before && before >= this.#expected) return;
    const shape = await this.#partitioning();
    for (const partition of this.#missing(shape))
      this.#runners.push(await startRunner(this.#stage, ++this.#born, partition));
  }

  #missing(shape: PartitionSpec): (Partition | null)[] {
    const fitting = this.#runners.filter(({ leaving }) => !leaving);
    if (shape === 'slots') return Array(Math.max(0, this.#expected - fitting.length)).fill(null);
    const parts = Array.from({ length: shape }, (_, index): Partition => ({ index, total: shape }));
    const bare = parts.filter(
      ({ index, total }) =>
        !fitting.some(({ partition }) => partition?.index === index && partition.total === total),
    );
    const spare = this.#expected > shape && fitting.length + bare.length < this.#expected;
    return spare ? [...bare, this.#choices.of(parts)] : bare;
  }

  async #partitioning(): Promise<PartitionSpec> {
    const layout = await readPartitioning(this.#stage.world.db, NAME);
    return layout ? partitionSpecOf(layout) : this.#stage.scenario.partitioning;
  }

  async #runOperators(): Promise<void> {
    const { turns } = this.#scheduler;
    for (const caller of this.#callers.filter(({ turn }) => turn <= turns)) {
      const n = this.#operators;
      await this.#enter('caller', call(this.#stage, n, caller, new Choices(this.#stage.seed, `caller ${n}`)));
    }
    this.#callers = this.#callers.filter(({ turn }) => turn > turns);
    const due = this.#operatorActions.filter(({ turn }) => turn <= turns);
    this.#operatorActions = this.#operatorActions.filter(({ turn }) => turn > turns);
    for (const { action } of due) await this.#act(action);
  }

  async #act(action: OperatorAction): Promise<void> {
    this.#stage.note(action);
    if (action === 'join') this.#expected++;
    else if (action === 'leave') this.#choices.of(this.#runners).leaving = true;
    else
      await this.#enter(
        action,
        roleFor(action, this.#stage, new Choices(this.#stage.seed, `${this.#operators}`)),
      );
  }

  async #enter(name: string, role: Role): Promise<void> {
    const n = this.#operators++;
    await this.#scheduler.start(`${name} ${n}`, uuidOf(FIRST_OPERATOR_ID + n), role);
  }

  /** What waits for it would wait for ever. */
  async #deployNewer(): Promise<void> {
    const shape = await this.#partitioning();
    const parts =
      shape === 'slots' ? [null] : Array.from({ length: shape }, (_, index) => ({ index, total: shape }));
    const isServed = (part: Partition | null) =>
      this.#runners.some(
        ({ version, leaving, partition }) =>
          version === 2 && !leaving && partition?.index === part?.index && partition?.total === part?.total,
      );
    for (const part of parts.filter((one) => !isServed(one))) {
      this.#stage.note('newer code deployed');
      this.#runners.push(await startRunner(this.#stage, ++this.#born, part, 2));
    }
  }

  /** No actor has anything to do: the clock advances, operators handle what is left. */
  async #night(): Promise<'over' | 'goes on'> {
    const { db } = this.#stage.world;
    if (++this.#nights > MAX_NIGHTS)
      throw new Error(
        `No actor has anything to do, and it has not ended: ${JSON.stringify(await openIn(db))}`,
      );
    const open = await openIn(db);
    const rest = Object.values(open.open).every((n) => n === 0);
    if (!rest && this.#stage.isMixed && this.#nights > 1) await this.#deployNewer();
    if (this.#operatorActions.length > 0 || this.#callers.length > 0) {
      this.#operatorActions = this.#operatorActions.map((action) => ({ ...action, turn: 0 }));
      this.#callers = this.#callers.map((caller) => ({ ...caller, turn: 0 }));
    } else if (rest && this.#nights > 1) {
      if (!(await failedWithoutCause(this.#stage))) return 'over';
      await this.#enter('retry', retry());
    }
    const wait = this.#choices.chance(0.7) ? open.wait : null;
    await this.#stage.world.clock.advance((wait ?? TTL_MS) + 1);
    for (const actor of this.#scheduler.actors)
      if (actor.state === 'napping') await this.#scheduler.turn(actor, 'goes on');
    return 'goes on';
  }

  /** Null: whatever it was about to do, it has lost its connection. */
  async #injectFault(actor: Actor): Promise<StatementFault | null> {
    const { scenario } = this.#stage;
    // Commits get more faults than the rest, and pending writes most of all.
    const weight =
      actor.statement === 'begin' ? 6 : /^(commit|update|insert|with mine)/.test(actor.statement) ? 3 : 1;
    const chance = scenario.chance * weight;
    if (this.#faultsLeft === 0 || scenario.faults.length === 0 || !this.#choices.chance(chance))
      return 'goes on';
    this.#faultsLeft--;
    const fault = this.#choices.of(scenario.faults);
    this.#stage.note(fault);
    switch (fault) {
      case 'crash before':
        return isRunner(actor) ? 'dies before' : 'cut off';
      case 'crash after':
        return isRunner(actor) ? 'dies after' : 'lost';
      case 'statement lost':
        return 'cut off';
      case 'answer lost':
        return 'lost';
      case 'pause beyond the lease':
        for (const one of this.#runners.find((runner) => runner.has(actor))?.actors ?? [actor])
          one.asleepUntil = this.#scheduler.turns + this.#choices.between(5, 100);
        await this.#stage.world.clock.advance(3 * TTL_MS);
        return 'goes on';
      case 'server restarted':
        await this.#scheduler.restartServer();
        return null;
      case 'taken for dead':
        await this.#removeRunner(this.#choices.of(this.#runners));
        return 'goes on';
    }
  }

  async #removeRunner({ id }: Runner): Promise<void> {
    await this.#enter('undertaker', async (db) => {
      await retryThroughOutage(() => expireLeasesOf(db, id));
      await retryThroughOutage(() => db.tx((tx) => expireActionsOf(tx, id)));
    });
  }
}

function isRunner(actor: Actor): boolean {
  return actor.name.startsWith('runner');
}

interface Open {
  readonly open: Readonly<Record<string, number>>;
  /** Time until the next timer, expiry or retry is due. */
  readonly wait: number | null;
}

async function openIn(db: Database): Promise<Open> {
  const { wait, ...open } = await one<{
    behind: number;
    messages: number;
    actions: number;
    wait: number | null;
  }>(
    db,
    `select (select count(*) from workflow left join reaction on workflow_key = key
             where parked_at is null and workflow.version > coalesce(reaction.version, 0)) as behind,
            (select count(*) from message where parked_at is null) as messages,
            (select count(*) from action join workflow on workflow.key = workflow_key
             where state in ('waiting', 'running') and workflow.status in ('running', 'paused')) as actions,
            (select 1000 * extract(epoch from min(at) - clock())::float8
             from (select retry_at from reaction where parked_at is null
                   union all select due_at from message where parked_at is null and due_at < 'infinity'
                   union all select coalesce(expires_at, due_at) from action where state in ('waiting', 'running')
                   union all select expires_at from range_lease where state = 'held') as t(at)
             where at >= clock()) as wait`,
    [],
  );
  return { open, wait };
}
