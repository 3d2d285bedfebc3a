/**
 * Runs the actions of workflows concurrently: claims as many as it has room for, renews their leases while they run, and ends them in batches. Any
 * number of processes do so; see action.ts for what keeps them apart.
 */

import { messageOf } from '../../base/errors.ts';
import { type PollingLoop, startPollingLoop } from '../../base/polling-loop.ts';
import { withRetry } from '../../base/retry.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import type { Database } from '../../db/database.ts';
import type { AnyWorkflow } from '../define.ts';
import { CodeLock } from '../user-code/code-lock.ts';
import { MAX_TIMER_MS } from '../wait.ts';
import { type HeldAction, releaseActions, releaseActionWithBackoff, renewActions } from './action-store.ts';
import type { Actions, ActionsOptions } from './actions-options.ts';
import { type ClaimedAction, clearSuspects } from './claim-store.ts';
import { ActionClaimer } from './claimer.ts';
import { crashLimitError, SuspectBackoff } from './crash-suspects.ts';
import { startCompletionWriter } from './end-actions.ts';
import { ExclusiveRun } from './exclusive-run.ts';
import { type ActionEntry, collectActions } from './known-actions.ts';
import { type ActionResult, type ActionRun, startAction } from './run-action.ts';
import { StepSemaphore } from './transaction-step.ts';

export function startActions(
  db: Database,
  workflows: readonly AnyWorkflow[],
  options: ActionsOptions,
): Actions {
  return new ActionRunner(db, collectActions(workflows), options);
}

/** Time for actions to save a checkpoint or return a result after their signal is aborted. */
const GRACE_MS = 1000;
/** Initial limit on how long a process claims nothing else for a suspect that waits for its other actions to end. */
const INITIAL_DRAIN_WAIT_MS = 5000;
const MAX_TRANSACTION_STEPS = 4;
/** Connections that action transactions leave to claims, renewals and reactions: without them the whole process would block. */
const RESERVED_CONNECTIONS = 2;

class ActionRunner implements Actions {
  readonly #db: Database;
  readonly #known: ReadonlyMap<string, ActionEntry>;
  readonly #options: ActionsOptions;
  readonly #runs = new Set<ActionRun>();
  readonly #interrupted: ClaimedAction[] = [];
  readonly #freed = new WakeSignal();
  readonly #ending: ReturnType<typeof startCompletionWriter>;
  readonly #claiming: PollingLoop;
  readonly #renewing: PollingLoop;
  readonly #claimer: ActionClaimer;
  readonly #steps: StepSemaphore;
  /** The last claim did not reach the end of what is due. */
  #more = false;
  /** The delay after which another claim may find something without a notification: a token, more limit keys. */
  #nextMs = Number.POSITIVE_INFINITY;
  /** A suspect, from its claim to the end of its exclusive run: meanwhile nothing else is claimed. It starts when nothing else runs. */
  #suspect: Reserved | null = null;
  readonly #lock: CodeLock;
  readonly #exclusiveRun: ExclusiveRun;
  readonly #suspectBackoff: SuspectBackoff;
  /** The last claim was of suspects: the next one is of others. */
  #wasSuspect = false;

