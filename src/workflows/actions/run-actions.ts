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
import { CodeLock } from '../user-code/code-lock.ts';
import { LONGEST_TIMER } from '../wait.ts';
import { type Held, releaseActions, renewActions, retryActionLater } from './action-store.ts';
import type { Actions, ActionsOptions } from './actions-options.ts';
import { absolveSuspects, type Claimed } from './claim-store.ts';
import { Claimer } from './claimer.ts';
import { startEnding } from './end-actions.ts';
import { type Known, knownActions } from './known-actions.ts';
import { type ActionRun, type Outcome, startAction } from './run-action.ts';
import { Solitude } from './solitude.ts';
import { crashVerdict, Patience } from './suspects.ts';
import { StepSlots } from './transaction-step.ts';

export function startActions(
  db: Database,
  workflows: readonly AnyWorkflow[],
  options: ActionsOptions,
): Actions {
  return new RunningActions(db, knownActions(workflows), options);
}

/** For those who save where they stand, or have a result after all, when their signal tells them. */
const GRACE_MS = 1000;
/** How long a process claims nothing else for a suspect that waits for its other actions to end, at first. */
const FIRST_PATIENCE_MS = 5000;
const MOST_STEPS = 4;
/** Connections that transactions of actions leave to claims, renewals and reactions: without them the whole process would wait. */
const OTHER_CONNECTIONS = 2;

class RunningActions implements Actions {
  readonly #db: Database;
  readonly #known: ReadonlyMap<string, Known>;
  readonly #options: ActionsOptions;
  readonly #runs = new Set<ActionRun>();
  readonly #interrupted: Claimed[] = [];
  readonly #left = new Bell();
  readonly #ending: ReturnType<typeof startEnding>;
  readonly #claiming: Loop;
  readonly #renewing: Loop;
  readonly #claimer: Claimer;
  readonly #steps: StepSlots;
  /** The last claim did not find the end of what is due. */
  #more = false;
  /** After which time another claim may find something, although nothing happened: a token, more limit keys. */
  #nextMs = Number.POSITIVE_INFINITY;
  /** A suspect, from its claim to its end: meanwhile nothing else is claimed. It begins when nothing else runs. */
  #suspect: Reserved | null = null;
  readonly #lock: CodeLock;
  readonly #solitude: Solitude;
  readonly #patience: Patience;
  /** The last claim was one of suspects: the next is of others. */
  #wasSuspect = false;

