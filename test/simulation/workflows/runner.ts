/**
 * A runner's process: one actor reacts, one delivers messages, one runs actions, each with a connection of its own, as in
 * src/workflows/runner/workflow-loops.ts, but without loops that live by timers. They die together.
 */
import { messageOf, SeineError } from '../../../src/base/errors.ts';
import { withRetry } from '../../../src/base/retry.ts';
import type { Database } from '../../../src/db/database.ts';
import { recordHeartbeat, registerWorker, removeWorker } from '../../../src/engine/workers/worker-store.ts';
import { deliverDue } from '../../../src/workflows/messages/deliver.ts';
import { nextDue } from '../../../src/workflows/messages/message-store.ts';
import type { Partition } from '../../../src/workflows/partitions/partition.ts';
import { PartitionAssignment } from '../../../src/workflows/partitions/partition-assignment.ts';
import { Reactor } from '../../../src/workflows/reactions/reactor.ts';
import { type Actor, ActorKilled } from '../actor.ts';
import { Choices } from '../random.ts';
import { uuidOf } from '../worker.ts';
import { actOnce } from './acting.ts';
import { NAME, relay } from './relay.ts';
import { PARK_AFTER, type Stage, TTL_MS } from './stage.ts';

export interface Runner {
  readonly id: string;
  readonly partition: Partition | null;
  /** Of its code. */
  readonly version: number;
  /** Those that are alive. */
  readonly actors: readonly Actor[];
  /** What it did ended it. */
  readonly died: boolean;
  /** Requests a stop: it finishes what is in progress and releases its leases. */
  leaving: boolean;
  /** One of its actors, alive or not. */
  has(actor: Actor): boolean;
  kill(): Promise<void>;
}

const STATES = 3;

export async function startRunner(
  stage: Stage,
  n: number,
  partition: Partition | null,
  version = stage.versionOf(`runner ${n}`),
): Promise<Runner> {
  const process = new Process(stage, n, partition, version);
  await process.start();
  return process;
}

class Process implements Runner {
  readonly id: string;
  readonly partition: Partition | null;
  readonly version: number;
  leaving = false;
  died = false;
  readonly #stage: Stage;
  readonly #name: string;
  readonly #choices: Choices;
  readonly #actors: Actor[] = [];
  #assignment: PartitionAssignment | null = null;
  /** The layout is another one now, or it has left. */
  #over = false;

  constructor(stage: Stage, n: number, partition: Partition | null, version: number) {
    this.id = uuidOf(n);
    this.version = version;
    this.partition = partition;
    this.#stage = stage;
    this.#name = `runner ${n}`;
    this.#choices = new Choices(stage.seed, this.#name);
  }

  get actors(): readonly Actor[] {
    return this.#actors.filter(({ alive }) => alive);
  }

  has(actor: Actor): boolean {
    return this.#actors.includes(actor);
  }

  async start(): Promise<void> {
    await this.#enter('reacts', (db, self) => this.#react(db, self));
    await this.#enter('delivers', (db, self) => this.#deliver(db, self));
    await this.#enter('acts', (db, self) => this.#act(db, self));
  }

  async kill(): Promise<void> {
    for (const actor of this.actors) await this.#stage.world.scheduler.kill(actor);
  }

