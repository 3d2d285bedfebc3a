/**
 * One run: a small cluster on the real SQL, moved by a seed. Workers claim, scan, split, die; people pause, cancel, retry; a leader
 * changes; the clock only advances when the seed says so. It ends when no actor has anything left to do.
 */
import { messageOf, SeineError } from '../../src/base/errors.ts';
import { many } from '../../src/db/database.ts';
import { expireLeasesOf } from '../../src/engine/workers/worker-store.ts';
import type { Actor, Role, StatementFault } from './actor.ts';
import { failedWithoutCause, violatedInvariants } from './invariants.ts';
import { resume, retry, roleFor } from './operators.ts';
import { Choices } from './random.ts';
import { drawScenario, type OperatorAction } from './scenario.ts';
import { type Stage, setStage, TTL_MS } from './stage.ts';
import { Turn } from './turn.ts';
import { retryThroughOutage, startWorker, uuidOf, type Worker } from './worker.ts';
import type { World } from './world.ts';

export interface Run {
  readonly seed: number;
  /** Each a sentence. */
  readonly broken: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly trace: readonly string[];
}

export async function simulate(world: World, seed: number): Promise<Run> {
  await world.clear();
  const choices = new Choices(seed);
  const stage = await setStage(world, seed, choices, drawScenario(choices, seed));
  const play = new SimulationRun(stage);
  let broken: string[];
  try {
    await play.run();
    broken = await violatedInvariants(stage);
  } catch (error) {
    broken = [...world.scheduler.failures, messageOf(error)];
  }
  const trace = [...world.scheduler.trace];
  return { seed, broken, counts: stage.counts, trace };
}

const MAX_TURNS = 5000;
const MAX_NIGHTS = 100;
const MAX_RETRIES = 4;
/** The first number of actors that are not workers. */
const FIRST_OPERATOR_ID = 1000;
/** How often idle actors check for work while others are busy. */
const NAPPERS_TURN = 0.06;

