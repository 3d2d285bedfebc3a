/**
 * One round of reactions: read what is next in the parts we hold, react, and write down in one transaction what the reactions ask for, that
 * the events were reacted to, and how far the parts have come.
 *
 * Two positions guard each event. The part's offset says where to look next; the workflow's own `reaction.version` says what was
 * reacted to. Only the second decides: an event that comes again (another layout, an answer that was lost) is passed over, one that is
 * missing is fetched from the workflow's own story. So each event is reacted to once and in order, whatever happens to offsets.
 *
 * A reaction that throws puts its workflow off, with the error: it is tried again after a while, and parked when that doesn't help. The
 * others go on, and so does the offset. If an event ends the process itself, whoever takes over its part finds that it was claimed again
 * and again without progress, and goes on with care: one event at a time, each attempt counted before it is made.
 */
import { messageOf } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { storable } from '../../db/storable.ts';
import type { Held } from '../../engine/leases/lease.ts';
import type { Offset } from '../../events/offset.ts';
import { type Found, readHorizon } from '../../events/read-store.ts';
import type { AnyWorkflow } from '../define.ts';
import { type OwnTask, readNext, tasksAgain, tasksOf, withStates } from './gather.ts';
import type { Holdings } from './holdings.ts';
import { type Reacted, reactTo } from './react.ts';
import { moveReactions, noteAttempt, putOffReactions, type Setback } from './reaction-store.ts';
import { StateCache } from './state-cache.ts';
import { type Written, writeEffects } from './write-effects.ts';

export interface ReactorOptions {
  /** Events in one round, at most. */
  readonly most: number;
  /** Failures at one event until its workflow is parked. */
  readonly parkAfter: number;
  /** States that are kept between rounds, at most. */
  readonly states: number;
  readonly onParked: (id: string, error: string) => void;
}

/** Claims of a part without progress until it is gone through with care. */
const CAREFUL_AFTER = 3;

export interface Round {
  readonly events: number;
  readonly written: Written;
}

const NOTHING: Round = { events: 0, written: { actions: 0, told: new Set() } };

export class Reactor {
  readonly #db: Database;
  readonly #workflow: AnyWorkflow;
  readonly #holdings: Holdings;
  readonly #options: ReactorOptions;
  readonly #cache: StateCache;
  #turn = 0;

  constructor(db: Database, workflow: AnyWorkflow, holdings: Holdings, options: ReactorOptions) {
    this.#db = db;
    this.#workflow = workflow;
    this.#holdings = holdings;
    this.#options = options;
    this.#cache = new StateCache(options.states);
  }

  /** Forgets what it thought it knew: something else may have happened. */
  reset(): void {
    this.#cache.clear();
  }

