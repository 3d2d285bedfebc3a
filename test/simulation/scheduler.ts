/**
 * Runs actors (workers, leaders, people) one statement at a time, in an order that a seed decides. Each actor has a connection of
 * its own, so transactions really interleave: while one waits for a lock, others continue.
 *
 *   thinking ──▶ asking ──turn──▶ sent ──────────────▶ thinking …
 *      │                            └─▶ blocked ─▶ answered ──turn──▶ thinking
 *      └──▶ napping ──turn──▶ thinking
 *
 * Of several that wait for the same transaction the server wakes all at once, in an order that no seed decides: so only one may
 * wait for it, and a second one loses its connection.
 *
 * Between two turns no actor computes and no statement is in flight: every actor waits for a turn or for a lock. That makes a run
 * deterministic.
 */
import { codeOf, messageOf } from '../../src/base/errors.ts';
import { mapDbError } from '../../src/db/db-errors.ts';
import {
  Actor,
  ActorKilled,
  type Answer,
  type Role,
  type State,
  type StatementFault,
  unreachable,
} from './actor.ts';
import { databaseOf } from './actor-database.ts';
import type { Clock } from './clock.ts';
import { Connection } from './connection.ts';
import { type Waiting, waitingForLocks } from './locks.ts';

const CHECK_LOCKS_AFTER_MS = 8;
const HANGS_AFTER_MS = 20_000;

export class Scheduler {
  readonly #url: string;
  readonly #watch: Connection;
  readonly #clock: Clock;
  readonly #actors = new Set<Actor>();
  /** Dead ones whose last statement still waits for a lock, as the server would let it. */
  readonly #ghosts = new Set<Actor>();
  readonly #free: Connection[] = [];
  readonly failures: string[] = [];
  readonly trace: string[] = [];
  #changed = () => {};
  #leaving: Promise<void> = Promise.resolve();

  constructor(url: string, watch: Connection, clock: Clock) {
    this.#url = url;
    this.#watch = watch;
    this.#clock = clock;
  }

  get turns(): number {
    return this.trace.length;
  }

  /** In order of creation. */
  get actors(): readonly Actor[] {
    return [...this.#actors];
  }

  /** Starts the actor; its first statement waits for a turn. */
  async start(name: string, id: string, work: Role): Promise<Actor> {
    const actor = new Actor(name, this.#free.pop() ?? (await Connection.open(this.#url)));
    await actor.connection.run(`select set_config('seine.actor', $1, false)`, [id]); // read by observer.ts
    this.#actors.add(actor);
    const db = databaseOf(actor, (...asked) => this.#ask(...asked));
    work(db, actor)
      .catch((error) => {
        if (actor.alive) this.failures.push(`${name} failed: ${messageOf(error)}`);
      })
      .finally(() => this.#leave(actor));
    await this.#rest(actor);
    await this.#leaving;
    return actor;
  }

  async turn(actor: Actor, fault: StatementFault): Promise<void> {
    this.trace.push(`${actor.name} · ${actor.state === 'napping' ? 'looks' : actor.label} · ${fault}`);
    if (fault === 'dies before') await this.kill(actor);
    else if (actor.state === 'napping') await this.#wake(actor);
    else if (actor.state === 'answered') await this.#deliver(actor, fault);
    else if (fault === 'cut off') await this.#cutOff(actor);
    else {
      this.#send(actor);
      if (await this.#answered(actor)) await this.#deliver(actor, fault);
    }
    await this.#leaving; // it may have killed itself
    await this.#freeBlocked();
  }

  /** Every transaction is rolled back, and all connections are lost. */
  async restartServer(): Promise<void> {
    for (const actor of this.actors) {
      if (actor.state === 'blocked') await this.#cancel(actor);
      if (actor.state !== 'napping') await this.#cutOff(actor);
    }
    await this.#freeBlocked();
  }

  /** Idle; checks again when it gets a turn. */
  async nap(actor: Actor): Promise<void> {
    if (!actor.alive) throw new ActorKilled();
    actor.proceed = Promise.withResolvers();
    this.#reach(actor, 'napping');
    await actor.proceed.promise;
  }

  /** As `kill -9` does it: an open transaction is rolled back, and the actor is never heard of again. */
  async kill(actor: Actor): Promise<void> {
    if (!actor.alive) return;
    const waits = actor.state === 'blocked';
    this.#reach(actor, 'gone');
    this.#actors.delete(actor);
    actor.unwind();
    if (waits) this.#ghosts.add(actor);
    else this.#leaving = this.#release(actor);
    await this.#leaving;
  }

  /** Removes all actors, before the next run. */
  async clear(): Promise<void> {
    for (const actor of this.actors) await this.kill(actor);
    await this.#freeBlocked();
    this.failures.length = 0;
    this.trace.length = 0;
  }

  async close(): Promise<void> {
    await this.clear();
    for (const connection of this.#free) await connection.close();
  }

  /** Waits for deadlocks that only the server can break. Returns false when no actor waits for a lock. */
  async waitForLocks(): Promise<boolean> {
    if (!this.actors.some((actor) => actor.state === 'blocked')) return false;
    for (const began = performance.now(); !this.actors.some(({ state }) => state === 'answered'); ) {
      if (performance.now() - began > HANGS_AFTER_MS) throw new Error('everybody waits for a lock');
      await this.#change(CHECK_LOCKS_AFTER_MS);
    }
    await this.#freeBlocked();
    return true;
  }

  async #wake(actor: Actor): Promise<void> {
    actor.state = 'thinking';
    actor.proceed.resolve();
    await this.#rest(actor);
  }

  async #cutOff(actor: Actor): Promise<void> {
    await actor.rollBack();
    actor.state = 'thinking';
    actor.response.reject(unreachable());
    await this.#rest(actor);
  }

  #send(actor: Actor): void {
    actor.state = 'sent';
    actor.answer = null;
    if (!actor.inTransaction) this.#clock.setTimeOf(actor.connection);
    const heard = (answer: Answer | Error) => {
      actor.answer = answer;
      if (actor.state === 'sent' || actor.state === 'blocked') this.#reach(actor, 'answered');
      else this.#changed();
    };
    actor.connection.run(actor.statement, actor.params).then(heard, heard);
  }

  /** Until the statement is answered or waits for a lock; then false. */
  async #answered(actor: Actor): Promise<boolean> {
    const began = performance.now();
    while (actor.state === 'sent') {
      await this.#change(CHECK_LOCKS_AFTER_MS);
      const [waits] = actor.state === 'sent' ? await this.#waiting([actor]) : [];
      if (waits && actor.state === 'sent') await this.#wait(actor, waits.second);
      this.#checkTimeout(began, actor);
    }
    return actor.state === 'answered';
  }

  async #wait(actor: Actor, second: boolean): Promise<void> {
    actor.state = 'blocked';
    if (!second) return;
    await this.#cancel(actor);
    this.trace.push(`${actor.name} · ${actor.label} · would be second in line`);
    await this.#cutOff(actor);
  }

  async #cancel(actor: Actor): Promise<void> {
    await this.#watch.run('select pg_cancel_backend($1)', [actor.connection.pid]);
    await this.#untilAnswered(actor);
  }

