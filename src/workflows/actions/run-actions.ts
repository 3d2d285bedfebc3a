/**
 * Runs the actions of workflows, many at the same time: claims as many as there is room for, keeps the holds while they run, ends them
 * in batches. Any number of processes do so side by side; see action.ts for what keeps them apart.
 */
import { Bell } from '../../base/bell.ts';
import { messageOf } from '../../base/errors.ts';
import { retrying } from '../../base/retry.ts';
import { type Loop, startLoop } from '../../base/service.ts';
import type { Database } from '../../db/database.ts';
import type { AnyWorkflow } from '../define.ts';
import {
  type Claimed,
  claimActions,
  type Held,
  releaseActions,
  renewActions,
  retryActionLater,
} from './action-store.ts';
import { startEnding } from './end-actions.ts';
import { LONGEST_TIMER, type Rules, rulesOf } from './policy.ts';
import { type ActionRun, type Outcome, startAction } from './run-action.ts';

export interface ActionsOptions {
  /** A UUID: who holds them. */
  readonly holder: string;
  /** How long a hold lives without a sign of life. */
  readonly leaseMs: number;
  readonly atOnce: number;
  onError(message: string): void;
  /** How often it looks for what is due (1 s). */
  readonly pollMs?: number;
  /** So many have ended, and results were appended to these workflows. */
  ended?(workflowKeys: readonly number[], actions: number): void;
}

export interface Actions {
  /** There may be something to claim. */
  wake(): void;
  /** Claims no more, waits for what runs, then tells its signal and gives it back. */
  stop(drainMs: number): Promise<void>;
}

export function startActions(
  db: Database,
  workflows: readonly AnyWorkflow[],
  options: ActionsOptions,
): Actions {
  return new RunningActions(db, knownActions(workflows), options);
}

/** For those who save where they stand, or have a result after all, when their signal tells them. */
const GRACE_MS = 1000;

class RunningActions implements Actions {
  readonly #db: Database;
  readonly #known: ReadonlyMap<string, Known>;
  readonly #options: ActionsOptions;
  readonly #runs = new Set<ActionRun>();
  readonly #interrupted: Held[] = [];
  readonly #left = new Bell();
  readonly #ending: ReturnType<typeof startEnding>;
  readonly #claiming: Loop;
  readonly #renewing: Loop;
  /** The last claim did not find the end of what is due. */
  #more = false;

  constructor(db: Database, known: ReadonlyMap<string, Known>, options: ActionsOptions) {
    this.#db = db;
    this.#known = known;
    this.#options = options;
    const { pollMs = 1000, leaseMs } = options;
    this.#ending = startEnding(db, options);
    this.#claiming = startLoop('claim actions', async () => {
      await this.#told('claiming actions', this.#claim());
      return pollMs * (0.75 + Math.random() / 2);
    });
    this.#renewing = startLoop('renew actions', async () => {
      await this.#told('renewing actions', this.#renew());
      return leaseMs / 3;
    });
  }

  wake(): void {
    this.#claiming.wake();
  }

  async stop(drainMs: number): Promise<void> {
    await this.#claiming.stop();
    await this.#empty(drainMs);
    if (this.#runs.size > 0) await this.#interrupt();
    await this.#empty(this.#options.leaseMs);
    await Promise.all([this.#renewing.stop(), this.#ending.stop()]);
  }

  async #claim(): Promise<void> {
    const { holder, leaseMs, atOnce } = this.#options;
    const room = atOnce - this.#runs.size;
    this.#more = true;
    if (room <= 0 || this.#known.size === 0) return;
    const wanted = { known: [...this.#known.values()], holder, ttlMs: leaseMs };
    const claimed = await claimActions(this.#db, wanted, room);
    this.#more = claimed.length === room;
    for (const action of claimed) this.#begin(action);
  }

  async #renew(): Promise<void> {
    if (this.#runs.size === 0) return;
    const runs = [...this.#runs];
    const held = runs.map(({ claimed }) => claimed);
    const tokens = await renewActions(this.#db, held, this.#options.leaseMs);
    for (const run of runs) if (tokens.get(run.claimed.id) !== run.claimed.token) run.lose();
  }

  #begin(claimed: Claimed): void {
    const { rules, schema } = this.#known.get(`${claimed.workflow}/${claimed.name}`)!;
    const run = startAction(this.#db, rules, claimed, this.#options.leaseMs);
    this.#runs.add(run);
    run.outcome.then(
      (outcome) => this.#settle(run, outcome, schema),
      (error) => {
        this.#options.onError(`running ${claimed.name}: ${messageOf(error)}`);
        this.#leave(run); // its hold expires, and it is tried again
      },
    );
  }

  #settle(run: ActionRun, outcome: Outcome, schema: number): void {
    const { claimed } = run;
    const left = () => this.#leave(run);
    switch (outcome.as) {
      case 'done':
      case 'failed':
        return this.#ending.add({ claimed, outcome, schema, left });
      case 'again':
        return void this.#putBack(claimed, outcome.error, outcome.delayMs).finally(left);
      case 'interrupted':
        this.#interrupted.push(claimed);
        return left();
      case 'lost':
        return left();
    }
  }

  /** Without it, its hold expires, and it is tried again nevertheless. */
  #putBack(claimed: Claimed, error: string, delayMs: number): Promise<void> {
    const forMs = this.#options.leaseMs;
    const later = retrying(() => retryActionLater(this.#db, claimed, error, delayMs), { forMs });
    return this.#told(`putting off ${claimed.name}`, later);
  }

  #leave(run: ActionRun): void {
    this.#runs.delete(run);
    this.#left.ring();
    if (this.#more) this.#claiming.wake();
  }

  /** Until nothing is in hand, or the time is over. */
  async #empty(ms: number): Promise<void> {
    const until = performance.now() + Math.min(ms, LONGEST_TIMER);
    while (this.#runs.size > 0 && performance.now() < until) await this.#left.wait(until - performance.now());
  }

  /** What does not heed its signal is left to itself. */
  async #interrupt(): Promise<void> {
    for (const run of this.#runs) run.interrupt();
    await this.#empty(GRACE_MS);
    for (const run of this.#runs) run.leave();
    await Promise.allSettled([...this.#runs].map(({ outcome }) => outcome));
    const given = retrying(() => releaseActions(this.#db, this.#interrupted), { forMs: GRACE_MS });
    await this.#told('giving actions back', given);
  }

  async #told(what: string, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#options.onError(`${what}: ${messageOf(error)}`);
    }
  }
}

interface Known {
  readonly workflow: string;
  readonly name: string;
  readonly rules: Rules;
  /** Of the events that its results become. */
  readonly schema: number;
}

function knownActions(workflows: readonly AnyWorkflow[]): Map<string, Known> {
  const all = workflows.flatMap(({ name: workflow, version, actions = {} }) =>
    Object.entries(actions).map(([name, action]) => ({
      workflow,
      name,
      rules: rulesOf(action),
      schema: version,
    })),
  );
  return new Map(all.map((action) => [`${action.workflow}/${action.name}`, action]));
}