  constructor(db: Database, known: ReadonlyMap<string, ActionEntry>, options: ActionsOptions) {
    this.#db = db;
    this.#known = known;
    this.#options = options;
    this.#lock = options.lock ?? new CodeLock();
    const { pollMs = 1000, leaseMs } = options;
    const failed = (error: unknown) => options.onError(`claiming actions: ${messageOf(error)}`);
    this.#claimer = new ActionClaimer(db, [...known.values()], { ...options, pollMs, failed });
    const firstMs = Math.min(INITIAL_DRAIN_WAIT_MS, leaseMs / 2);
    this.#suspectBackoff = new SuspectBackoff(firstMs);
    this.#exclusiveRun = new ExclusiveRun(db, this.#lock, { leaseMs, firstMs });
    const { connections = 10 } = db;
    this.#steps = new StepSemaphore(
      Math.max(1, Math.min(MAX_TRANSACTION_STEPS, connections - RESERVED_CONNECTIONS)),
    );
    this.#ending = startCompletionWriter(db, options);
    this.#claiming = startPollingLoop('claim actions', async () => {
      this.#nextMs = Number.POSITIVE_INFINITY;
      await this.#reportErrors('claiming actions', this.#claim());
      return Math.min(this.#nextMs, pollMs * (0.75 + Math.random() / 2));
    });
    this.#renewing = startPollingLoop('renew actions', async () => {
      await this.#reportErrors('renewing actions', this.#renew());
      await this.#reportErrors('ending the exclusive run of a suspect', this.#endExclusiveRun());
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
    await this.#drain(drainMs);
    if (this.#runs.size > 0 || this.#interrupted.length > 0) await this.#interrupt();
    await this.#drain(this.#options.leaseMs);
    await Promise.all([this.#renewing.stop(), this.#ending.stop()]);
  }

  async #claim(): Promise<void> {
    if (this.#known.size === 0) return;
    const room = this.#options.concurrency - this.#runs.size;
    this.#more = true;
    await this.#releaseSuspect();
    if (room <= 0 || this.#suspect) return;
    const running = [...this.#runs].map(({ claimed }) => claimed.id);
    await this.#reportErrors('recovering actions', this.#claimer.recover(running, room));
    if (!this.#wasSuspect && this.#suspectBackoff.mayTry && (await this.#claimSuspect())) return;
    this.#wasSuspect = false;
    const waitMs = this.#options.leaseMs / 6;
    if ((await this.#lock.hold('shared', () => this.#claimOthers(room), waitMs)) === null) this.#nextMs = 0;
  }

  /** None starts while other code runs alone in this process. */
  async #claimOthers(room: number): Promise<void> {
    const { claimed, more, nextMs } = await this.#claimer.claim(room);
    this.#more = more;
    this.#nextMs = nextMs;
    for (const action of claimed) this.#begin(action);
  }

  /** True: nothing else is claimed until the suspect has ended. */
  async #claimSuspect(): Promise<boolean> {
    const claimed = await this.#claimer.claimSuspect();
    if (!claimed) return false;
    if (crashLimitError(claimed) === null) {
      this.#suspect = { claimed, begun: false };
      this.#wasSuspect = true;
      this.#nextMs = this.#suspectBackoff.begin();
      this.#beginSuspect();
      return true;
    }
    this.#begin(claimed); // records the failure without running it
    const workflows = [...this.#known.values()].map(({ workflow }) => workflow);
    await this.#reportErrors('clearing other suspects', clearSuspects(this.#db, workflows));
    return true;
  }

  /** Releases the suspect if other actions of this process take too long to end; another process may claim it meanwhile. */
  async #releaseSuspect(): Promise<void> {
    const suspect = this.#suspect;
    if (!suspect || suspect.begun) return;
    this.#nextMs = this.#suspectBackoff.remainingMs;
    if (this.#nextMs > 0) return;
    this.#suspect = null; // first: it must not start any more
    this.#suspectBackoff.fail();
    await this.#reportErrors('releasing an action', releaseActions(this.#db, [suspect.claimed])); // on an error its lease expires
  }

  /** Starts the suspect once nothing else runs. */
  #beginSuspect(): void {
    const suspect = this.#suspect;
    if (!suspect || suspect.begun || this.#runs.size > 0) return;
    suspect.begun = true;
    this.#suspectBackoff.succeed();
    const { claimed } = suspect;
    this.#exclusiveRun
      .begin(claimed, () => this.#suspect === suspect)
      .then(
        (isHeld) => {
          if (this.#suspect !== suspect) return; // released, or lost
          if (isHeld) this.#begin(claimed);
          else this.#forgetSuspect();
        },
        (error) => {
          this.#options.onError(`running ${claimed.name} alone: ${messageOf(error)}`);
          if (this.#suspect === suspect) this.#forgetSuspect(); // its lease expires
        },
      );
  }

  #forgetSuspect(): void {
    this.#exclusiveRun.end();
    this.#suspect = null;
    this.#freed.notifyAll();
    this.#claiming.wake();
  }

  /** A slow suspect runs on like any other action. */
  async #endExclusiveRun(): Promise<void> {
    const claimed = await this.#exclusiveRun.endIfLong();
    if (claimed !== null && this.#suspect?.claimed === claimed) this.#forgetSuspect();
  }

  *#held(): Iterable<HeldAction> {
    for (const { claimed } of this.#runs) yield claimed;
    if (this.#suspect) yield this.#suspect.claimed;
  }

  async #renew(): Promise<void> {
    const held = [...new Set(this.#held())];
    if (held.length === 0) return;
    const runs = [...this.#runs];
    const tokens = await renewActions(this.#db, held, this.#options.leaseMs);
    const isLost = ({ id, token }: HeldAction) => tokens.get(id) !== token;
    for (const run of runs) if (isLost(run.claimed)) run.markLost();
    const { claimed } = this.#suspect ?? {};
    if (claimed && held.includes(claimed) && isLost(claimed) && !this.#isRunning(claimed))
      this.#forgetSuspect();
  }

  #isRunning(claimed: ClaimedAction): boolean {
    return [...this.#runs].some((run) => run.claimed === claimed);
  }

  #begin(claimed: ClaimedAction): void {
    const { rules, schema } = this.#known.get(`${claimed.workflow}/${claimed.name}`)!;
    const { leaseMs } = this.#options;
    const run = startAction(this.#db, rules, claimed, { leaseMs, schema, steps: this.#steps });
    this.#runs.add(run);
    run.outcome.then(
      (outcome) => this.#settle(run, outcome, schema),
      (error) => {
        this.#options.onError(`running ${claimed.name}: ${messageOf(error)}`);
        this.#removeRun(run); // its lease expires, and it is retried
      },
    );
  }

  #settle(run: ActionRun, outcome: ActionResult, schema: number): void {
    const { claimed } = run;
    const onEnded = () => this.#removeRun(run);
    switch (outcome.as) {
      case 'done':
      case 'failed':
        return this.#ending.add({ claimed, outcome, schema, left: onEnded });
      case 'again':
        return void this.#requeue(claimed, outcome.error, outcome.delayMs).finally(onEnded);
      case 'ended':
        this.#options.ended?.([...outcome.keys], 1);
        return onEnded();
      case 'interrupted':
        this.#interrupted.push(claimed); // held until it is released
        return onEnded();
      case 'lost':
        return onEnded();
    }
  }

  /** On an error its lease expires, and it is retried anyway. */
  #requeue(claimed: ClaimedAction, error: string, delayMs: number): Promise<void> {
    const forMs = this.#options.leaseMs;
    const later = withRetry(() => releaseActionWithBackoff(this.#db, claimed, error, delayMs), { forMs });
    return this.#reportErrors(`delaying ${claimed.name}`, later);
  }

  #removeRun(run: ActionRun): void {
    this.#runs.delete(run);
    this.#freed.notifyAll();
    if (this.#suspect?.claimed === run.claimed) this.#forgetSuspect();
    this.#beginSuspect();
    const isLimited = run.claimed.limitKey !== null;
    if (this.#more || isLimited) this.#claiming.wake();
    if (isLimited) this.#options.freed?.(run.claimed.workflow); // this process may have no room for what is pending
  }

  /** Waits until no action runs, or the time is over. */
  async #drain(ms: number): Promise<void> {
    const until = performance.now() + Math.min(ms, MAX_TIMER_MS);
    while (this.#runs.size > 0 && performance.now() < until)
      await this.#freed.wait(until - performance.now());
  }

  /** Code that ignores its signal is abandoned. */
  async #interrupt(): Promise<void> {
    for (const run of this.#runs) run.interrupt();
    await this.#drain(GRACE_MS);
    for (const run of this.#runs) run.stopWaiting();
    await Promise.allSettled([...this.#runs].map(({ outcome }) => outcome));
    const given = withRetry(() => releaseActions(this.#db, this.#interrupted), { forMs: GRACE_MS });
    await this.#reportErrors('releasing interrupted actions', given);
    for (const workflow of new Set(this.#interrupted.map((claimed) => claimed.workflow)))
      this.#options.freed?.(workflow);
  }

  async #reportErrors(what: string, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#options.onError(`${what}: ${messageOf(error)}`);
    }
  }
}

/** A suspect that this process has reserved. */
interface Reserved {
  readonly claimed: ClaimedAction;
  begun: boolean;
}