class SimulationRun {
  readonly #stage: Stage;
  readonly #choices: Choices;
  readonly #scheduler;
  #workers: Worker[] = [];
  #born = 0;
  #faultsLeft: number;
  #operatorActions: Stage['scenario']['operatorActions'];
  readonly #turn: Turn;
  #retries = 0;
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
    for (const { wall, source } of stage.scans)
      if (wall !== null) source.failList(wall, new SeineError('permission', 'no entry'), 1e9);
  }

  async run(): Promise<void> {
    while (this.#scheduler.failures.length === 0) {
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
    const ends = actor.statement.startsWith('insert into sent') && actor.params?.[0] === 'finalize';
    if (fault !== null) await this.#scheduler.turn(actor, fault);
    if (ends) this.#hurry();
  }

  /** Waiting for the end of a scan does not include its hooks. */
  #hurry(): void {
    const soon = this.#scheduler.turns + this.#choices.below(20);
    this.#operatorActions = this.#operatorActions
      .map((action) =>
        action.action === 'retry as it ends' ? { ...action, turn: Math.min(action.turn, soon) } : action,
      )
      .sort((a, b) => a.turn - b.turn);
  }

  async #hire(): Promise<void> {
    this.#workers = this.#workers.filter(({ actor }) => actor.alive);
    while (this.#workers.length < this.#stage.scenario.workers)
      this.#workers.push(await startWorker(this.#stage, ++this.#born));
  }

  async #runOperators(): Promise<void> {
    if (this.#stage.leaderWanted) {
      this.#stage.leaderWanted = false;
      await this.#act('lead', 0);
    }
    while (this.#operatorActions[0] && this.#operatorActions[0].turn <= this.#scheduler.turns) {
      const { action, scan } = this.#operatorActions[0];
      this.#operatorActions = this.#operatorActions.slice(1);
      await this.#act(action, scan);
    }
  }

  async #act(action: OperatorAction, scan: number): Promise<void> {
    this.#stage.note(action);
    const id = uuidOf(FIRST_OPERATOR_ID + this.#operators);
    const own = new Choices(this.#stage.seed, id);
    await this.#enter(action, roleFor(action, this.#stage.scans[scan]!, this.#stage, own, id));
  }

  async #enter(name: string, role: Role): Promise<void> {
    const n = this.#operators++;
    await this.#scheduler.start(`${name} ${n}`, uuidOf(FIRST_OPERATOR_ID + n), role);
  }

  /** No actor has anything to do: the clock advances, operators handle what is left. */
  async #night(): Promise<'over' | 'goes on'> {
    this.#stage.wakeUps++;
    if (++this.#nights > MAX_NIGHTS) throw new Error('No actor has anything to do, and it has not ended.');
    const nappers = this.#scheduler.actors.filter(({ state }) => state === 'napping');
    const open = await this.#unfinished();
    if (this.#operatorActions.length > 0)
      this.#operatorActions = this.#operatorActions.map((action) => ({ ...action, turn: 0 }));
    else if (open.length === 0 && nappers.every(isWorker) && !(await this.#retryAtTheEnd())) return 'over';
    for (const { scan, paused } of open) if (paused) await this.#enter('resume', resume(this.#scan(scan)));
    await this.#stage.world.clock.advance(Math.max(1, ...open.map(({ wait }) => wait ?? TTL_MS)) + 1);
    for (const actor of nappers) await this.#scheduler.turn(actor, 'goes on');
    return 'goes on';
  }

  /** Scans and jobs, and how long to wait until something of them can be claimed. */
  #unfinished(): Promise<{ scan: number; paused: boolean; wait: number | null }[]> {
    return many(
      this.#stage.world.db,
      `select scan.id as scan, lease_group.paused,
              (select 1000 * extract(epoch from min(coalesce(expires_at, not_before)) - clock())::float8
               from range_lease where group_id = lease_group.id and state in ('waiting', 'held')
                 and coalesce(expires_at, not_before) >= clock()) as wait
       from scan join lease_group on lease_group.id = scan.id
       where scan.id = any($1::bigint[]) and (finished_at is null or exists (select 1 from sent where not taken))`,
      [this.#stage.scans.map(({ id }) => id)],
    );
  }

  /** An operator sometimes retries what failed; always if an object was blamed for a crash that others caused. */
  async #retryAtTheEnd(): Promise<boolean> {
    if (this.#retries >= MAX_RETRIES) return false;
    this.#retries++;
    let any = false;
    for (const scan of this.#stage.scans) {
      const must = await failedWithoutCause(this.#stage, scan);
      if (!must && (this.#retries > 1 || this.#choices.chance(0.5))) continue;
      await this.#enter('retry at the end', retry(scan, this.#stage, this.#choices.chance(0.7)));
      any = true;
    }
    if (any && this.#choices.chance(0.25)) await this.#act('lead', 0);
    if (any && this.#choices.chance(0.1)) await this.#act('cancel', 0);
    return any;
  }

  /** Null: whatever it was about to do, it has lost its connection. */
  async #injectFault(actor: Actor): Promise<StatementFault | null> {
    const { scenario } = this.#stage;
    // Commits, the state of scans and leadership get more faults than the rest.
    const chance = scenario.chance * (/^(commit|update scan|insert into led)/.test(actor.statement) ? 3 : 1);
    const over = this.#faultsLeft === 0 || this.#scheduler.turns < scenario.faultFreeTurns;
    if (over || scenario.faults.length === 0 || !this.#choices.chance(chance)) return 'goes on';
    this.#faultsLeft--;
    const fault = this.#choices.of(scenario.faults);
    this.#stage.note(fault);
    switch (fault) {
      case 'crash before':
        return 'dies before';
      case 'crash after':
        return 'dies after';
      case 'statement lost':
        return 'cut off';
      case 'answer lost':
        return 'lost';
      case 'pause beyond the lease':
        actor.asleepUntil = this.#scheduler.turns + this.#choices.between(5, 100);
        await this.#stage.world.clock.advance(3 * TTL_MS);
        this.#stage.wakeUps++;
        return 'goes on';
      case 'listing refused':
        this.#refuseListing();
        return 'goes on';
      case 'reading refused':
        this.#refuseReading();
        return 'goes on';
      case 'job delivered twice':
        await this.#stage.world.db.query('update sent set taken = false', []);
        return 'goes on';
      case 'asked to stop':
        this.#choices.of(this.#workers).stop.abort();
        return 'goes on';
      case 'server restarted':
        await this.#scheduler.restartServer();
        return null;
      case 'taken for dead':
        await this.#bury(this.#choices.of(this.#workers));
        this.#stage.wakeUps++;
        return 'goes on';
    }
  }

  async #bury({ id }: Worker): Promise<void> {
    await this.#enter('undertaker', async (db) => {
      await retryThroughOutage(() => expireLeasesOf(db, id));
    });
  }

  #refuseListing(): void {
    const scan = this.#choices.of(this.#stage.scans);
    const key = this.#choices.of(scan.keys);
    if (key !== scan.wall) scan.source.failList(key, new SeineError('unavailable', 'slow down'), 1);
  }

  /** The threads report an unreachable store as a fault; the shard is released with a backoff. */
  #refuseReading(): void {
    const { queue } = this.#choices.of(this.#workers).threads;
    if (queue) queue.fault ??= new SeineError('unavailable', 'slow down');
  }

  #scan(id: number) {
    return this.#stage.scans.find((scan) => scan.id === id)!;
  }
}

function isWorker(actor: Actor): boolean {
  return actor.name.startsWith('worker');
}