  async #untilAnswered(actor: Actor): Promise<void> {
    for (const began = performance.now(); actor.answer === null; this.#checkTimeout(began, actor))
      await this.#change(CHECK_LOCKS_AFTER_MS);
  }

  async #deliver(actor: Actor, fault: StatementFault): Promise<void> {
    const answer = actor.answer!;
    if (actor.statement === 'commit' || actor.statement === 'begin')
      actor.inTransaction = actor.statement === 'begin' && !(answer instanceof Error);
    if (answer instanceof Error) this.#noteError(actor, answer);
    actor.duringStatement();
    if (!actor.alive) return; // it killed its process
    if (fault === 'dies after') return this.kill(actor);
    actor.state = 'thinking';
    if (answer instanceof Error) actor.response.reject(mapDbError(answer));
    else if (fault === 'lost') {
      // The connection is lost: an open transaction is rolled back, a commit stays, and the actor does not know which.
      await actor.rollBack();
      actor.response.reject(unreachable());
    } else actor.response.resolve(answer);
    await this.#rest(actor);
  }

  /** No statement of ours may fail by itself, whatever the code does about it: no deadlock, no second row. */
  #noteError(actor: Actor, error: Error): void {
    const code = codeOf(error);
    if (code !== undefined) this.failures.push(`${actor.name}: ${code} ${messageOf(error)} (${actor.label})`);
  }

  /** After each turn: actors that got the lock they waited for complete their statement. */
  async #freeBlocked(): Promise<void> {
    for (let any = true; any; ) {
      any = false;
      const blocked = this.#allActors().filter((one) => one.state === 'blocked' || this.#ghosts.has(one));
      if (blocked.length === 0) return;
      const waiting = await this.#waiting(blocked);
      for (const actor of blocked) {
        const waits = waiting.some((one) => one.actor === actor);
        if (this.#ghosts.has(actor)) any = (await this.#removeActor(actor, waits)) || any;
        else if (actor.state === 'blocked' && !waits) {
          actor.state = 'sent';
          await this.#answered(actor);
          any = true;
        }
      }
    }
  }

  /** The statement of a dead actor ends when it gets its lock; outside a transaction it counts. */
  async #removeActor(ghost: Actor, waits: boolean): Promise<boolean> {
    if (ghost.answer === null && waits) return false;
    await this.#untilAnswered(ghost);
    this.#ghosts.delete(ghost);
    await this.#release(ghost);
    return true;
  }

  #waiting(actors: readonly Actor[]): Promise<Waiting[]> {
    return waitingForLocks(this.#watch, actors, this.#allActors());
  }

  #allActors(): Actor[] {
    return [...this.#actors, ...this.#ghosts];
  }

  /** Until the actor asks for a turn, naps or is gone. */
  async #rest(actor: Actor): Promise<void> {
    for (const began = performance.now(); actor.state === 'thinking'; this.#checkTimeout(began, actor))
      await this.#change(HANGS_AFTER_MS);
  }

  #checkTimeout(began: number, actor: Actor): void {
    if (performance.now() - began > HANGS_AFTER_MS)
      throw new Error(`${actor.name} hangs: ${actor.state}, ${actor.label}`);
  }

  #reach(actor: Actor, state: State): void {
    actor.state = state;
    this.#changed();
  }

  #change(maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      this.#changed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #ask(actor: Actor, sql: string, params?: readonly unknown[]): Promise<Answer> {
    if (!actor.alive) return Promise.reject(new ActorKilled());
    if (actor.state !== 'thinking') throw new Error(`${actor.name} asks twice at once`);
    actor.statement = sql;
    actor.response = Promise.withResolvers();
    actor.params = params;
    this.#reach(actor, 'asking');
    return actor.response.promise;
  }

  async #release(actor: Actor): Promise<void> {
    await actor.rollBack();
    this.#free.push(actor.connection);
  }

  #leave(actor: Actor): void {
    if (!actor.alive) return;
    this.#actors.delete(actor);
    this.#free.push(actor.connection);
    this.#reach(actor, 'gone');
  }
}