  constructor(db: Database, known: ReadonlyMap<string, Known>, options: ActionsOptions) {
    this.#db = db;
    this.#known = known;
    this.#options = options;
    this.#lock = options.lock ?? new CodeLock();
    const { pollMs = 1000, leaseMs } = options;
    const failed = (error: unknown) => options.onError(`claiming actions: ${messageOf(error)}`);
    this.#claimer = new Claimer(db, [...known.values()], { ...options, pollMs, failed });
    const firstMs = Math.min(FIRST_PATIENCE_MS, leaseMs / 2);
    this.#patience = new Patience(firstMs);
    this.#solitude = new Solitude(db, this.#lock, { leaseMs, firstMs });
    const { connections = 10 } = db;
    this.#steps = new StepSlots(Math.max(1, Math.min(MOST_STEPS, connections - OTHER_CONNECTIONS)));
    this.#ending = startEnding(db, options);
    this.#claiming = startLoop('claim actions', async () => {
      this.#nextMs = Number.POSITIVE_INFINITY;
      await this.#told('claiming actions', this.#claim());
      return Math.min(this.#nextMs, pollMs * (0.75 + Math.random() / 2));
    });
    this.#renewing = startLoop('renew actions', async () => {
      await this.#told('renewing actions', this.#renew());
      await this.#told('letting others run beside a suspect', this.#solitude.endIfLong());
      return leaseMs / 3;
    });
  }

  wake(): void {
    this.#claiming.wake();
  }

  async stop(drainMs: number): Promise<void> {
    await this.#claiming.stop();
    if (this.#suspect && !this.#isRunning(this.#suspect.claimed)) {
      this.#interrupted.push(this.#suspect.claimed);
      this.#suspect = null;
    }
    await this.#empty(drainMs);
    if (this.#runs.size > 0 || this.#interrupted.length > 0) await this.#interrupt();
    await this.#empty(this.#options.leaseMs);
    await Promise.all([this.#renewing.stop(), this.#ending.stop()]);
  }

  async #claim(): Promise<void> {
    if (this.#known.size === 0) return;
    const room = this.#options.atOnce - this.#runs.size;
    this.#more = true;
    await this.#giveUpSuspect();
    if (room <= 0 || this.#suspect) return;
    const running = [...this.#runs].map(({ claimed }) => claimed.id);
    await this.#told('recovering actions', this.#claimer.recover(running, room));
    if (!this.#wasSuspect && this.#patience.mayTry && (await this.#claimSuspect())) return;
    this.#wasSuspect = false;
    const waitMs = this.#options.leaseMs / 6;
    if ((await this.#lock.hold('shared', () => this.#claimOthers(room), waitMs)) === null) this.#nextMs = 0;
  }

  /** None begins while other code runs alone in this process. */
  async #claimOthers(room: number): Promise<void> {
    const { claimed, more, nextMs } = await this.#claimer.claim(room);
    this.#more = more;
    this.#nextMs = nextMs;
    for (const action of claimed) this.#begin(action);
  }

  /** True: nothing else is claimed until it has ended. */
  async #claimSuspect(): Promise<boolean> {
    const claimed = await this.#claimer.claimSuspect();
    if (!claimed) return false;
    if (crashVerdict(claimed) === null) {
      this.#suspect = { claimed, begun: false };
      this.#wasSuspect = true;
      this.#nextMs = this.#patience.begin();
      this.#beginSuspect();
      return true;
    }
    this.#begin(claimed); // it is only written down
    const workflows = [...this.#known.values()].map(({ workflow }) => workflow);
    await this.#told('absolving its neighbours', absolveSuspects(this.#db, workflows));
    return true;
  }

  /** Its process goes on with other actions if they take too long to end; another process may have it meanwhile. */
  async #giveUpSuspect(): Promise<void> {
    const suspect = this.#suspect;
    if (!suspect || suspect.begun) return;
    this.#nextMs = this.#patience.leftMs;
    if (this.#nextMs > 0) return;
    this.#suspect = null; // first: it must not begin any more
    this.#patience.giveUp();
    await this.#told('giving an action back', releaseActions(this.#db, [suspect.claimed])); // otherwise its hold expires
  }

  /** Once nothing else runs. */
  #beginSuspect(): void {
    const suspect = this.#suspect;
    if (!suspect || suspect.begun || this.#runs.size > 0) return;
    suspect.begun = true;
    this.#patience.succeed();
    const { claimed } = suspect;
    this.#solitude
      .begin(claimed, () => this.#suspect === suspect)
      .then(
        (isHeld) => {
          if (this.#suspect !== suspect) return; // given back, or lost
          if (isHeld) this.#begin(claimed);
          else this.#forgetSuspect();
        },
        (error) => {
          this.#options.onError(`running ${claimed.name} alone: ${messageOf(error)}`);
          if (this.#suspect === suspect) this.#forgetSuspect(); // its hold expires
        },
      );
  }

  #forgetSuspect(): void {
    this.#solitude.end();
    this.#suspect = null;
    this.#left.ring();
    this.#claiming.wake();
  }

  *#held(): Iterable<Held> {
    for (const { claimed } of this.#runs) yield claimed;
    if (this.#suspect) yield this.#suspect.claimed;
  }

  async #renew(): Promise<void> {
    const held = [...new Set(this.#held())];
    if (held.length === 0) return;
    const runs = [...this.#runs];
    const tokens = await renewActions(this.#db, held, this.#options.leaseMs);
    const isLost = ({ id, token }: Held) => tokens.get(id) !== token;
    for (const run of runs) if (isLost(run.claimed)) run.lose();
    const { claimed } = this.#suspect ?? {};
    if (claimed && held.includes(claimed) && isLost(claimed) && !this.#isRunning(claimed))
      this.#forgetSuspect();
  }

  #isRunning(claimed: Claimed): boolean {
    return [...this.#runs].some((run) => run.claimed === claimed);
  }

  #begin(claimed: Claimed): void {
    const { rules, schema } = this.#known.get(`${claimed.workflow}/${claimed.name}`)!;
    const { leaseMs } = this.#options;
    const run = startAction(this.#db, rules, claimed, { leaseMs, schema, steps: this.#steps });
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
      case 'ended':
        this.#options.ended?.([...outcome.keys], 1);
        return left();
      case 'interrupted':
        this.#interrupted.push(claimed); // it keeps its place until it is given back
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
    if (this.#suspect?.claimed === run.claimed) this.#forgetSuspect();
    this.#beginSuspect();
    const isLimited = run.claimed.limitKey !== null;
    if (this.#more || isLimited) this.#claiming.wake();
    if (isLimited) this.#options.freed?.(run.claimed.workflow); // this process may have no room for what waits
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
    for (const workflow of new Set(this.#interrupted.map((claimed) => claimed.workflow)))
      this.#options.freed?.(workflow);
  }

  async #told(what: string, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#options.onError(`${what}: ${messageOf(error)}`);
    }
  }
}

/** A suspect that this process has reserved. */
interface Reserved {
  readonly claimed: Claimed;
  begun: boolean;
}