  async #enter(what: string, role: (db: Database, self: Actor) => Promise<void>): Promise<void> {
    const { scheduler } = this.#stage.world;
    this.#actors.push(await scheduler.start(`${this.#name} ${what}`, this.id, role));
  }

  async #react(db: Database, self: Actor): Promise<void> {
    const { scenario } = this.#stage;
    await retryThroughOutage(() => this.#register(db));
    const holdings = new PartitionAssignment(db, {
      workflow: NAME,
      version: this.version,
      holder: this.id,
      ttlMs: TTL_MS,
      partition: this.partition,
    });
    this.#assignment = holdings;
    const workflow = relay(
      this.#stage,
      () => db,
      this.version,
      () => this.#die(self),
    );
    const reactor = new Reactor(db, workflow, holdings, {
      maxEvents: scenario.eventsAtOnce,
      parkAfter: PARK_AFTER,
      maxStates: STATES,
      onParked: () => this.#stage.note('parked'),
    });
    for (let tend = true; !this.#over; ) {
      try {
        if (tend || this.#choices.chance(0.2)) await this.#syncAssignment(db, holdings);
        tend = false;
        const { events, needNewer } = await reactor.round();
        if (needNewer > 0) {
          this.#stage.note('left to newer code');
          tend = true;
        }
        if (events > 0) continue;
        if (this.#choices.chance(0.1)) await reactor.advanceIdle();
        if (this.leaving) return await this.#leave(db, holdings);
        await this.#stage.world.scheduler.nap(self);
        tend = true;
      } catch (error) {
        if (!self.alive) throw error;
        this.#startAgain(error);
        reactor.reset();
        await holdings.reread().catch(() => {});
        tend = true;
      }
    }
  }

  async #syncAssignment(db: Database, holdings: PartitionAssignment): Promise<void> {
    if (!(await recordHeartbeat(db, this.id, IDLE))) await this.#register(db);
    const { released } = await holdings.sync();
    if (released > 0) this.#stage.note('slots given back');
  }

  #die(self: Actor): void {
    this.died = true;
    this.#stage.note('killed by an event');
    void this.#stage.world.scheduler.kill(self);
    throw new ActorKilled();
  }

  /** A conflict, an unreachable database, or a changed partitioning: nothing was written. */
  #startAgain(error: unknown): void {
    if (!(error instanceof SeineError) || error.kind === 'internal')
      this.#stage.broken.push(messageOf(error));
    if (error instanceof SeineError && error.kind === 'conflict') {
      this.#stage.note(error.retry ? 'overtaken' : 'layout changed under a runner');
      if (!error.retry) this.#over = true;
    }
  }

  async #leave(db: Database, holdings: PartitionAssignment): Promise<void> {
    this.#over = true;
    await holdings.releaseAll().catch(() => {});
    await removeWorker(db, this.id).catch(() => {});
  }

  async #deliver(db: Database, self: Actor): Promise<void> {
    const workflow = relay(this.#stage, () => db, this.version);
    while (!this.#over) {
      const mine = this.#assignment?.assigned ?? { parts: [], total: 1 };
      try {
        const due = mine.parts.length > 0 ? await nextDue(db, workflow, mine) : null;
        const delivered = due === 0 ? await deliverDue(db, workflow, mine) : 0;
        if (delivered > 0) continue;
      } catch (error) {
        if (!self.alive || !(error instanceof SeineError)) throw error;
      }
      await this.#stage.world.scheduler.nap(self);
    }
  }

  async #act(db: Database, self: Actor): Promise<void> {
    const workflow = relay(this.#stage, () => db, this.version);
    while (!this.#over) {
      const acted = await actOnce(db, workflow, {
        holder: this.id,
        ttlMs: TTL_MS,
        room: this.#choices.between(1, 3),
      });
      if (acted === 0) await this.#stage.world.scheduler.nap(self);
    }
  }

  #register(db: Database): Promise<void> {
    const { id, version, partition } = this;
    const known = { workflowVersions: [version], partition: partition?.index ?? null };
    const rest = {
      ...known,
      version: '0',
      threads: 0,
      concurrency: 0,
      role: 'workflows',
      workflows: [NAME],
    } as const;
    return registerWorker(db, { id, host: 'here', pid: 1, ...rest });
  }
}

const IDLE = { objects: 0, bytes: 0, findings: 0, waitedMs: 0, fencedWrites: 0, draining: false };

function retryThroughOutage<T>(work: () => Promise<T>): Promise<T> {
  return withRetry(work, { forMs: Number.POSITIVE_INFINITY });
}
