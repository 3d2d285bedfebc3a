/** Chooses the next actor by the seed: the previous one continues half of the time, sleepers keep sleeping, idle ones check now and then. */
import type { Actor } from './actor.ts';
import type { Choices } from './random.ts';
import type { Scheduler } from './scheduler.ts';

const WHILE_OTHERS_SLEEP = 0.85;

export interface TurnOptions {
  /** How often the previous actor continues. */
  readonly repeatProbability: number;
  /** How often an idle actor gets a turn although others have something to do. */
  readonly nappersTurn: number;
}

export class Turn {
  readonly #scheduler: Scheduler;
  readonly #choices: Choices;
  readonly #options: TurnOptions;
  #last: Actor | null = null;

  constructor(scheduler: Scheduler, choices: Choices, options: TurnOptions) {
    this.#scheduler = scheduler;
    this.#choices = choices;
    this.#options = options;
  }

  /** Null: all actors are idle or wait for a lock. */
  next(): Actor | null {
    const { actors, turns } = this.#scheduler;
    const ready = actors.filter(({ state }) => state === 'asking' || state === 'answered');
    const awake = ready.filter(({ asleepUntil }) => asleepUntil <= turns);
    const nappers = actors.filter(({ state, asleepUntil }) => state === 'napping' && asleepUntil <= turns);
    const chance = awake.length > 0 ? this.#options.nappersTurn : WHILE_OTHERS_SLEEP;
    if (nappers.length > 0 && ready.length > 0 && this.#choices.chance(chance))
      return this.#choices.of(nappers);
    const all = awake.length > 0 ? awake : ready;
    if (all.length === 0) return null;
    const same = all.find((actor) => actor === this.#last);
    this.#last = same && this.#choices.chance(this.#options.repeatProbability) ? same : this.#choices.of(all);
    return this.#last;
  }
}
