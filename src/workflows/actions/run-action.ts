/** One try of one action: its time limit, its signal, its checkpoint, and what came of it. */
import { messageOf, SeineError } from '../../base/errors.ts';
import { retrying } from '../../base/retry.ts';
import type { Queryable } from '../../db/database.ts';
import { storable } from '../../db/storable.ts';
import { MOST_BYTES } from '../../events/append-store.ts';
import { traceAction } from '../telemetry/spans.ts';
import type { ActionContext } from './action.ts';
import { type Claimed, saveCheckpoint } from './action-store.ts';
import { isHopeless, type Rules } from './policy.ts';

export type Outcome =
  | { readonly as: 'done'; readonly result: string }
  | { readonly as: 'failed'; readonly error: string }
  | { readonly as: 'again'; readonly error: string; readonly delayMs: number }
  /** Somebody else has it, or nobody wants it: there is nothing to write. */
  | { readonly as: 'lost' }
  /** It was interrupted by the end of this process. */
  | { readonly as: 'interrupted' };

export interface ActionRun {
  readonly claimed: Claimed;
  readonly outcome: Promise<Outcome>;
  /** Tells its signal, and waits no longer. */
  lose(): void;
  /** Tells its signal. A result that comes nevertheless counts. */
  interrupt(): void;
  /** Waits no longer. */
  leave(): void;
}

const MOST_OF_ERROR = 4000;
/** What an event has around a result. */
const ENVELOPE = 16;

type Trial = { readonly result: unknown } | { readonly error: unknown } | 'lost' | 'interrupted';

export function startAction(db: Queryable, rules: Rules, claimed: Claimed, leaseMs: number): ActionRun {
  const stopping = new AbortController();
  const given = Promise.withResolvers<Trial>();
  const lose = () => {
    stopping.abort(new SeineError('conflict', 'This action is no longer held here, or no longer wanted.'));
    given.resolve('lost');
  };
  const late = () => {
    const error = new SeineError('limit', `It took longer than ${rules.timeoutMs} ms.`, { retry: true });
    stopping.abort(error);
    given.resolve({ error });
  };
  const context = contextOf(db, claimed, { signal: stopping.signal, leaseMs, lose });
  const trial = async (): Promise<Trial> => {
    const timer = setTimeout(late, rules.timeoutMs);
    try {
      return await Promise.race([attempt(rules, claimed, context), given.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  const run = async (): Promise<Outcome> => {
    if (claimed.attempts > rules.attempts) return endedEachTime(claimed);
    let ended = await trial();
    const interrupted = stopping.signal.aborted && stopping.signal.reason === INTERRUPTED;
    if (interrupted && typeof ended === 'object' && 'error' in ended) ended = 'interrupted';
    return outcomeOf(ended, rules, claimed);
  };
  return {
    claimed,
    outcome: run(),
    lose,
    interrupt: () => stopping.abort(INTERRUPTED),
    leave: () => given.resolve('interrupted'),
  };
}

const INTERRUPTED = new SeineError('unavailable', 'This process ends; another goes on with the action.');

async function attempt(rules: Rules, claimed: Claimed, context: ActionContext): Promise<Trial> {
  try {
    return { result: await traceAction(claimed, async () => rules.run(claimed.input, context)) };
  } catch (error) {
    return { error };
  }
}

/** It was claimed more often than it may be tried, so its processes died or were lost. It may be what ends them. */
function endedEachTime({ error }: Claimed): Outcome {
  return { as: 'failed', error: error ?? 'The process that ran it ended each time.' };
}

function outcomeOf(trial: Trial, rules: Rules, { attempts, name }: Claimed): Outcome {
  if (typeof trial === 'string') return { as: trial };
  let error: unknown;
  if ('error' in trial) error = trial.error;
  else {
    try {
      return { as: 'done', result: jsonOf(trial.result, `The result of ${name}`) };
    } catch (cause) {
      error = cause;
    }
  }
  const reason = storable(messageOf(error)).slice(0, MOST_OF_ERROR);
  return isHopeless(error) || attempts >= rules.attempts
    ? { as: 'failed', error: reason }
    : { as: 'again', error: reason, delayMs: rules.pauseAfter(attempts) };
}

function contextOf(
  db: Queryable,
  claimed: Claimed,
  of: { signal: AbortSignal; leaseMs: number; lose: () => void },
): ActionContext {
  const { tenant, workflow, workflowId, version, n, attempts, checkpoint, name } = claimed;
  const save = async (value: unknown) => {
    const json = jsonOf(value, `The checkpoint of ${name}`);
    const kept = await retrying(() => saveCheckpoint(db, claimed, json, of.leaseMs), { forMs: of.leaseMs });
    if (kept) return;
    of.lose();
    throw new SeineError('conflict', 'The checkpoint was not kept: the action is no longer held here.', {
      hint: 'Nothing needs to be done: somebody else goes on with it, or nobody wants it any more.',
    });
  };
  return {
    idempotencyKey: `${tenant}/${workflow}/${workflowId}/${version}/${n}`,
    attempt: attempts,
    checkpoint: { value: checkpoint ?? undefined, save },
    signal: of.signal,
    workflow: { name: workflow, id: workflowId },
  };
}

/** Another try won't help: it would say the same. */
function jsonOf(value: unknown, what: string): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value ?? null);
  } catch (cause) {
    throw new SeineError('usage', `${what} can't be written as JSON: ${messageOf(cause)}`, { cause });
  }
  if (json === undefined) throw new SeineError('usage', `${what} can't be written as JSON.`);
  if (json.length + ENVELOPE > MOST_BYTES)
    throw new SeineError(
      'limit',
      `${what} has ${json.length} bytes; ${MOST_BYTES - ENVELOPE} are the most.`,
      {
        hint: 'Keep large things elsewhere, and give their address.',
      },
    );
  return json;
}
