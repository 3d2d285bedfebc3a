/**
 * Runs the actions of workflows, many at the same time: claims as many as there is room for, keeps the holds while they run, ends them
 * in batches. Any number of processes do so side by side; see action.ts for what keeps them apart.
 */
import { Bell } from '../../base/bell.ts';
import { messageOf } from '../../base/errors.ts';
import { retrying } from '../../base/retry.ts';
import { startLoop } from '../../base/service.ts';
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
import { type Rules, rulesOf } from './policy.ts';
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
  /** Results were appended to these workflows. */
  ended?(workflowKeys: readonly number[]): void;
}

export interface Actions {
  /** There may be something to claim. */
  wake(): void;
  /** Claims no more, waits for what runs, then tells its signal and gives it back. */
  stop(drainMs: number): Promise<void>;
}

/** For those who save where they stand, or have a result after all, when their signal tells them. */
const GRACE_MS = 1000;
const LONGEST = 2 ** 31 - 1;

export function startActions(
  db: Database,
  workflows: readonly AnyWorkflow[],
  options: ActionsOptions,
): Actions {
  const { holder, leaseMs, atOnce, onError, pollMs = 1000 } = options;
  const known = knownActions(workflows);
  const wanted = { known: [...known.values()], holder, ttlMs: leaseMs };
  const runs = new Set<ActionRun>();
  const interrupted: Held[] = [];
  const left = new Bell();
  const ending = startEnding(db, options);
  let more = false; // the last claim did not find the end

  const claiming = startLoop('claim actions', async () => {
    const room = known.size > 0 ? atOnce - runs.size : 0;
    more = true;
    if (room <= 0) return pollMs;
    try {
      const claimed = await claimActions(db, wanted, room);
      more = claimed.length === room;
      for (const action of claimed) begin(action);
    } catch (error) {
      onError(`claiming actions: ${messageOf(error)}`);
    }
    return pollMs * (0.75 + Math.random() / 2);
  });

  const renewing = startLoop('renew actions', async () => {
    const held = [...runs];
    try {
      if (held.length > 0) await renew(held);
    } catch (error) {
      onError(`renewing actions: ${messageOf(error)}`);
    }
    return leaseMs / 3;
  });

  async function renew(held: readonly ActionRun[]): Promise<void> {
    const tokens = await renewActions(
      db,
      held.map(({ claimed }) => claimed),
      leaseMs,
    );
    for (const run of held) if (tokens.get(run.claimed.id) !== run.claimed.token) run.lose();
  }

  function begin(claimed: Claimed): void {
    const { rules, schema } = known.get(`${claimed.workflow}/${claimed.name}`)!;
    const run = startAction(db, rules, claimed, leaseMs);
    runs.add(run);
    run.outcome.then(
      (outcome) => settle(run, outcome, schema),
      (error) => {
        onError(`running ${claimed.name}: ${messageOf(error)}`); // its hold expires, and it is tried again
        settle(run, { as: 'lost' }, schema);
      },
    );
  }

  function settle(run: ActionRun, outcome: Outcome, schema: number): void {
    const { claimed } = run;
    const leave = () => {
      runs.delete(run);
      left.ring();
      if (more) claiming.wake();
    };
    if (outcome.as === 'done' || outcome.as === 'failed')
      return ending.add({ claimed, outcome, schema, left: leave });
    if (outcome.as === 'again') return void putBack(claimed, outcome).finally(leave);
    if (outcome.as === 'interrupted') interrupted.push(claimed);
    leave();
  }

  async function putBack(claimed: Claimed, { error, delayMs }: Extract<Outcome, { as: 'again' }>) {
    try {
      await retrying(() => retryActionLater(db, claimed, error, delayMs), { forMs: leaseMs });
    } catch (trouble) {
      onError(`retrying ${claimed.name}: ${messageOf(trouble)}`); // its hold expires, and it is tried again
    }
  }

  async function empty(ms: number): Promise<void> {
    const until = performance.now() + Math.min(ms, LONGEST);
    while (runs.size > 0 && performance.now() < until) await left.wait(until - performance.now());
  }

  /** What does not heed its signal is left to itself. */
  async function interrupt(): Promise<void> {
    for (const run of runs) run.interrupt();
    await empty(GRACE_MS);
    for (const run of runs) run.leave();
    await Promise.all([...runs].map(({ outcome }) => outcome));
    if (interrupted.length === 0) return;
    await retrying(() => releaseActions(db, interrupted), { forMs: leaseMs }).catch((error) =>
      onError(`giving actions back: ${messageOf(error)}`),
    );
  }

  return {
    wake: () => claiming.wake(),
    stop: async (drainMs) => {
      await claiming.stop();
      await empty(drainMs);
      if (runs.size > 0) await interrupt();
      await empty(leaseMs);
      await Promise.all([renewing.stop(), ending.stop()]);
    },
  };
}

interface Known {
  readonly workflow: string;
  readonly name: string;
  readonly rules: Rules;
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