  async round(): Promise<Round> {
    const { places, mine } = this.#holdings;
    if (places.length === 0) return NOTHING;
    const suspects = places.filter(({ attempts }) => attempts >= CAREFUL_AFTER);
    const found = await this.#next(places, suspects);
    const again = await tasksAgain(this.#db, this.#workflow.name, mine);
    const comeAgain = new Set(again.map(({ key }) => key));
    const others = found.filter(({ workflowKey }) => !comeAgain.has(workflowKey));
    const bare = [...again, ...(await tasksOf(this.#db, others))];
    const tasks = await withStates(this.#db, this.#workflow, bare, this.#cache);
    if (suspects.length > 0) return this.#withCare(found, tasks, suspects);
    return this.#write(
      found,
      tasks.map((task) => reactTo(this.#workflow, task)),
    );
  }

  /** Parts without news go on to where nothing can come any more, so that no old event is kept for their sake. */
  async passQuiet(places = this.#holdings.places): Promise<void> {
    const horizon = await readHorizon(this.#db);
    const found = places.length > 0 ? await this.#read(places, this.#options.most) : [];
    if (found.length >= this.#options.most) return;
    const busy = new Set(found.map(({ part }) => part));
    const quiet = places.filter(({ part, offset }) => !busy.has(part) && offset.xid < horizon.xid);
    if (quiet.length === 0) return;
    const offsets = new Map(quiet.map(({ part }) => [part, horizon]));
    this.#holdings.moved(await this.#db.tx((tx) => this.#holdings.move(tx, offsets)));
  }

  /** Of suspect parts one event; where there is none, nothing is to be feared. */
  async #next(places: Holdings['places'], suspects: Holdings['places']): Promise<Found[]> {
    if (suspects.length === 0) return this.#read(this.#inTurn(places), this.#options.most);
    const [first] = await this.#read(suspects, 1);
    if (first) return [first];
    const others = places.filter((place) => !suspects.includes(place));
    return others.length > 0 ? this.#read(this.#inTurn(others), this.#options.most) : [];
  }

  #read(places: Holdings['places'], most: number): Promise<Found[]> {
    return readNext(this.#db, this.#workflow.name, this.#holdings, places, most);
  }

  /** A full round may leave parts out: another one is first the next time. */
  #inTurn(places: Holdings['places']): Holdings['places'] {
    const first = this.#turn++ % places.length;
    return [...places.slice(first), ...places.slice(0, first)];
  }

  /** One event after the other: each attempt is counted before it is made, and each success is written before the next. */
  async #withCare(
    found: readonly Found[],
    tasks: readonly OwnTask[],
    suspects: Holdings['places'],
  ): Promise<Round> {
    const rounds: Round[] = [];
    for (const task of tasks) {
      let { from } = task;
      for (const [n, event] of task.events.entries()) {
        const more = task.more || n < task.events.length - 1;
        const reacted = await this.#tryOne({ ...task, from, events: [event], more });
        rounds.push(await this.#write([], [reacted]));
        if (reacted.failure) break;
        from = reacted.folded;
      }
    }
    const passed = await this.#write(found, []);
    const quiet = suspects.filter((suspect) => !found.some(({ part }) => part === suspect.part));
    if (quiet.length === suspects.length) await this.passQuiet(quiet); // nothing is to be feared of them any more
    const all = together(rounds);
    return { ...all, events: Math.max(all.events, passed.events) };
  }

  async #tryOne(task: OwnTask): Promise<Reacted<OwnTask>> {
    const attempts = await noteAttempt(this.#db, task.key, task.from.version);
    if (attempts <= this.#options.parkAfter)
      return reactTo(this.#workflow, { ...task, attempts: attempts - 1 }); // if it fails, that counts it
    const error = 'The process ended each time it reacted to this event.';
    const failure = { error, event: task.events[0]! };
    return { task: { ...task, attempts }, folded: task.from, asked: [], failure };
  }

  async #write(found: readonly Found[], reacted: readonly Reacted<OwnTask>[]): Promise<Round> {
    const offsets = this.#offsetsOf(found, reacted);
    if (offsets.size === 0 && reacted.length === 0) return NOTHING;
    const { held, written } = await this.#db.tx((tx) => this.#writeIn(tx, offsets, reacted));
    this.#holdings.moved(held);
    for (const { task, folded } of reacted) this.#cache.keep(task.key, folded);
    return { events: reacted.reduce((sum, { asked }) => sum + asked.length, 0) || found.length, written };
  }

  /**
   * Of each part, the last event that was read; a part of which only a workflow comes again stays where it is. It must still be ours: whoever
   * took it over passes by what comes again, and counts on nobody else.
   */
  #offsetsOf(found: readonly Found[], reacted: readonly Reacted<OwnTask>[]): Map<number, Offset> {
    const parts = new Set(reacted.map(({ task }) => task.part));
    const stay = this.#holdings.places.filter(({ part }) => parts.has(part));
    return new Map([...stay, ...found].map(({ part, offset }) => [part, offset]));
  }

  /** The parts first: they are the fence. */
  async #writeIn(
    tx: Tx,
    offsets: ReadonlyMap<number, Offset>,
    reacted: readonly Reacted<OwnTask>[],
  ): Promise<{ held: Held[]; written: Written }> {
    const held = await this.#holdings.move(tx, offsets);
    const moved = reacted
      .filter(({ asked }) => asked.length > 0)
      .map(({ task, folded }) => ({
        key: task.key,
        was: task.from.version,
        version: folded.version,
        more: task.more,
      }));
    if (moved.length > 0) await moveReactions(tx, moved);
    const setbacks = reacted.flatMap((one) => this.#setbackOf(one) ?? []);
    if (setbacks.length > 0) await putOffReactions(tx, setbacks);
    return { held, written: await writeEffects(tx, this.#workflow, reacted) };
  }

  #setbackOf({ task, folded, asked, failure }: Reacted): Setback | null {
    if (failure === null) return null;
    const error = storable(
      `${failure.event.type} (event ${failure.event.version}): ${messageOf(failure.error)}`,
    );
    const attempts = asked.length > 0 ? 1 : task.attempts + 1;
    const isParked = attempts >= this.#options.parkAfter;
    if (isParked) this.#options.onParked(task.id, error);
    const delayMs = isParked ? null : 50 + backoff(attempts, { firstMs: 100, mostMs: 60_000 });
    return { key: task.key, version: folded.version, attempts, error, delayMs };
  }
}

function together(rounds: readonly Round[]): Round {
  return {
    events: rounds.reduce((sum, { events }) => sum + events, 0),
    written: {
      actions: rounds.reduce((sum, { written }) => sum + written.actions, 0),
      told: new Set(rounds.flatMap(({ written }) => [...written.told])),
    },
  };
}
